// Creates the incremental broad phase for the name of a method.
import type { BoxPairsOptions } from '../boxPairs.js';
import { ChoosingKeeper } from './choosingKeeper.js';
import { Movers } from './movers.js';
import { OctreeKeeper } from './octreeKeeper.js';
import type { KeptFrame, PairKeeper } from './pairKeeper.js';
import { PersistentSweep } from './persistentSweep.js';
import { TreeKeeper } from './treeKeeper.js';

/** Method that finds the pairs of moving boxes. */
export type KeptMethod = NonNullable<BoxPairsOptions['method']> | 'sap-persistent';

export function makeKeeper(method: KeptMethod, frame: KeptFrame): PairKeeper {
  if (method === 'sap-persistent') return new PersistentSweep(frame);
  if (method === 'tree') return new TreeKeeper(frame);
  if (method === 'octree') return new OctreeKeeper(frame);
  return method === 'auto' ? new ChoosingKeeper(frame) : new Movers(frame, method);
}
