// Incremental broad phase on a tree of boxes: the tree is refitted to the boxes that moved, pairs of subtrees
// in which nothing has moved are skipped, and pairs of boxes that did not move are kept from the last frame.

import { boxLimits } from '../../records/boxLimits.js';
import { limits } from '../../records/layout.js';
import { BoxTree } from '../boxTree.js';
import type { IncrementalState } from './incrementalBroadPhase.js';
import { IncrementalIndex } from './incrementalIndex.js';
import { MAX_LISTED } from './trackedBoxes.js';

/**
 * The tree is rebuilt if the sum of the sizes of all hulls has grown by more than this factor since the tree
 * was built. A hull is the smallest box around the boxes of a node.
 */
const MAX_GROWTH = 1.2;
const NO_IDS = new Uint32Array(0);

export class IncrementalTree extends IncrementalIndex<BoxTree> {
  /** Sum of the hulls' sizes when the tree was built. */
  #builtSize = 0;
  /** Whether the leaves mark all boxes as unmoved, except the boxes in #previouslyMoved. */
  #hasStillMarks = false;
  #previouslyMoved = NO_IDS;

  constructor(state: IncrementalState) {
    super(state, 'tree');
  }

  /** Whether it is already certain that the next frame's pairs will be found from scratch. */
  get needsFullSearch(): boolean {
    const { movedCount, count } = this.state.boxes;
    return this.rebuildReason !== undefined || movedCount > MAX_LISTED * count;
  }

  protected makeIndex(): BoxTree {
    return new BoxTree(this.state.host.context, this.clock, 'kept');
  }

  protected get counts(): { places: number } {
    return { places: this.state.boxes.count };
  }

  protected skipFrame(): void {}

  protected build(order: 'sorted' | 'any', reason = 'the tree was built'): string {
    this.index.build(...this.computeStatistics());
    this.#hasStillMarks = false;
    this.#findAll(order);
    this.#builtSize = Math.max(this.index.size, Number.MIN_VALUE);
    return reason;
  }

  protected updateIncrementally(order: 'sorted' | 'any'): string {
    const { index } = this;
    const findsAll = this.needsFullSearch;
    if (findsAll) {
      index.pack(limits.NOTHING);
      this.#hasStillMarks = false;
    } else this.#updateMovedBoxes();
    if (index.size > MAX_GROWTH * this.#builtSize)
      return this.build(order, 'the node boxes had grown: the tree was rebuilt');
    if (findsAll) {
      this.#findAll(order);
      return 'many boxes moved: the tree was refitted, and all pairs were found from scratch';
    }
    index.findPairs(this.state.host.pairCapacity);
    this.acceptMovedPairs(order);
    return 'few boxes moved: pairs of unmoved boxes were kept';
  }

  // Copies the moved boxes to their leaves. Before that, marks the boxes that moved in the previous frame
  // (#previouslyMoved) as unmoved. If the leaves have no such marks yet, marks all boxes as unmoved instead.
  #updateMovedBoxes(): void {
    const { index } = this;
    if (this.#hasStillMarks) index.updateBoxes(this.#previouslyMoved, boxLimits.PASSIVE);
    else index.pack(0);
    this.#hasStillMarks = true;
    this.#previouslyMoved = this.state.boxes.movedIds.slice();
    index.updateBoxes(this.#previouslyMoved, 0);
    index.refitMarked();
    this.clock.end('keep');
  }

  #findAll(order: 'sorted' | 'any'): void {
    this.index.findPairs(this.fullCapacity);
    this.acceptAllPairs(order);
  }
}
