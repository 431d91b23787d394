// Inlined kernels, or a copy of the user's -> compiled for shared memory or for plain one.

const SHARED_FLAG = 0x02;

// Inlined compressed: half of what the kernels' bytes would add to every bundle. A Response would gather the pieces in one line,
// but to load all that comes with it takes Node longer than the rest of an engine.
async function decode(base64: string): Promise<Uint8Array<ArrayBuffer>> {
  const text = atob(base64), packed = new Uint8Array(text.length);
  for (let i = 0; i < packed.length; i++) packed[i] = text.charCodeAt(i);
  const { readable, writable } = new DecompressionStream('gzip'), writer = writable.getWriter(), reader = readable.getReader();
  void writer.write(packed);
  void writer.close();
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) pieces.push(piece.value);
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}

// A file of kernels serves both kinds of memory: they differ only in the flag byte of the memory import.
function withoutShared(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const importOfMemory = [3, ...new TextEncoder().encode('env'), 6, ...new TextEncoder().encode('memory'), 2];
  const start = bytes.findIndex((_, i) => importOfMemory.every((byte, k) => bytes[i + k] === byte));
  const flagAt = start + importOfMemory.length;
  const copy = bytes.slice();
  copy[flagAt] = copy[flagAt]! & ~SHARED_FLAG;
  return copy;
}

/** A user's own copy of a file of kernels. */
export interface KernelSource { wasmUrl?: string | URL; wasmModule?: WebAssembly.Module }

/** Compiles kernels for shared memory (threads) or for plain memory (a page that is not cross-origin isolated). */
export async function compileKernels(wasmGzipBase64: string, memoryKind: 'shared' | 'single', { wasmUrl, wasmModule }: KernelSource = {}): Promise<WebAssembly.Module> {
  // A compiled module is for shared memory: what it was made of cannot be asked for.
  if (wasmModule && memoryKind === 'shared') return wasmModule;
  if (wasmUrl && memoryKind === 'shared') return WebAssembly.compileStreaming(fetch(wasmUrl));
  const bytes = wasmUrl ? new Uint8Array(await (await fetch(wasmUrl)).arrayBuffer()) : await decode(wasmGzipBase64);
  return WebAssembly.compile(memoryKind === 'shared' ? bytes : withoutShared(bytes));
}
