// anyHit for meshes paired with themselves.

import { runSearches } from './anyHit';
import { SELF } from './traversalModes';

/** Slice i runs list i and skips pairs with a known hit, found by this list or another. */
export function anyHitSelf(jobAt: usize, begin: u32, end: u32): void {
  runSearches(SELF, jobAt, begin, end);
}
