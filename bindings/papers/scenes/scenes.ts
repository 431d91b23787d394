// All scenes of `pfront bench`, in the order in which the command lists them. Only this command loads the
// scenes.
import { bodyScenes } from './bodyScenes.js';
import { crowdScenes } from './crowdScenes.js';
import { meshScenes } from './meshScenes.js';
import { nanorobotScenes } from './nanorobotScenes.js';
import { octreeScenes } from './octreeScenes.js';
import type { BenchScene } from './scene.js';
import { sweepScenes } from './sweepScenes.js';

export const scenes: readonly BenchScene[] = [
  ...meshScenes,
  ...sweepScenes,
  ...octreeScenes,
  ...crowdScenes,
  ...bodyScenes,
  ...nanorobotScenes,
];
