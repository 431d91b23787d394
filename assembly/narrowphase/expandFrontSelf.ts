// Expands front nodes (see expandFront.ts) of meshes that are tested against themselves. Each pair of boxes
// is listed in only one order.

import { expandSlices } from './expandFront';
import { SELF } from './traversalModes';

/** Slice i runs job i of the array of FrontJobs at `jobAt`. */
export function expandFrontSelf(jobAt: usize, begin: u32, end: u32): void {
  expandSlices(SELF, jobAt, begin, end);
}
