// Decodes and compiles kernels, for shared or for unshared memory.

import type { Note } from '../core/note.js';

const SHARED_FLAG = 0x02;

// Decompresses the inlined kernels. Compression halves the bytes that they add to every bundle. The class
// Response could collect the decompressed chunks in one line of code, but in Node, loading this class takes
// longer than loading the rest of an engine.
async function decode(base64: string): Promise<Uint8Array<ArrayBuffer>> {
  const text = atob(base64);
  const packed = new Uint8Array(text.length);
  for (let i = 0; i < packed.length; i++) packed[i] = text.charCodeAt(i);
  const { readable, writable } = new DecompressionStream('gzip');
  const writer = writable.getWriter();
  const reader = readable.getReader();
  void writer.write(packed);
  void writer.close();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) chunks.push(chunk.value);
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

// Converts a kernel file for shared memory to one for unshared memory. The two differ only in the flag byte
// of the memory import.
function withoutShared(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const importOfMemory = [3, ...new TextEncoder().encode('env'), 6, ...new TextEncoder().encode('memory'), 2];
  const start = bytes.findIndex((_, i) => importOfMemory.every((byte, k) => bytes[i + k] === byte));
  const flagAt = start + importOfMemory.length;
  const copy = bytes.slice();
  copy[flagAt] = copy[flagAt] & ~SHARED_FLAG;
  return copy;
}

/** A kernel file as the build inlines it. nameLength: total length of the names of its exports. */
export interface InlinedKernels {
  wasmGzipBase64: string;
  nameLength: number;
}

/** A user's own copy of a kernel file. */
export interface KernelSource {
  wasmUrl?: string | URL;
  wasmModule?: WebAssembly.Module;
}

/** Compiled kernels, and a note if the user's copy could not be used. */
export interface Compiled {
  module: WebAssembly.Module;
  note?: Note;
}

/** Compiles the inlined kernels, for shared memory, which several threads need, or for unshared memory. */
export async function compileKernels(
  { wasmGzipBase64 }: InlinedKernels,
  memoryKind: 'shared' | 'single',
): Promise<Compiled> {
  return { module: await compileBytes(await decode(wasmGzipBase64), memoryKind) };
}

export const compileBytes = (
  bytes: Uint8Array<ArrayBuffer>,
  memoryKind: 'shared' | 'single',
): Promise<WebAssembly.Module> => WebAssembly.compile(memoryKind === 'shared' ? bytes : withoutShared(bytes));
