// Finds the triangle pairs within a clearance. Apart from this, the kernel works like `traverse`, which finds
// the intersecting pairs.

import { NEAR } from '../narrowphase/traversalModes';
import { runLists } from '../narrowphase/traverse';

/**
 * Runs the slices begin <= i < end of a job. Slice i processes list i of front nodes, then takes nodes from
 * other lists if the job allows stealing.
 */
export function traverseNear(jobAt: usize, begin: u32, end: u32): void {
  runLists(NEAR, jobAt, begin, end);
}
