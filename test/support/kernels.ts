// All kernels of the package, compiled for shared memory or for plain one.

import { featureNames, loadFeature } from '../../dist/features.js';
import { compileKernels } from '../../dist/wasm.js';
import { wasmGzipBase64 } from '../../dist/wasm/pfront.wasm.js';

/** Those of every engine first, then those of each feature. */
export async function compileAll(kind: 'shared' | 'single' = 'shared'): Promise<WebAssembly.Module[]> {
  const features = await Promise.all(featureNames.map(loadFeature));
  return Promise.all([wasmGzipBase64, ...features.map(feature => feature.wasmGzipBase64)].map(inlined => compileKernels(inlined, kind)));
}
