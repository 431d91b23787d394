// traverseInTurn for trees with spheres beside their boxes.
import { SPHERES } from '../narrowphase/kinds';
import { runInTurn } from './traverseInTurn';

/** Runs all lists on one thread; the slice is ignored. */
export function traverseInTurnSpheres(jobAt: usize, begin: u32, end: u32): void {
  runInTurn(SPHERES, jobAt);
}
