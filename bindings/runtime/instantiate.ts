// Instantiates compiled kernels on a given memory, shared or not. This is the only file that uses the
// AssemblyScript loader.

import { instantiateSync } from '@assemblyscript/loader';
import type { Kernels } from '../records/kernels.js';

/**
 * Returns the kernels bound to `memory`, in the order of the modules and of their exports. This order is the
 * same on every thread. Each thread has its own instances; kernels hold no state, so all instances are equal.
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
