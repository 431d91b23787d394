// Shares an engine on a software GPU among several test files: compiling the kernels of a device takes longer
// than most queries.

import { createEngine, type Engine } from '../../dist/index.js';
import { source } from '../support/gpu.js';

let made: Promise<Engine> | undefined;
let users = 0;

/**
 * Returns functions that get and release the engine. Call `release` after the last test of a file; the last
 * call disposes the engine.
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
