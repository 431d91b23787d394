// Boxes that move, in a spatial index that is kept between frames -> their pairs: what a tree of hulls and a
// linear octree share.

import { StageClock } from '../../core/stageClock.js';
import type { BoxPairsStats } from '../../core/stats.js';
import { limits } from '../../records/layout.js';
import { retry } from '../../runtime/retry.js';
import type { BoxLists } from '../boxLists.js';
import { BoxSet, type BoxStats } from '../boxSet.js';
import { NO_PAIRS, type PairList } from '../pairSort.js';
import type { SweepRange } from '../slabSweep.js';
import type { KeptFrame, PairKeeper } from './pairKeeper.js';

/** An index over boxes, and the pairs that its last search found. */
interface Index {
  readonly lists: BoxLists;
  dispose(): void;
}

type Counts = Pick<BoxPairsStats, 'places' | 'changed'>;

export abstract class IndexKeeper<I extends Index> implements PairKeeper {
  protected readonly frame: KeptFrame;
  protected readonly clock = new StageClock();
  protected index: I;
  /** Tests of the last frame. */
  protected tests = 0;
  /** Why the index does not fit the boxes, if so. */
  protected stale: 'set' | 'failed' | undefined = 'set';
  readonly #method: BoxPairsStats['method'];
  #survey: BoxSet;

  constructor(frame: KeptFrame, method: BoxPairsStats['method']) {
    this.frame = frame;
    this.#method = method;
    this.index = this.makeIndex();
    this.#survey = new BoxSet(frame.host.backend);
  }

  reset(): void {
    this.stale = 'set';
  }

  update(order: 'sorted' | 'any'): BoxPairsStats {
    const { clock } = this;
    clock.start();
    const startedAt = clock.last;
    const reason = retry(
      () => this.#followOrBuild(order),
      () => {
        this.#disposeIndex();
        this.index = this.makeIndex();
        this.#survey = new BoxSet(this.frame.host.backend);
        this.stale = 'failed';
      },
    );
    clock.end('join');
    return {
      method: this.#method,
      reason,
      tests: this.tests,
      ...this.counts,
      milliseconds: clock.last - startedAt,
      stages: clock.stages,
    };
  }

  dispose(): void {
    this.#disposeIndex();
  }

  protected abstract makeIndex(): I;
  /** What the index counted in the last frame. */
  protected abstract get counts(): Counts;
  /** Brings the movers to their places in an index that fits. @returns how pairs were found */
  protected abstract follow(order: 'sorted' | 'any'): string;
  /** Finds all pairs by an index made from scratch. @returns why */
  protected abstract build(order: 'sorted' | 'any', reason?: string): string;
  /** No box has moved. */
  protected abstract rest(): void;

  /** The boxes as `build` of an index takes them. */
  protected look(): [BoxSet, BoxStats, number, SweepRange] {
    const { at, count } = this.frame.boxes;
    const stats = this.#survey.adopt(at, count);
    this.clock.end('survey');
    return [this.#survey, stats, limits.NOTHING, { first: 0, last: count, bystandersFrom: limits.NOTHING }];
  }

  /** Room for the pairs of all boxes: at least as many as the last frame had. */
  protected get roomForAll(): number {
    return Math.max(this.frame.host.pairCapacity, this.frame.history.list.count);
  }

  /** The index has found the pairs of all boxes. */
  protected takeAll(order: 'sorted' | 'any'): void {
    this.clock.end('search');
    this.frame.history.begin(this.#found(order), order);
    this.#settle();
  }

  /** The index has found the pairs of the movers: those take the place of the pairs that they had. */
  protected takeMovers(order: 'sorted' | 'any'): void {
    const { clock } = this;
    const { history, boxes } = this.frame;
    clock.end('search');
    const kept = history.isSorted ? order : 'any';
    const added = this.#found(kept);
    clock.end('join');
    history.replace(boxes.movedAt, [added], kept, clock);
    this.#settle();
  }

  #followOrBuild(order: 'sorted' | 'any'): string {
    if (this.stale !== undefined) {
      const reason = this.build(order);
      this.stale = undefined;
      return reason;
    }
    if (this.frame.boxes.movedCount > 0) return this.follow(order);
    this.tests = 0;
    this.rest();
    this.frame.history.apply(NO_PAIRS);
    return 'no box moved';
  }

  #found(order: 'sorted' | 'any'): PairList {
    const { host, boxes } = this.frame;
    const { pairs } = this.index.lists;
    return order === 'sorted' ? host.finder.sort([pairs], boxes.count) : pairs;
  }

  #settle(): void {
    this.tests = this.index.lists.sum('tests');
    this.frame.boxes.settle();
  }

  #disposeIndex(): void {
    this.index.dispose();
    this.#survey.dispose();
  }
}
