// Runs the traversal that finds all intersecting triangle pairs (see ../narrowphase/traverse.ts) on trees that
// store a sphere in addition to each box.
import { SPHERES } from '../narrowphase/traversalModes';
import { runLists } from '../narrowphase/traverse';

/**
 * Runs the slices begin <= i < end of a job. Slice i processes list i of front nodes, then takes nodes from
 * other lists if the job allows stealing.
 */
export function traverseSpheres(jobAt: usize, begin: u32, end: u32): void {
  runLists(SPHERES, jobAt, begin, end);
}
