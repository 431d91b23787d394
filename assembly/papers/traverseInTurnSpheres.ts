// As traverseInTurn, of trees with spheres beside their boxes.
import { SPHERES } from '../narrowphase/kinds';
import { runInTurn } from './traverseInTurn';

/** The slice is ignored: one thread runs all lists. */
export function traverseInTurnSpheres(jobAt: usize, begin: u32, end: u32): void {
  runInTurn(SPHERES, jobAt);
}
