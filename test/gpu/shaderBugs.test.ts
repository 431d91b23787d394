// Tests the self-test that a GPU must pass before its first query. The mistakes that shaderBugs.ts lists are
// introduced into the shaders one at a time, and the self-test must detect each of them.

import * as assert from 'uvu/assert';
import { continuous } from '../../dist/ccd/continuous.js';
import type { EngineHost } from '../../dist/core/module.js';
import type { Gpu } from '../../dist/gpu/device/gpu.js';
import { GpuUnfit } from '../../dist/gpu/device/gpuErrors.js';
import { makeGpuSupport } from '../../dist/gpu/makeGpuSupport.js';
import { type SyncMethods, syncMethodNames } from '../../dist/gpu/syncMethods.js';
import { TimeBudget } from '../../dist/gpu/timeBudget.js';
import { createEngine } from '../../dist/index.js';
import { gpuTest, withGpu } from '../support/gpu.js';
import { test } from '../support/test.js';
import { kernelsOf, type ShaderBug, shaderBugs, withBug } from './shaderBugs.js';

const engine = await createEngine({ threads: 1 });
test.after(() => engine.dispose());
const host = (engine as unknown as { host(modules: Map<string, unknown>): EngineHost }).host(
  new Map([['continuous', continuous]]),
);
const methods = Object.fromEntries(
  syncMethodNames.map(method => [method, (engine[method] as () => unknown).bind(engine)]),
) as unknown as SyncMethods;
const part = makeGpuSupport(host, methods);

/** Runs the self-test. @returns its error, or undefined if it passes */
async function complaintOf(gpu: Gpu, kind: ShaderBug['kind']): Promise<string | undefined> {
  const systems = part.make([gpu]);
  try {
    await part.check(kind, systems, new TimeBudget(Infinity, () => 0));
    return undefined;
  } catch (error) {
    if (error instanceof GpuUnfit) throw error;
    return (error as Error).message;
  } finally {
    part.dispose(systems);
  }
}

// Removes the given kernels from a GPU's compiled kernels and runs a function, which therefore compiles them
// again. Then restores the kernels that had been compiled before.
async function withCompiled<Result>(
  gpu: Gpu,
  names: readonly string[],
  run: () => Promise<Result>,
): Promise<Result> {
  const { kernels } = gpu as unknown as { kernels: Map<string, unknown> };
  const kept = names.map(name => [name, kernels.get(name)] as const);
  for (const name of names) kernels.delete(name);
  try {
    return await run();
  } finally {
    for (const [name, kernel] of kept)
      if (kernel) kernels.set(name, kernel);
      else kernels.delete(name);
  }
}

async function expectComplaints(
  gpu: Gpu,
  kind: ShaderBug['kind'],
  bugs: readonly ShaderBug[],
): Promise<void> {
  assert.is(await complaintOf(gpu, kind), undefined);
  for (const bug of bugs) {
    const complaint = await withCompiled(gpu, kernelsOf(bug.file), () =>
      withBug(bug, () => complaintOf(gpu, kind)),
    );
    assert.match(complaint ?? '', /wrong answer to a test query/, `${bug.file}: ${bug.name}`);
  }
}

for (const kind of new Set(shaderBugs.map(bug => bug.kind))) {
  const bugs = shaderBugs.filter(bug => bug.kind === kind);
  // Compiling shaders takes long in a software GPU.
  gpuTest.slow(`the self-test detects every third of the listed mistakes in the shaders: ${kind}`, () =>
    withGpu(gpu =>
      expectComplaints(
        gpu,
        kind,
        bugs.filter((_, i) => i % 3 === 0),
      ),
    ),
  );
  gpuTest.proof(`the self-test detects each listed mistake in the shaders: ${kind}`, () =>
    withGpu(gpu => expectComplaints(gpu, kind, bugs)),
  );
}

test.run();
