// Runs the any-hit traversal (see anyHit.ts) on meshes that are tested against themselves.

import { runSearches } from './anyHit';
import { SELF } from './traversalModes';

/** Slice i processes list i, and skips pairs for which this list or another has already found a hit. */
export function anyHitSelf(jobAt: usize, begin: u32, end: u32): void {
  runSearches(SELF, jobAt, begin, end);
}
