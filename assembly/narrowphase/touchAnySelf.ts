// As touchAny, of meshes paired with themselves.
import { SELF } from './kinds';
import { runSearches } from './touchAny';

/** Slice i runs list i, skipping pairs that have been hit, by this list or another. */
export function touchAnySelf(jobAt: usize, begin: u32, end: u32): void {
  runSearches(SELF, jobAt, begin, end);
}
