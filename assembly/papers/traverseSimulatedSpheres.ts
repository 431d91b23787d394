// The kernel `traverseSimulated` for trees with spheres beside their boxes.
import { SPHERES } from '../narrowphase/traversalModes';
import { runSimulated } from './traverseSimulated';

/** Runs all lists on one thread; the slice is ignored. */
export function traverseSimulatedSpheres(jobAt: usize, begin: u32, end: u32): void {
  runSimulated(SPHERES, jobAt);
}
