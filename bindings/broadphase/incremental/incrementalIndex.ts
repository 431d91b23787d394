// Base class of the incremental broad phases that keep a spatial index between frames: a tree of boxes or a
// linear octree.

import { StageClock } from '../../core/stageClock.js';
import type { BoxPairsStats } from '../../core/stats.js';
import { limits } from '../../records/layout.js';
import { retry } from '../../runtime/retry.js';
import type { BoxLists } from '../boxLists.js';
import { BoxSet, type BoxStats } from '../boxSet.js';
import { NO_PAIRS, type PairList } from '../pairSort.js';
import type { SweepRange } from '../slabSweep.js';
import type { IncrementalBroadPhase, IncrementalState } from './incrementalBroadPhase.js';

/** A spatial index over boxes, with the pairs that its last search found. */
interface Index {
  readonly lists: BoxLists;
  dispose(): void;
}

type Counts = Pick<BoxPairsStats, 'places' | 'changed'>;

export abstract class IncrementalIndex<I extends Index> implements IncrementalBroadPhase {
  protected readonly state: IncrementalState;
  protected readonly clock = new StageClock();
  protected index: I;
  /** Number of box tests in the last frame. */
  protected tests = 0;
  /**
   * Why the index has to be rebuilt in the next frame; undefined if updating the index for the moved boxes
   * suffices.
   */
  protected rebuildReason: 'set' | 'failed' | undefined = 'set';
  readonly #method: BoxPairsStats['method'];
  #boxSet: BoxSet;

  constructor(state: IncrementalState, method: BoxPairsStats['method']) {
    this.state = state;
    this.#method = method;
    this.index = this.makeIndex();
    this.#boxSet = new BoxSet(state.host.context);
  }

  reset(): void {
    this.rebuildReason = 'set';
  }

  update(order: 'sorted' | 'any'): BoxPairsStats {
    const { clock } = this;
    clock.start();
    const startedAt = clock.last;
    const reason = retry(
      () => this.#updateOrBuild(order),
      () => {
        this.#disposeIndex();
        this.index = this.makeIndex();
        this.#boxSet = new BoxSet(this.state.host.context);
        this.rebuildReason = 'failed';
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
  /** Counters of the index for the last frame. */
  protected abstract get counts(): Counts;
  /**
   * Updates the index for the boxes that moved, and finds the pairs. @returns how the pairs were found, for
   * `stats.reason`
   */
  protected abstract updateIncrementally(order: 'sorted' | 'any'): string;
  /** Rebuilds the index, and finds all pairs. @returns why the index was rebuilt, for `stats.reason` */
  protected abstract build(order: 'sorted' | 'any', reason?: string): string;
  /** Called for a frame in which no box has moved. */
  protected abstract skipFrame(): void;

  /** Computes the statistics of the boxes. @returns the first four arguments of the index's `build` or `run` */
  protected computeStatistics(): [BoxSet, BoxStats, number, SweepRange] {
    const { at, count } = this.state.boxes;
    const stats = this.#boxSet.adopt(at, count);
    this.clock.end('statistics');
    return [this.#boxSet, stats, limits.NOTHING, { first: 0, last: count, passiveFrom: limits.NOTHING }];
  }

  /** Capacity for the pairs of all boxes: at least the number of pairs of the last frame. */
  protected get fullCapacity(): number {
    return Math.max(this.state.host.pairCapacity, this.state.history.list.count);
  }

  /** Replaces all pairs of the history by the pairs that the index has found among all boxes. */
  protected acceptAllPairs(order: 'sorted' | 'any'): void {
    this.clock.end('search');
    this.state.history.replaceAll(this.#found(order), order);
    this.#finishFrame();
  }

  /**
   * Replaces the former pairs of the moved boxes in the history by the pairs that the index has found for
   * these boxes.
   */
  protected acceptMovedPairs(order: 'sorted' | 'any'): void {
    const { clock } = this;
    const { history, boxes } = this.state;
    clock.end('search');
    const kept = history.isSorted ? order : 'any';
    const added = this.#found(kept);
    clock.end('join');
    history.replace(boxes.movedAt, [added], kept, clock);
    this.#finishFrame();
  }

  #updateOrBuild(order: 'sorted' | 'any'): string {
    if (this.rebuildReason !== undefined) {
      const reason = this.build(order);
      this.rebuildReason = undefined;
      return reason;
    }
    if (this.state.boxes.movedCount > 0) return this.updateIncrementally(order);
    this.tests = 0;
    this.skipFrame();
    this.state.history.apply(NO_PAIRS);
    return 'no box moved';
  }

  #found(order: 'sorted' | 'any'): PairList {
    const { host, boxes } = this.state;
    const { pairs } = this.index.lists;
    return order === 'sorted' ? host.finder.sort([pairs], boxes.count) : pairs;
  }

  #finishFrame(): void {
    this.tests = this.index.lists.sum('tests');
    this.state.boxes.endFrame();
  }

  #disposeIndex(): void {
    this.index.dispose();
    this.#boxSet.dispose();
  }
}
