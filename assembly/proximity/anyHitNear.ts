// Tests, from lists of front nodes, whether each pair of placed meshes has triangles within the clearance.
// Uses the traversal of anyHit.ts.

import { runSearches } from '../narrowphase/anyHit';
import { NEAR } from '../narrowphase/traversalModes';

/** Slice i runs list i. It skips pairs for which any list has already found a hit. */
export function anyHitNear(jobAt: usize, begin: u32, end: u32): void {
  runSearches(NEAR, jobAt, begin, end);
}
