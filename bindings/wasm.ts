// The inlined module -> kernels on a given memory, shared or not; the only file that knows the loader.
import { instantiateSync } from '@assemblyscript/loader';
import type { Kernels } from './kernels.js';
import { wasmBase64 } from './wasmBinary.js';

const SHARED_FLAG = 0x02;

function decode(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
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

/** Compiles the kernels for shared memory (threads) or for plain memory (a page that is not cross-origin isolated). */
export function compileKernels(memoryKind: 'shared' | 'single'): Promise<WebAssembly.Module> {
  const bytes = decode(wasmBase64);
  return WebAssembly.compile(memoryKind === 'shared' ? bytes : withoutShared(bytes));
}

/** Kernels bound to `memory`. Each thread makes its own instance; kernels hold no state, so all are alike. */
export function instantiateKernels(module: WebAssembly.Module, memory: WebAssembly.Memory): Kernels {
  const { exports } = instantiateSync(module, { env: { memory } });
  return exports as unknown as Kernels;
}
