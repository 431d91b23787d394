// Runs the any-hit traversal (see ../narrowphase/anyHit.ts) on trees with a sphere beside each box.

import { runSearches } from '../narrowphase/anyHit';
import { SPHERES } from '../narrowphase/traversalModes';

/**
 * Slice i processes list i of front nodes. It skips the nodes of a pair of meshes as soon as any list has
 * found a hit for this pair.
 */
export function anyHitSpheres(jobAt: usize, begin: u32, end: u32): void {
  runSearches(SPHERES, jobAt, begin, end);
}
