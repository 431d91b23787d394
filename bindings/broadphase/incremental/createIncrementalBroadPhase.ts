// Creates the incremental broad phase that implements a method.
import type { BoxPairsOptions } from '../boxPairs.js';
import { IncrementalAuto } from './incrementalAuto.js';
import type { IncrementalBroadPhase, IncrementalState } from './incrementalBroadPhase.js';
import { IncrementalOctree } from './incrementalOctree.js';
import { IncrementalSweep } from './incrementalSweep.js';
import { IncrementalTree } from './incrementalTree.js';
import { PersistentSweep } from './persistentSweep.js';

/** Method that finds the pairs of moving boxes. */
export type BroadPhaseMethod = NonNullable<BoxPairsOptions['method']> | 'sap-persistent';

export function createIncrementalBroadPhase(
  method: BroadPhaseMethod,
  frame: IncrementalState,
): IncrementalBroadPhase {
  if (method === 'sap-persistent') return new PersistentSweep(frame);
  if (method === 'tree') return new IncrementalTree(frame);
  if (method === 'octree') return new IncrementalOctree(frame);
  return method === 'auto' ? new IncrementalAuto(frame) : new IncrementalSweep(frame, method);
}
