// Compiled modules -> kernels on a given memory, shared or not; the only file that knows the loader.

import { instantiateSync } from '@assemblyscript/loader';
import type { Kernels } from '../records/kernels.js';

/**
 * Kernels bound to `memory`, in the order of the modules and their exports, which is the same on every
 * thread. Each thread makes its own instances; kernels hold no state, so all are alike.
 */
export function instantiateKernels(
  modules: readonly WebAssembly.Module[],
  memory: WebAssembly.Memory,
): Kernels {
  return Object.assign(
    {},
    ...modules.map(module => instantiateSync(module, { env: { memory } }).instance.exports),
  );
}
