// Creates the incremental broad phase for a given method. An incremental broad phase finds the pairs of
// moving boxes in every frame.
import type { BoxPairsOptions } from '../boxPairs.js';
import { IncrementalAuto } from './incrementalAuto.js';
import type { IncrementalBroadPhase, IncrementalState } from './incrementalBroadPhase.js';
import { IncrementalOctree } from './incrementalOctree.js';
import { IncrementalSweep } from './incrementalSweep.js';
import { IncrementalTree } from './incrementalTree.js';
import { PersistentSweep } from './persistentSweep.js';

/**
 * Method that finds the pairs of moving boxes. 'sap-persistent' keeps sorted lists of endpoints from frame to
 * frame. Source of 'sap-persistent': Cohen et al. 1995 (I-COLLIDE); Avril, Gouranton and Arnaldi 2014,
 * section 3.1.1.
 */
export type BroadPhaseMethod = NonNullable<BoxPairsOptions['method']> | 'sap-persistent';

export function createIncrementalBroadPhase(
  method: BroadPhaseMethod,
  state: IncrementalState,
): IncrementalBroadPhase {
  if (method === 'sap-persistent') return new PersistentSweep(state);
  if (method === 'tree') return new IncrementalTree(state);
  if (method === 'octree') return new IncrementalOctree(state);
  return method === 'auto' ? new IncrementalAuto(state) : new IncrementalSweep(state, method);
}
