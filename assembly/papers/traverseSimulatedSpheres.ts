// Simulates parallel workers on one thread (see traverseSimulated.ts) on trees with a sphere beside each box.
import { SPHERES } from '../narrowphase/traversalModes';
import { runSimulated } from './traverseSimulated';

/** Runs all lists on one thread; the slice is ignored. */
export function traverseSimulatedSpheres(jobAt: usize, begin: u32, end: u32): void {
  runSimulated(SPHERES, jobAt);
}
