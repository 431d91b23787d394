// Runs the traversal of traverse.ts on meshes that are tested against themselves. Finds the pairs of
// triangles that intersect and share no vertex.
import { SELF } from './traversalModes';
import { runLists } from './traverse';

/** Slice i processes list i, then steals front nodes from other lists if the job allows it. */
export function traverseSelf(jobAt: usize, begin: u32, end: u32): void {
  runLists(SELF, jobAt, begin, end);
}
