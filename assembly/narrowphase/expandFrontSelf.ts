// expandFront for meshes paired with themselves: each two boxes form one pair.

import { expandSlices } from './expandFront';
import { SELF } from './traversalModes';

/** Slice i runs job i of an array. */
export function expandFrontSelf(jobAt: usize, begin: u32, end: u32): void {
  expandSlices(SELF, jobAt, begin, end);
}
