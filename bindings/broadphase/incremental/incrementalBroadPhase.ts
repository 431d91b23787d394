// Defines the interface of incremental broad phases, and the state that they work on. An incremental broad
// phase finds the pairs of moving boxes in every frame, and reuses data of the last frame.

import type { BoxPairsStats } from '../../core/stats.js';
import type { EngineContext } from '../../runtime/engineContext.js';
import type { BoxPairFinder } from '../boxPairs.js';
import type { PairList } from '../pairSort.js';
import type { PairHistory } from './pairHistory.js';
import type { InvertedBoxes, TrackedBoxes } from './trackedBoxes.js';

export interface IncrementalBroadPhase {
  /** Called after all boxes were replaced: the next frame's pairs are found from scratch. */
  reset(): void;
  /**
   * Finds this frame's pairs and stores them in `history`. Then calls `endFrame` of the boxes if any have
   * moved. If `order` is 'sorted' and the last frame's pairs were sorted, this frame's pairs are sorted.
   * `history.isSorted` tells whether they are.
   * @throws Capacity
   */
  update(order: 'sorted' | 'any'): BoxPairsStats;
  dispose(): void;
}

/** State that does not depend on the method, so that the method may change between two frames. */
export interface IncrementalState {
  host: IncrementalHost;
  boxes: TrackedBoxes;
  history: PairHistory;
}

export interface FramePairs {
  list: PairList;
  stats: BoxPairsStats;
}

/** The parts of an engine that an incremental broad phase uses. */
export interface IncrementalHost {
  context: EngineContext;
  inverted: InvertedBoxes;
  /**
   * Initial capacity of all lists together, in pairs. It is at least one, because a list without capacity does
   * not store its pairs, but only counts them.
   */
  pairCapacity: number;
  /** Finds the pairs of boxes in engine memory from scratch, chooses methods, and sorts lists of pairs. */
  finder: Pick<BoxPairFinder, 'findAt' | 'choose' | 'sort'>;
}
