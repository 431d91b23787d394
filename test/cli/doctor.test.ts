// Tests the report of `pfront doctor` on this machine, with and without a GPU.

import { spawnSync } from 'node:child_process';
import * as assert from 'uvu/assert';
import { MAIN } from '../support/commandLine.js';
import { gpuTest } from '../support/gpu.js';
import { test } from '../support/test.js';

/** Runs `pfront doctor` and returns the lines of its output. flags: command-line flags for Node. */
function doctor(...flags: string[]): string[] {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, MAIN, 'doctor'], {
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  });
  assert.equal([status, stderr], [0, '']);
  return stdout.split('\n');
}

const lineOf = (lines: readonly string[], what: string): number =>
  lines.findIndex(line => new RegExp(`^(ok|note) +${what} `).test(line));

test('without a GPU there is a note with the reason and a fix', () => {
  const noAdapter =
    'globalThis.navigator ??= {}; Object.assign(navigator, { gpu: { requestAdapter: async () => null } })';
  const lines = doctor('--import', `data:text/javascript,${encodeURIComponent(noAdapter)}`);
  const at = lineOf(lines, 'WebGPU');
  for (const what of ['Node', 'SIMD', 'cores', 'shared', 'threads', 'memory'])
    assert.match(lines[lineOf(lines, what)] ?? what, /^ok /);
  assert.match(lines[at], /^note +WebGPU +no GPU is available: .+; calls run on the CPU$/);
  assert.match(lines[at + 1], /^ +fix: .*WebGPU/);
  assert.is(lines.filter(line => /gpu/i.test(line)).length, 2);
});

gpuTest.slow('with a GPU, its name and the query size from which it is faster are printed', async () => {
  // pfront rejects software adapters by default. If this machine has only a software adapter, the empty
  // `info` hides that it is one.
  const adapter = `import { create } from '${import.meta.resolve('webgpu')}';
    const source = create([]), found = await source.requestAdapter(), { features, limits } = found;
    globalThis.navigator ??= {};
    Object.assign(navigator, { gpu: { source, requestAdapter: async () => ({ info: {}, features, limits, requestDevice: (wanted) => found.requestDevice(wanted) }) } });`;
  const lines = doctor('--import', `data:text/javascript,${encodeURIComponent(adapter)}`);
  assert.match(
    lines[lineOf(lines, 'WebGPU')],
    /^ok +WebGPU +\S.*; (faster than the CPU from about [\d,]+ triangles|the CPU is faster)$/,
  );
});

test.run();
