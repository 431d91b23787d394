// The name of a method -> what keeps its state between frames.
import type { BoxPairsOptions } from '../boxPairs.js';
import { ChoosingKeeper } from './choosingKeeper.js';
import { Movers } from './movers.js';
import { OctreeKeeper } from './octreeKeeper.js';
import type { PairHistory } from './pairHistory.js';
import type { KeeperHost, PairKeeper } from './pairKeeper.js';
import { PersistentSweep } from './persistentSweep.js';
import { TreeKeeper } from './treeKeeper.js';

/** How pairs of boxes that move are found. */
export type KeptMethod = NonNullable<BoxPairsOptions['method']> | 'sap-persistent';

export function makeKeeper(host: KeeperHost, history: PairHistory, method: KeptMethod): PairKeeper {
  if (method === 'sap-persistent') return new PersistentSweep(host, history);
  if (method === 'tree') return new TreeKeeper(host, history);
  if (method === 'octree') return new OctreeKeeper(host, history);
  return method === 'auto' ? new ChoosingKeeper(host, history) : new Movers(host, history, method);
}
