// All kernels of the package, compiled for shared memory or for plain one.

import { featureNames, loadFeature } from '../../dist/engine/features.js';
import { compileKernels } from '../../dist/runtime/wasm.js';
import * as inlined from '../../dist/wasm/pfront.wasm.js';

/** Those of every engine first, then those of each feature. */
export async function compileAll(kind: 'shared' | 'single' = 'shared'): Promise<WebAssembly.Module[]> {
  const features = await Promise.all(featureNames.map(loadFeature));
  return Promise.all(
    [inlined, ...features.flatMap(feature => feature.inlined ?? [])].map(
      async file => (await compileKernels(file, kind)).module,
    ),
  );
}
