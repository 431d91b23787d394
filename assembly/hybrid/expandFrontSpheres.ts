// expandFront for trees with spheres beside their boxes.

import { expandSlices } from '../narrowphase/expandFront';
import { SPHERES } from '../narrowphase/traversalModes';

/** Slice i runs job i of an array. */
export function expandFrontSpheres(jobAt: usize, begin: u32, end: u32): void {
  expandSlices(SPHERES, jobAt, begin, end);
}
