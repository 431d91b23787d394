// Runs the traversal that finds all intersecting triangle pairs (see ../narrowphase/traverse.ts) on trees
// with a sphere beside each box.
import { SPHERES } from '../narrowphase/traversalModes';
import { runLists } from '../narrowphase/traverse';

/** Slice i processes list i of front nodes, then steals nodes from other lists if the job allows it. */
export function traverseSpheres(jobAt: usize, begin: u32, end: u32): void {
  runLists(SPHERES, jobAt, begin, end);
}
