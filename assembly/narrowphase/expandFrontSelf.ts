// expandFront for meshes paired with themselves: every two boxes are paired only once.

import { expandSlices } from './expandFront';
import { SELF } from './traversalModes';

/** Slice i runs job i of an array. */
export function expandFrontSelf(jobAt: usize, begin: u32, end: u32): void {
  expandSlices(SELF, jobAt, begin, end);
}
