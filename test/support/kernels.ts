// Compiles all kernels of the package, for shared memory or for unshared memory.

import { loadModule, moduleNames } from '../../dist/engine/modules.js';
import { compileKernels } from '../../dist/runtime/wasm.js';
import * as inlined from '../../dist/wasm/pfront.wasm.js';

/** Returns the kernels that every engine has, then those of each module. */
export async function compileAll(kind: 'shared' | 'single' = 'shared'): Promise<WebAssembly.Module[]> {
  const modules = await Promise.all(moduleNames.map(loadModule));
  return Promise.all(
    [inlined, ...modules.flatMap(module => module.inlined ?? [])].map(
      async file => (await compileKernels(file, kind)).module,
    ),
  );
}
