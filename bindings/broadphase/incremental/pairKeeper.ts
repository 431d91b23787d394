// What a method that finds the pairs of moving boxes, frame by frame, is given and offers.

import type { BoxPairsStats } from '../../core/stats.js';
import type { Backend } from '../../runtime/backend.js';
import type { BoxPairFinder } from '../boxPairs.js';
import type { PairList } from '../pairSort.js';
import type { Inverted, KeptBoxes } from './keptBoxes.js';
import type { PairHistory } from './pairHistory.js';

export interface PairKeeper {
  /** All boxes were replaced: the next frame's pairs are found from scratch. */
  reset(): void;
  /**
   * Makes the history's last frame this one and settles the boxes. Pairs are sorted if `order` says so and
   * the last frame's were. @throws Capacity
   */
  update(order: 'sorted' | 'any'): BoxPairsStats;
  dispose(): void;
}

/** What all methods share: one may take over from another between two frames. */
export interface KeptFrame {
  host: KeeperHost;
  boxes: KeptBoxes;
  history: PairHistory;
}

export interface KeptPairs {
  list: PairList;
  stats: BoxPairsStats;
}

/** What a keeper needs of its engine. */
export interface KeeperHost {
  backend: Backend;
  inverted: Inverted;
  /**
   * Pairs that all lists together have room for at first: at least one, for lists without room only count.
   */
  pairCapacity: number;
  /** Finds the pairs of boxes in engine memory from scratch, and sorts lists of pairs. */
  finder: Pick<BoxPairFinder, 'findAt' | 'choose' | 'sort'>;
}
