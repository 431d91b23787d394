// A compiled module -> kernels on a given memory, shared or not; the only file that knows the loader.

import { instantiateSync } from '@assemblyscript/loader';
import type { Kernels } from './kernels.js';

/** Kernels bound to `memory`. Each thread makes its own instance; kernels hold no state, so all are alike. */
export function instantiateKernels(module: WebAssembly.Module, memory: WebAssembly.Memory): Kernels {
  const { exports } = instantiateSync(module, { env: { memory } });
  return exports as unknown as Kernels;
}
