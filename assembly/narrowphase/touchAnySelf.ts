// touchAny for meshes paired with themselves.
import { SELF } from './kinds';
import { runSearches } from './touchAny';

/** Slice i runs list i and skips pairs with a known hit, found by this list or another. */
export function touchAnySelf(jobAt: usize, begin: u32, end: u32): void {
  runSearches(SELF, jobAt, begin, end);
}
