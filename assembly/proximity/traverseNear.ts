// As traverse, of triangles that are near each other.

import { NEAR } from '../narrowphase/kinds';
import { runLists } from '../narrowphase/traverse';

/** Slice i runs list i, then takes over what others have left. */
export function traverseNear(jobAt: usize, begin: u32, end: u32): void {
  runLists(NEAR, jobAt, begin, end);
}
