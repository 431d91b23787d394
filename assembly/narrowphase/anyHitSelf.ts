// Runs the any-hit traversal (see anyHit.ts) on meshes that are tested against themselves.

import { runSearches } from './anyHit';
import { SELF } from './traversalModes';

/**
 * Slice i processes list i of front nodes. It skips a front node if a hit is already known, from this slice or
 * another one, for the front node's pair (a mesh and itself).
 */
export function anyHitSelf(jobAt: usize, begin: u32, end: u32): void {
  runSearches(SELF, jobAt, begin, end);
}
