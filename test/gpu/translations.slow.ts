// Tests that naga, which translates the shaders of Firefox and of wgpu, accepts every kernel and translates it to
// the languages of Direct3D, Metal and Vulkan. Dawn, which checks the uniformity of control flow, compiles the
// kernels in all other tests.

import path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as assert from 'uvu/assert';
import { kernelNames, sourceOf } from '../../dist/gpu/device/kernelSource.js';
import { folderOf, isInstalled } from '../support/npmPackages.js';
import { test } from '../support/test.js';

interface Handle {
  free(): void;
}
type Write = (module: Handle, info: Handle, options: object) => string | Uint32Array;
/** The functions of naga-wasm that this file uses. */
interface Naga {
  parseWgsl(text: string): Handle;
  validate(module: Handle): Handle;
  writeHlsl: Write;
  writeMsl: Write;
  writeSpirv: Write;
}

const SPEC = 'naga-wasm@30.1.0';
const FILE = 'node_modules/naga-wasm/dist/node.js';

/** Translates a text to each language. @returns the lengths of the translations @throws an Error of naga */
function translate(naga: Naga, text: string): number[] {
  const module = naga.parseWgsl(text);
  const info = naga.validate(module);
  const lengths = [naga.writeHlsl, naga.writeMsl, naga.writeSpirv].map(
    write => write(module, info, {}).length,
  );
  info.free();
  module.free();
  return lengths;
}

if (!isInstalled(SPEC, FILE)) test.skip('naga translates every kernel', `npm cannot install ${SPEC}`);
else {
  const naga = (await import(pathToFileURL(path.join(folderOf(SPEC), FILE)).href)) as Naga;

  test('naga translates every kernel, for each workgroup size', () => {
    assert.ok(kernelNames.length > 20);
    for (const name of kernelNames)
      for (const size of [64, 128, 256])
        for (const length of translate(naga, sourceOf(name, size))) assert.ok(length > 100, name);
  });

  test('naga refuses a kernel with a wrong type, and one with a builtin that does not exist', () => {
    const kernel = (body: string): string =>
      `@group(0) @binding(0) var<storage,read_write> a:array<u32>;
      @compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i:u32){${body}}`;
    translate(naga, kernel('a[i]=1u;'));
    for (const bad of [kernel('a[i]=1.5;'), kernel('a[i]=popCount(i);')])
      assert.throws(() => translate(naga, bad), undefined, bad);
  });
}

test.run();
