// Finds the triangle pairs within a clearance. Apart from this, the kernel works like `traverse`, which finds
// the intersecting pairs.

import { NEAR } from '../narrowphase/traversalModes';
import { runLists } from '../narrowphase/traverse';

/** Slice i traverses the nodes of work list i, then steals nodes from other lists if the job allows it. */
export function traverseNear(jobAt: usize, begin: u32, end: u32): void {
  runLists(NEAR, jobAt, begin, end);
}
