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

/** A file of kernels as the build inlines it; nameLength: letters of all their names. */
export interface InlinedKernels { wasmGzipBase64: string; nameLength: number }

/** A user's own copy of a file of kernels. */
export interface KernelSource { wasmUrl?: string | URL; wasmModule?: WebAssembly.Module }

/** Compiled kernels, and why they are not the user's where those could not be had. */
export interface Compiled { module: WebAssembly.Module; failure?: string }

/** Compiles kernels for shared memory (threads) or for plain memory (a page that is not cross-origin isolated). */
export async function compileKernels(inlined: InlinedKernels, memoryKind: 'shared' | 'single', { wasmUrl, wasmModule }: KernelSource = {}): Promise<Compiled> {
  // A compiled module is for shared memory: what it was made of cannot be asked for.
  const given = memoryKind === 'shared' ? wasmModule : undefined;
  try {
    if (given) return { module: checked(given, inlined) };
    if (wasmUrl) return { module: checked(memoryKind === 'shared' ? await compileShared(wasmUrl) : await WebAssembly.compile(withoutShared(await fetchBytes(wasmUrl))), inlined) };
  } catch (error) {
    return { module: await compileInlined(inlined, memoryKind), failure: error instanceof Error ? error.message : String(error) };
  }
  return { module: await compileInlined(inlined, memoryKind) };
}

async function compileInlined({ wasmGzipBase64 }: InlinedKernels, memoryKind: 'shared' | 'single'): Promise<WebAssembly.Module> {
  const bytes = await decode(wasmGzipBase64);
  return WebAssembly.compile(memoryKind === 'shared' ? bytes : withoutShared(bytes));
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
  if (WebAssembly.Module.exports(module).reduce((sum, { name }) => sum + name.length, 0) !== nameLength) throw new Error('its kernels are others, so it is of another version');
  return module;
}
