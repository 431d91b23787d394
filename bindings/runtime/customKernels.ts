// Compiles a user's own copy of a kernel file. If this fails, the inlined kernels are used, with a note.
import type { Note } from '../core/note.js';
import {
  type Compiled,
  compileBytes,
  compileKernels,
  type InlinedKernels,
  type KernelSource,
} from './wasm.js';

/**
 * Compiles the file at wasmUrl, or uses wasmModule; at least one of the two is given. If both are given,
 * wasmModule is used. For unshared memory, wasmModule is ignored.
 */
export async function compileCustomKernels(
  inlined: InlinedKernels,
  memoryKind: 'shared' | 'single',
  { wasmUrl, wasmModule }: KernelSource,
): Promise<Compiled> {
  // wasmModule is compiled for shared memory. A module for unshared memory can only be made from the bytes of
  // the file, and a compiled module does not give access to these bytes.
  const given = memoryKind === 'shared' ? wasmModule : undefined;
  try {
    if (given) return { module: checkVersion(given, inlined) };
    if (wasmUrl)
      return {
        module: checkVersion(
          memoryKind === 'shared'
            ? await compileShared(wasmUrl)
            : await compileBytes(await fetchBytes(wasmUrl), memoryKind),
          inlined,
        ),
      };
  } catch (error) {
    return {
      ...(await compileKernels(inlined, memoryKind)),
      note: inlinedKernelsNote(error instanceof Error ? error.message : String(error)),
    };
  }
  return compileKernels(inlined, memoryKind);
}

// If the server sends the wrong MIME type, compileStreaming fails, but the fetched bytes can still be
// compiled.
const compileShared = (url: string | URL): Promise<WebAssembly.Module> =>
  WebAssembly.compileStreaming(fetch(url)).catch(async () => WebAssembly.compile(await fetchBytes(url)));

async function fetchBytes(url: string | URL): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`.trim());
  return new Uint8Array(await response.arrayBuffer());
}

function checkVersion(module: WebAssembly.Module, { nameLength }: InlinedKernels): WebAssembly.Module {
  // If the total length of the exports' names differs, the file belongs to another version.
  if (WebAssembly.Module.exports(module).reduce((sum, { name }) => sum + name.length, 0) !== nameLength)
    throw new Error('they are from another version');
  return module;
}

const inlinedKernelsNote = (failure: string): Note => ({
  code: 'inlined-kernels',
  message: `the inlined kernels are used, because the given ones could not be used: ${failure}`,
  fix: "no action is required, since results are the same; or point wasmUrl to this version's dist/wasm",
});
