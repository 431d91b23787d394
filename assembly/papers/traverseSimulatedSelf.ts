// Simulates parallel workers on one thread (see traverseSimulated.ts) for meshes that are tested against
// themselves.
import { SELF } from '../narrowphase/traversalModes';
import { runSimulated } from './traverseSimulated';

/** Runs all lists on one thread; the slice is ignored. */
export function traverseSimulatedSelf(jobAt: usize, begin: u32, end: u32): void {
  runSimulated(SELF, jobAt);
}
