// As traverseInTurn, of triangles that are near each other.
import { runInTurn } from './traverseInTurn';
import { NEAR } from '../narrowphase/kinds';

/** The slice is ignored: one thread runs all lists. */
export function traverseInTurnNear(jobAt: usize, begin: u32, end: u32): void { runInTurn(NEAR, jobAt); }
