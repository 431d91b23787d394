// Finds out for each pair of placed meshes whether any of their triangles are within a clearance of each
// other. Runs the any-hit traversal of ../narrowphase/anyHit.ts.

import { runSearches } from '../narrowphase/anyHit';
import { NEAR } from '../narrowphase/traversalModes';

/**
 * Slice i processes list i of front nodes. It skips the remaining nodes of a pair of meshes once a hit is known
 * for this pair, from this slice or another one.
 */
export function anyHitNear(jobAt: usize, begin: u32, end: u32): void {
  runSearches(NEAR, jobAt, begin, end);
}
