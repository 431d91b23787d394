// Incremental broad phase on a linear octree: keeps the sorted octants of the last frame, and merges the
// changed octants into them (Lucchesi, section 6.2, item 4). If few boxes have moved, only octants that
// overlap an octant of a moved box are scanned.

import { LinearOctree } from '../octree/octree.js';
import type { IncrementalState } from './incrementalBroadPhase.js';
import { IncrementalIndex } from './incrementalIndex.js';

/**
 * If more than this fraction of all octants has changed (removed and inserted octants together), sorting all
 * octants is faster than merging.
 */
export const MAX_CHANGED = 0.5;
/** If more than this fraction of all boxes has moved, all pairs are found from scratch. */
const MAX_MOVED = 0.2;
/** The grid is recreated if the number of tests has grown by more than this factor since it was created. */
export const MAX_TEST_GROWTH = 1.5;
/** This number of tests per box is added to the limit that MAX_TEST_GROWTH gives. */
export const FEW_TESTS = 16;

export class IncrementalOctree extends IncrementalIndex<LinearOctree> {
  /** Number of tests when the grid was created. */
  #initialTests = 0;
  /** Whether the last frame needed so many tests that the grid has to be recreated. */
  #isCrowded = false;
  protected readonly counts = { places: 0, changed: 0 };

  constructor(state: IncrementalState) {
    super(state, 'octree');
  }

  protected makeIndex(): LinearOctree {
    return new LinearOctree(this.state.host.context, this.clock);
  }

  protected skipFrame(): void {
    this.counts.places = this.counts.changed = 0;
  }

  protected build(order: 'sorted' | 'any', reason?: string): string {
    const { index } = this;
    index.run(...this.computeStatistics(), this.fullCapacity);
    this.acceptAllPairs(order);
    this.#count(index.octants.count);
    this.#initialTests = this.tests;
    this.#isCrowded = false;
    return (
      reason ??
      `${this.rebuildReason === 'failed' ? 'the last frame failed' : 'boxes were set'}: all octants were sorted`
    );
  }

  protected updateIncrementally(order: 'sorted' | 'any'): string {
    const { boxes, host } = this.state;
    const { index } = this;
    if (this.#isCrowded)
      return this.build(
        order,
        'box tests had increased too much: the grid was recreated, and all octants were sorted',
      );
    const isAll = boxes.movedCount > MAX_MOVED * boxes.count;
    const octantUpdate = index.update(
      boxes.movedAt,
      MAX_CHANGED,
      isAll ? 'all' : 'movers',
      isAll ? this.fullCapacity : host.pairCapacity,
    );
    if (isAll) this.acceptAllPairs(order);
    else this.acceptMovedPairs(order);
    this.#count(index.octants.changed);
    this.#isCrowded = this.tests > MAX_TEST_GROWTH * this.#initialTests + FEW_TESTS * boxes.count;
    const octants =
      octantUpdate === 'merged'
        ? 'sorted octants of the last frame were reused'
        : 'too many octants changed, so all octants were sorted';
    return isAll ? octants : `${octants}; pairs of boxes that did not move were kept`;
  }

  #count(changed: number): void {
    this.counts.places = this.index.placeCount;
    this.counts.changed = changed;
  }
}
