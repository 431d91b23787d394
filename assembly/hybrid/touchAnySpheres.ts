// As touchAny, of trees with spheres beside their boxes.
import { SPHERES } from '../narrowphase/kinds';
import { runSearches } from '../narrowphase/touchAny';

/** Slice i runs list i, skipping pairs that have been hit, by this list or another. */
export function touchAnySpheres(jobAt: usize, begin: u32, end: u32): void {
  runSearches(SPHERES, jobAt, begin, end);
}
