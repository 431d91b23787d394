// The built module and the committed layout -> stateless kernels, no more exports than the table, no stale offsets.

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { assemblyLayout } from '../../dist/emit.js';
import { kernelNames } from '../../dist/kernels.js';
import { instantiateKernels } from '../../dist/instantiate.js';
import { compileKernels } from '../../dist/wasm.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const bytes = readFileSync(`${root}dist/wasm/pfront.wasm`);

const sectionNames = ['custom', 'type', 'import', 'function', 'table', 'memory', 'global', 'export', 'start', 'element', 'code', 'data', 'data count'];

// LEB128, unsigned: the value and where it ends.
function readNumber(at: number): [value: number, end: number] {
  let value = 0, shift = 0, byte: number;
  do {
    byte = bytes[at++]!;
    value += (byte & 127) * 2 ** shift;
    shift += 7;
  } while (byte & 128);
  return [value, at];
}

function readSections(): Map<string, Buffer> {
  const sections = new Map<string, Buffer>();
  assert.equal([...bytes.subarray(0, 8)], [0, 97, 115, 109, 1, 0, 0, 0]);
  for (let at = 8; at < bytes.length;) {
    const name = sectionNames[bytes[at]!]!;
    const [size, begin] = readNumber(at + 1);
    sections.set(name, bytes.subarray(begin, begin + size));
    at = begin + size;
  }
  return sections;
}

const sections = readSections();

for (const name of ['data', 'data count', 'element', 'table', 'start', 'memory']) {
  test(`the module has no ${name} section`, () => assert.not.ok(sections.has(name)));
}

test('the module has no globals', () => {
  // Immutable ones would do no harm; asc folds those, so that any that is left has state.
  assert.not.ok(sections.has('global'));
});

test('memory is imported, shared, and all that is imported', async () => {
  const module = new WebAssembly.Module(bytes);
  assert.equal(WebAssembly.Module.imports(module).map(({ module: from, name, kind }) => `${from}.${name}: ${kind}`), ['env.memory: memory']);
  const importSection = sections.get('import')!;
  // One import: "env", "memory", memory kind, flags: 1 has a maximum, 2 is shared.
  const flags = importSection[1 + 4 + 7 + 1]!;
  assert.is(flags, 3);
});

test('the exports are the kernel table, each a function of (job, begin, end)', () => {
  const module = new WebAssembly.Module(bytes);
  const exported = WebAssembly.Module.exports(module);
  assert.equal(exported.map(({ name }) => name).sort(), [...kernelNames].sort());
  assert.ok(exported.every(({ kind }) => kind === 'function'));
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 65536, shared: true });
  for (const run of Object.values(new WebAssembly.Instance(module, { env: { memory } }).exports)) assert.is((run as () => void).length, 3);
});

test('a kernel has a file of its name', () => {
  const files = readdirSync(`${root}assembly/kernels`).map(file => file.replace(/\.ts$/, ''));
  assert.equal(kernelNames.filter(name => !files.includes(name)), []);
  assert.equal(files.filter(name => !(kernelNames as readonly string[]).includes(name)), []);
});

test('making instances leaves memory as it is', async () => {
  for (const kind of ['shared', 'single'] as const) {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 65536, shared: kind === 'shared' });
    const before = new Uint8Array(memory.buffer).fill(0xa5).slice();
    const { module } = await compileKernels(kind);
    for (let instance = 0; instance < 3; instance++) assert.ok(instantiateKernels(module, memory).traverse);
    assert.equal(new Uint8Array(memory.buffer).slice(), before);
  }
});

test('the assembly layout is the one that the tables make', () => {
  assert.is(readFileSync(`${root}assembly/layout.ts`, 'utf8'), assemblyLayout());
});

// The build writes the file anew: only the committed one can be stale. Where work is under way both may have changed.
test('the committed layout is the one that the committed tables make', () => {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  let changed: string;
  try { changed = git('diff', '--name-only', 'HEAD', '--', 'assembly/layout.ts', 'bindings/layout.ts', 'bindings/emit.ts'); } catch { return; }
  if (changed === 'assembly/layout.ts') throw new Error('assembly/layout.ts was stale: commit the one that the build made');
});

test.run();
