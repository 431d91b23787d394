// As traverseInTurn, of meshes paired with themselves.
import { SELF } from '../narrowphase/kinds';
import { runInTurn } from './traverseInTurn';

/** The slice is ignored: one thread runs all lists. */
export function traverseInTurnSelf(jobAt: usize, begin: u32, end: u32): void {
  runInTurn(SELF, jobAt);
}
