// touchAny for trees with spheres beside their boxes.
import { SPHERES } from '../narrowphase/kinds';
import { runSearches } from '../narrowphase/touchAny';

/** Slice i runs list i and skips pairs with a known hit, found by this list or another. */
export function touchAnySpheres(jobAt: usize, begin: u32, end: u32): void {
  runSearches(SPHERES, jobAt, begin, end);
}
