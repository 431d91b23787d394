// traverseInTurn for triangles within a clearance.

import { NEAR } from '../narrowphase/kinds';
import { runInTurn } from './traverseInTurn';

/** Runs all lists on one thread; the slice is ignored. */
export function traverseInTurnNear(jobAt: usize, begin: u32, end: u32): void {
  runInTurn(NEAR, jobAt);
}
