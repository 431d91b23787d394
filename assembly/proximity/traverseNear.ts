// Like traverse, for triangles within a clearance.

import { NEAR } from '../narrowphase/traversalModes';
import { runLists } from '../narrowphase/traverse';

/** Slice i runs list i, then steals nodes from other lists if the job allows it. */
export function traverseNear(jobAt: usize, begin: u32, end: u32): void {
  runLists(NEAR, jobAt, begin, end);
}
