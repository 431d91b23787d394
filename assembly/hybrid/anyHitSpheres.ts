// anyHit for trees with spheres beside their boxes.

import { runSearches } from '../narrowphase/anyHit';
import { SPHERES } from '../narrowphase/traversalModes';

/** Slice i runs list i and skips pairs with a known hit, found by this list or another. */
export function anyHitSpheres(jobAt: usize, begin: u32, end: u32): void {
  runSearches(SPHERES, jobAt, begin, end);
}
