// Expands front nodes (see ../narrowphase/expandFront.ts) of trees that store a sphere beside each box.

import { expandSlices } from '../narrowphase/expandFront';
import { SPHERES } from '../narrowphase/traversalModes';

/** Slice i runs job i of the array of FrontJobs at `jobAt`. */
export function expandFrontSpheres(jobAt: usize, begin: u32, end: u32): void {
  expandSlices(SPHERES, jobAt, begin, end);
}
