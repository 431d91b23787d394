// The kernel `traverse` for meshes paired with themselves: finds pairs of intersecting triangles that share
// no vertex.
import { SELF } from './traversalModes';
import { runLists } from './traverse';

/** Slice i runs list i, then steals nodes from other lists if the job allows it. */
export function traverseSelf(jobAt: usize, begin: u32, end: u32): void {
  runLists(SELF, jobAt, begin, end);
}
