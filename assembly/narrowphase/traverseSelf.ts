// As traverse, of meshes paired with themselves: pairs of triangles that share a point and no vertex.
import { SELF } from './kinds';
import { runLists } from './traverse';

/** Slice i runs list i, then takes over what others have left. */
export function traverseSelf(jobAt: usize, begin: u32, end: u32): void {
  runLists(SELF, jobAt, begin, end);
}
