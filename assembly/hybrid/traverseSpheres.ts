// traverse for trees with spheres beside their boxes.
import { SPHERES } from '../narrowphase/traversalModes';
import { runLists } from '../narrowphase/traverse';

/** Slice i runs list i, then steals nodes from other lists. */
export function traverseSpheres(jobAt: usize, begin: u32, end: u32): void {
  runLists(SPHERES, jobAt, begin, end);
}
