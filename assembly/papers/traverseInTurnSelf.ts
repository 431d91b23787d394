// traverseInTurn for meshes paired with themselves.
import { SELF } from '../narrowphase/kinds';
import { runInTurn } from './traverseInTurn';

/** Runs all lists on one thread; the slice is ignored. */
export function traverseInTurnSelf(jobAt: usize, begin: u32, end: u32): void {
  runInTurn(SELF, jobAt);
}
