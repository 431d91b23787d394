// An engine on a software GPU that several files of tests ask: a device learns its kernels once, which takes
// longer than most questions.

import { createEngine, type Engine } from '../../dist/index.js';
import { source } from '../support/gpu.js';

let made: Promise<Engine> | undefined;
let users = 0;

/** release: when the last test of a file is over; the last one disposes of it. */
export function learnedEngine(): { engine(): Promise<Engine>; release(): Promise<void> } {
  users++;
  return {
    engine: () => (made ??= createEngine({ threads: 1, backend: 'webgpu', gpu: source, warmUp: 'off' })),
    async release() {
      if (--users === 0) (await made)?.dispose();
    },
  };
}
