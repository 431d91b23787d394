// As touchAny, of triangles that are near each other.

import { NEAR } from '../narrowphase/kinds';
import { runSearches } from '../narrowphase/touchAny';

/** Slice i runs list i, skipping pairs that have been hit, by this list or another. */
export function touchAnyNear(jobAt: usize, begin: u32, end: u32): void {
  runSearches(NEAR, jobAt, begin, end);
}
