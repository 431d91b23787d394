// As traverseInTurn, of triangles that are near each other.

import { NEAR } from '../narrowphase/kinds';
import { runInTurn } from './traverseInTurn';

/** The slice is ignored: one thread runs all lists. */
export function traverseInTurnNear(jobAt: usize, begin: u32, end: u32): void {
  runInTurn(NEAR, jobAt);
}
