// A user's own copy of a file of kernels -> compiled; where it is not to be had, those that came with the
// package, and a note.
import type { Note } from '../core/note.js';
import {
  type Compiled,
  compileBytes,
  compileKernels,
  type InlinedKernels,
  type KernelSource,
} from './wasm.js';

/** wasmUrl or wasmModule is there. */
export async function compileOwn(
  inlined: InlinedKernels,
  memoryKind: 'shared' | 'single',
  { wasmUrl, wasmModule }: KernelSource,
): Promise<Compiled> {
  // A compiled module is for shared memory: what it was made of cannot be asked for.
  const given = memoryKind === 'shared' ? wasmModule : undefined;
  try {
    if (given) return { module: checked(given, inlined) };
    if (wasmUrl)
      return {
        module: checked(
          memoryKind === 'shared'
            ? await compileShared(wasmUrl)
            : await compileBytes(await fetchBytes(wasmUrl), memoryKind),
          inlined,
        ),
      };
  } catch (error) {
    return {
      ...(await compileKernels(inlined, memoryKind)),
      note: inlinedKernels(error instanceof Error ? error.message : String(error)),
    };
  }
  return compileKernels(inlined, memoryKind);
}

// Servers that do not know the type of wasm forbid streaming, not compiling.
const compileShared = (url: string | URL): Promise<WebAssembly.Module> =>
  WebAssembly.compileStreaming(fetch(url)).catch(async () => WebAssembly.compile(await fetchBytes(url)));

async function fetchBytes(url: string | URL): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`.trim());
  return new Uint8Array(await response.arrayBuffer());
}

function checked(module: WebAssembly.Module, { nameLength }: InlinedKernels): WebAssembly.Module {
  // Of another version is what exports other kernels, as far as their names' length tells.
  if (WebAssembly.Module.exports(module).reduce((sum, { name }) => sum + name.length, 0) !== nameLength)
    throw new Error('its kernels are others, so it is of another version');
  return module;
}

const inlinedKernels = (failure: string): Note => ({
  code: 'inlined-kernels',
  message: `the inlined kernels are used, since those that were passed could not be had: ${failure}`,
  fix: "nothing: they compute the same; let wasmUrl name this version's files of dist/wasm",
});
