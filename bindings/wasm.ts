// The inlined module, or one of the user's -> compiled for shared memory or for plain one.

import { kernelNames } from './kernels.js';
import { wasmGzipBase64 } from './wasmBinary.js';

const SHARED_FLAG = 0x02;

// Inlined compressed: half of what the kernels' bytes would add to every bundle.
async function decode(base64: string): Promise<Uint8Array<ArrayBuffer>> {
  const text = atob(base64);
  const packed = Uint8Array.from(text, (character) => character.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// One binary serves both kinds of memory: they differ only in the flag byte of the memory import.
function withoutShared(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const importOfMemory = [3, ...new TextEncoder().encode('env'), 6, ...new TextEncoder().encode('memory'), 2];
  const start = bytes.findIndex((_, i) => importOfMemory.every((byte, k) => bytes[i + k] === byte));
  const flagAt = start + importOfMemory.length;
  const copy = bytes.slice();
  copy[flagAt] = copy[flagAt]! & ~SHARED_FLAG;
  return copy;
}

/** A user's own copy of the kernels. */
export interface KernelSource { wasmUrl?: string | URL; wasmModule?: WebAssembly.Module }

/** Compiled kernels, and why they are not the user's where those could not be had. */
export interface Compiled { module: WebAssembly.Module; failure?: string }

/** Compiles the kernels for shared memory (threads) or for plain memory (a page that is not cross-origin isolated). */
export async function compileKernels(memoryKind: 'shared' | 'single', { wasmUrl, wasmModule }: KernelSource = {}): Promise<Compiled> {
  // A compiled module is for shared memory: what it was made of cannot be asked for.
  const given = memoryKind === 'shared' ? wasmModule : undefined;
  try {
    if (given) return { module: checked(given) };
    if (wasmUrl) return { module: checked(memoryKind === 'shared' ? await compileShared(wasmUrl) : await WebAssembly.compile(withoutShared(await fetchBytes(wasmUrl)))) };
  } catch (error) {
    return { module: await compileInlined(memoryKind), failure: error instanceof Error ? error.message : String(error) };
  }
  return { module: await compileInlined(memoryKind) };
}

async function compileInlined(memoryKind: 'shared' | 'single'): Promise<WebAssembly.Module> {
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

function checked(module: WebAssembly.Module): WebAssembly.Module {
  const exported = new Set(WebAssembly.Module.exports(module).map(({ name }) => name));
  const missing = kernelNames.find((name) => !exported.has(name));
  if (missing) throw new Error(`it has no ${missing}, so it is of another version`);
  return module;
}
