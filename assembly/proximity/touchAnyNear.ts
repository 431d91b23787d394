// Like touchAny, for triangles within a clearance.

import { NEAR } from '../narrowphase/kinds';
import { runSearches } from '../narrowphase/touchAny';

/** Slice i runs list i and skips pairs that any list has already hit. */
export function touchAnyNear(jobAt: usize, begin: u32, end: u32): void {
  runSearches(NEAR, jobAt, begin, end);
}
