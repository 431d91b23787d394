// Simulates parallel workers on one thread (see traverseSimulated.ts) in the search for triangle pairs within
// a clearance of each other.

import { NEAR } from '../narrowphase/traversalModes';
import { runSimulated } from './traverseSimulated';

/** Runs all lists on one thread; the slice is ignored. */
export function traverseSimulatedNear(jobAt: usize, begin: u32, end: u32): void {
  runSimulated(NEAR, jobAt);
}
