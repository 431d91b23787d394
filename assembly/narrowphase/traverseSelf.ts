// Runs the traversal of traverse.ts on meshes that are tested against themselves. Finds the pairs of
// triangles that intersect and share no vertex.
import { SELF } from './traversalModes';
import { runLists } from './traverse';

/**
 * Runs the slices begin <= i < end of a job. Slice i processes list i of front nodes, then takes nodes from
 * other lists if the job allows stealing.
 */
export function traverseSelf(jobAt: usize, begin: u32, end: u32): void {
  runLists(SELF, jobAt, begin, end);
}
