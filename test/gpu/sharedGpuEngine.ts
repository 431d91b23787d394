// Creates one engine with a GPU and shares it among the tests of a process, because compiling the kernels of
// a device takes longer than most queries.

import { createEngine, type Engine } from '../../dist/index.js';
import { source } from '../support/gpu.js';

let made: Promise<Engine> | undefined;
let users = 0;

/**
 * Returns functions that get and release the shared engine. Each test file calls `release` after its last
 * test. The engine is disposed when every caller of `sharedGpuEngine` has called `release`.
 */
export function sharedGpuEngine(): { engine(): Promise<Engine>; release(): Promise<void> } {
  users++;
  return {
    engine: () => (made ??= createEngine({ threads: 1, backend: 'webgpu', gpu: source, warmUp: 'off' })),
    async release() {
      if (--users === 0) (await made)?.dispose();
    },
  };
}
