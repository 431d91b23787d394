// Boxes that move, in a linear octree that is kept -> their pairs: the sorted octants of the last frame with
// those that changed merged in (Lucchesi s6.2, item 4); where few boxes moved, only octants that share space
// with a mover's are scanned.

import { StageClock } from '../../core/stageClock.js';
import { limits } from '../../records/layout.js';
import { retry } from '../../runtime/steps.js';
import { BoxSet } from '../boxSet.js';
import { LinearOctree } from '../octree/octree.js';
import { NO_PAIRS } from '../pairSort.js';
import { KeptBoxes } from './keptBoxes.js';
import type { PairHistory } from './pairHistory.js';
import { type KeeperHost, type KeptPairs, type PairKeeper, pairsOf } from './pairKeeper.js';

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

export class OctreeKeeper implements PairKeeper {
  readonly #host: KeeperHost;
  readonly #boxes: KeptBoxes;
  readonly #history: PairHistory;
  readonly #clock = new StageClock();
  #octree: LinearOctree;
  #survey: BoxSet;
  // Why the octree holds nothing that fits, if so.
  #reason: string | undefined = 'boxes were set: all octants were sorted';
  /** Tests of all pairs when the grid was laid. */
  #testsAtFirst = 0;
  /** Whether the last frame's tests were many more. */
  #isCrowded = false;
  #tests = 0;
  #places = 0;
  #changed = 0;

  constructor(host: KeeperHost, history: PairHistory) {
    this.#host = host;
    this.#history = history;
    this.#boxes = new KeptBoxes(host);
    [this.#octree, this.#survey] = this.#make();
  }

  get count(): number {
    return this.#boxes.count;
  }

  set(boxes: Float32Array): void {
    this.#boxes.set(boxes);
    this.#reason = 'boxes were set: all octants were sorted';
  }

  move(ids: Uint32Array, boxes: Float32Array): void {
    this.#boxes.move(ids, boxes);
  }

  pairs(order: 'sorted' | 'any'): KeptPairs {
    const { count } = this;
    const clock = this.#clock;
    const history = this.#history;
    const host = this.#host;
    clock.start();
    const startedAt = clock.last;
    const reason = retry(() => {
      try {
        return this.#update(order);
      } catch (error) {
        // A lost worker may still write to the octants; an error midway leaves them half merged.
        this.#octree.dispose();
        this.#survey.dispose();
        [this.#octree, this.#survey] = this.#make();
        this.#reason = 'the last frame failed: all octants were sorted';
        throw error;
      }
    });
    if (order === 'sorted' && !history.isSorted) history.begin(host.sort([history.list], count), 'sorted');
    clock.end('join');
    const tests = this.#tests;
    const places = this.#places;
    const changed = this.#changed;
    return {
      list: history.list,
      stats: {
        method: 'octree',
        reason,
        tests,
        places,
        changed,
        milliseconds: clock.last - startedAt,
        stages: clock.stages,
      },
    };
  }

  dispose(): void {
    for (const part of [this.#boxes, this.#octree, this.#survey]) part.dispose();
  }

  #make(): [LinearOctree, BoxSet] {
    return [new LinearOctree(this.#host.backend, this.#clock), new BoxSet(this.#host.backend)];
  }

  // Makes the history's last frame this one. @returns how
  #update(order: 'sorted' | 'any'): string {
    if (this.#reason !== undefined) return this.#build(this.#reason, order);
    const { count } = this;
    const boxes = this.#boxes;
    const octree = this.#octree;
    const history = this.#history;
    const { pairCapacity } = this.#host;
    this.#changed = this.#tests = this.#places = 0;
    if (boxes.movedCount === 0) {
      history.apply(NO_PAIRS);
      return 'no box moved';
    }
    if (this.#isCrowded)
      return this.#build(
        'boxes had crowded in the grid: it was laid anew, and all octants were sorted',
        order,
      );
    const whose = boxes.movedCount <= MOST_MOVERS * count ? 'movers' : 'all';
    const way = octree.follow(
      boxes.movedAt,
      MOST_CHANGED,
      whose,
      whose === 'all' ? Math.max(pairCapacity, history.list.count) : pairCapacity,
    );
    this.#clock.end('search');
    this.#changed = octree.octants.changed;
    if (whose === 'all') history.begin(pairsOf(this.#octree.lists, this.#host, this.count, order), order);
    else this.#exchange(history.isSorted ? order : 'any');
    this.#settle();
    this.#isCrowded = this.#tests > MOST_TESTS * this.#testsAtFirst + FEW_TESTS * count;
    const octants =
      way === 'merged'
        ? 'octants stayed sorted from the last frame'
        : 'too many octants changed: all were sorted';
    return whose === 'all' ? octants : `${octants}; pairs of boxes that did not move were kept`;
  }

  #build(reason: string, order: 'sorted' | 'any'): string {
    const { at, count } = this.#boxes;
    const octree = this.#octree;
    const survey = this.#survey;
    const history = this.#history;
    const { pairCapacity } = this.#host;
    const stats = survey.adopt(at, count);
    this.#clock.end('survey');
    octree.run(
      survey,
      stats,
      limits.NOTHING,
      { first: 0, last: count, bystandersFrom: limits.NOTHING },
      Math.max(pairCapacity, history.list.count),
    );
    this.#clock.end('search');
    this.#changed = octree.octants.count;
    history.begin(pairsOf(this.#octree.lists, this.#host, this.count, order), order);
    this.#settle();
    this.#testsAtFirst = this.#tests;
    this.#isCrowded = false;
    this.#reason = undefined;
    return reason;
  }

  // Pairs of movers in the place of those that they had.
  #exchange(order: 'sorted' | 'any'): void {
    const history = this.#history;
    const boxes = this.#boxes;
    const clock = this.#clock;
    const added = pairsOf(this.#octree.lists, this.#host, this.count, order);
    clock.end('join');
    history.replace(boxes.movedAt, [added], order, clock);
  }

  // The frame is over.
  #settle(): void {
    const { lists, placeCount } = this.#octree;
    const boxes = this.#boxes;
    this.#tests = lists.sum('tests');
    this.#places = placeCount;
    boxes.settle();
  }
}
