// Tests that the built WebAssembly files hold no state and export exactly the listed kernels, and that the
// offsets in assembly/records.ts are up to date.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { assemblyLayout } from '../../bindings/records/emit.js';
import { moduleNames } from '../../dist/engine/modules.js';
import { kernelNames, paperKernelNames } from '../../dist/records/kernels.js';
import { instantiateKernels } from '../../dist/runtime/instantiate.js';
import { compileAll } from '../support/kernels.js';
import { test } from '../support/test.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const everyName = [...kernelNames, ...paperKernelNames].sort();
const files = ['pfront', ...moduleNames, 'papers']
  .filter(name => existsSync(`${root}dist/wasm/${name}.wasm`))
  .map(name => ({ name: `${name}.wasm`, bytes: readFileSync(`${root}dist/wasm/${name}.wasm`) }));

const sectionNames = [
  'custom',
  'type',
  'import',
  'function',
  'table',
  'memory',
  'global',
  'export',
  'start',
  'element',
  'code',
  'data',
  'data count',
];

// Reads an unsigned LEB128 number; returns the value and the offset after it.
function readNumber(bytes: Buffer, at: number): [value: number, end: number] {
  let value = 0;
  let shift = 0;
  let byte: number;
  do {
    byte = bytes[at++];
    value += (byte & 127) * 2 ** shift;
    shift += 7;
  } while (byte & 128);
  return [value, at];
}

function readSections(bytes: Buffer): Map<string, Buffer> {
  const sections = new Map<string, Buffer>();
  assert.equal([...bytes.subarray(0, 8)], [0, 97, 115, 109, 1, 0, 0, 0]);
  for (let at = 8; at < bytes.length; ) {
    const name = sectionNames[bytes[at]];
    const [size, begin] = readNumber(bytes, at + 1);
    sections.set(name, bytes.subarray(begin, begin + size));
    at = begin + size;
  }
  return sections;
}

for (const { name, bytes } of files) {
  const sections = readSections(bytes);
  const module = new WebAssembly.Module(bytes);

  for (const section of ['data', 'data count', 'element', 'table', 'start', 'memory']) {
    test(`${name} has no ${section} section`, () => assert.not.ok(sections.has(section)));
  }

  test(`${name} has no globals`, () => {
    // Immutable globals would be harmless, but the AssemblyScript compiler replaces them by their values, so
    // any remaining global holds state.
    assert.not.ok(sections.has('global'));
  });

  test(`${name}: memory is imported and shared, and nothing else is imported`, () => {
    assert.equal(
      WebAssembly.Module.imports(module).map(({ module: from, name, kind }) => `${from}.${name}: ${kind}`),
      ['env.memory: memory'],
    );
    const importSection = sections.get('import')!;
    // The section has the number of imports (1) and, for this import, the names "env" and "memory", the kind
    // and the flags. Flag 1 means that the memory has a max, flag 2 that it is shared.
    const flags = importSection[1 + 4 + 7 + 1];
    assert.is(flags, 3);
  });

  test(`${name}: every export is a function of (job, begin, end)`, () => {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 65536, shared: true });
    for (const run of Object.values(new WebAssembly.Instance(module, { env: { memory } }).exports))
      assert.is((run as () => void).length, 3);
  });
}

test('all files together export every kernel exactly once', () => {
  const exported = files.flatMap(({ bytes }) =>
    WebAssembly.Module.exports(new WebAssembly.Module(bytes)).map(({ name }) => name),
  );
  assert.equal(exported.sort(), everyName);
});

test('a kernel is in a file of the same name', () => {
  const sources = readdirSync(`${root}assembly`, { recursive: true, encoding: 'utf8' }).filter(file =>
    file.endsWith('.ts'),
  );
  const files = sources.filter(file =>
    new RegExp(
      `^export function ${basename(file, '.ts')}\\(\\w+: usize, begin: u32, end: u32\\): void`,
      'm',
    ).test(readFileSync(`${root}assembly/${file}`, 'utf8')),
  );
  assert.equal(files.map(file => basename(file, '.ts')).sort(), everyName);
});

test('instantiation does not change memory', async () => {
  for (const kind of ['shared', 'single'] as const) {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 65536, shared: kind === 'shared' });
    const before = new Uint8Array(memory.buffer).fill(0xa5).slice();
    const modules = await compileAll(kind);
    for (let instance = 0; instance < 3; instance++) assert.ok(instantiateKernels(modules, memory).traverse);
    assert.equal(new Uint8Array(memory.buffer).slice(), before);
  }
});

// Generates the layout from the sources, because the build's output in dist may be older.
test('assembly/records.ts has the text that the record tables generate', () => {
  assert.is(readFileSync(`${root}assembly/records.ts`, 'utf8'), assemblyLayout());
});

test.run();
