// Boxes that move -> their pairs, frame by frame: what every method that keeps something between frames
// offers.

import type { BoxPairsStats } from '../../core/stats.js';
import type { Backend } from '../../runtime/backend.js';
import type { BoxLists } from '../boxLists.js';
import type { FindOptions, FoundPairs } from '../boxPairs.js';
import type { Choice } from '../chooseMethod.js';
import type { PairList } from '../pairSort.js';

export interface PairKeeper {
  /** Boxes that are there. */
  readonly count: number;
  /** Replaces all boxes. @throws InvalidBoxes, Capacity, with nothing changed */
  set(boxes: Float32Array): void;
  /** Moves boxes ids[k] to boxes[6 k .. 6 k + 5]. @throws InvalidBoxes, with nothing changed */
  move(ids: Uint32Array, boxes: Float32Array): void;
  /**
   * Pairs that overlap now, in memory that holds until the next call; the history that the keeper was given
   * knows what has changed. @throws Capacity
   */
  pairs(order: 'sorted' | 'any'): KeptPairs;
  dispose(): void;
}

export interface KeptPairs {
  list: PairList;
  stats: BoxPairsStats;
}

/** What a keeper needs of its engine. */
export interface KeeperHost {
  backend: Backend;
  /**
   * Whether boxes whose min is above their max are a caller's mistake, or empty boxes of bodies that are
   * gone.
   */
  inverted: 'refused' | 'empty';
  /**
   * Pairs that all lists together have room for at first: at least one, for lists without room only count.
   */
  pairCapacity: number;
  /** The method that suits boxes in engine memory. */
  choose(boxesAt: number, count: number): Choice;
  boxPairs(boxesAt: number, count: number, options: FindOptions): FoundPairs;
  /** Lists of pairs of numbers below `mostCount`, as one, sorted. */
  sort(lists: readonly PairList[], mostCount: number): PairList;
}

/** What workers found, sorted where pairs are to be. @throws Capacity */
export function pairsOf(
  lists: BoxLists,
  host: KeeperHost,
  boxCount: number,
  order: 'sorted' | 'any',
): PairList {
  return order === 'sorted' ? host.sort([lists.pairs], boxCount) : lists.pairs;
}
