// All scenes of `pfront bench`, in the order of its list. Only the command loads them.
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
