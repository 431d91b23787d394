// Boxes that move, in a linear octree that is kept -> their pairs: the sorted octants of the last frame with
// those that changed merged in (Lucchesi s6.2, item 4); where few boxes moved, only octants that share space
// with a mover's are scanned.

import { LinearOctree } from '../octree/octree.js';
import { IndexKeeper } from './indexKeeper.js';
import type { KeptFrame } from './pairKeeper.js';

/**
 * Of all octants: where more have changed, counting those before and those now, sorting all of them is
 * quicker than merging.
 */
const MOST_CHANGED = 0.5;
/** Of all boxes: with more movers than this all pairs are found anew. */
const MOST_MOVERS = 0.2;
/** Times the tests when the grid was laid: then it fits no more. */
const MOST_TESTS = 1.5;
/** Tests that are few on any grid, a box. */
const FEW_TESTS = 16;

export class OctreeKeeper extends IndexKeeper<LinearOctree> {
  /** Tests of all pairs when the grid was laid. */
  #testsAtFirst = 0;
  /** Whether the last frame's tests were many more. */
  #isCrowded = false;
  protected readonly counts = { places: 0, changed: 0 };

  constructor(frame: KeptFrame) {
    super(frame, 'octree');
  }

  protected makeIndex(): LinearOctree {
    return new LinearOctree(this.frame.host.backend, this.clock);
  }

  protected rest(): void {
    this.counts.places = this.counts.changed = 0;
  }

  protected build(order: 'sorted' | 'any', reason?: string): string {
    const { index } = this;
    index.run(...this.look(), this.roomForAll);
    this.takeAll(order);
    this.#count(index.octants.count);
    this.#testsAtFirst = this.tests;
    this.#isCrowded = false;
    return (
      reason ??
      `${this.stale === 'failed' ? 'the last frame failed' : 'boxes were set'}: all octants were sorted`
    );
  }

  protected follow(order: 'sorted' | 'any'): string {
    const { boxes, host } = this.frame;
    const { index } = this;
    if (this.#isCrowded)
      return this.build(
        order,
        'boxes had crowded in the grid: it was laid anew, and all octants were sorted',
      );
    const isAll = boxes.movedCount > MOST_MOVERS * boxes.count;
    const way = index.follow(
      boxes.movedAt,
      MOST_CHANGED,
      isAll ? 'all' : 'movers',
      isAll ? this.roomForAll : host.pairCapacity,
    );
    if (isAll) this.takeAll(order);
    else this.takeMovers(order);
    this.#count(index.octants.changed);
    this.#isCrowded = this.tests > MOST_TESTS * this.#testsAtFirst + FEW_TESTS * boxes.count;
    const octants =
      way === 'merged'
        ? 'octants stayed sorted from the last frame'
        : 'too many octants changed: all were sorted';
    return isAll ? octants : `${octants}; pairs of boxes that did not move were kept`;
  }

  #count(changed: number): void {
    this.counts.places = this.index.placeCount;
    this.counts.changed = changed;
  }
}
