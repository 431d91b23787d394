// The kernel `traverseSimulated` for triangles within a clearance.

import { NEAR } from '../narrowphase/traversalModes';
import { runSimulated } from './traverseSimulated';

/** Runs all lists on one thread; the slice is ignored. */
export function traverseSimulatedNear(jobAt: usize, begin: u32, end: u32): void {
  runSimulated(NEAR, jobAt);
}
