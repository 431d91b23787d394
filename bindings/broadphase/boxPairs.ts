// Finds all pairs of overlapping boxes: checks the options, runs the chosen method and joins the lists of all
// threads into one result.

import { Capacity, Unsupported } from '../core/errors.js';
import type { PairsCopy } from '../core/results.js';
import { StageClock } from '../core/stageClock.js';
import type { BoxPairsStats } from '../core/stats.js';
import { limits } from '../records/layout.js';
import type { EngineContext } from '../runtime/engineContext.js';
import { RetryingScratch } from '../runtime/retry.js';
import { BoxSample } from './boxSample.js';
import { BoxSet, type BoxStats, checkBoxes, checkCount, checkNotDetached, refuseInverted } from './boxSet.js';
import { BoxTree } from './boxTree.js';
import { CellSweep } from './cellSweep.js';
import { type Choice, chooseMethod } from './chooseMethod.js';
import { FewBoxesSweep, MAX_FEW_BOXES } from './fewBoxesSweep.js';
import { LinearOctree } from './octree/octree.js';
import { NO_PAIRS, type PairList, PairSort } from './pairSort.js';
import { SlabSweep, type SweepRange } from './slabSweep.js';

/**
 * Method that finds the pairs; all methods find the same pairs. 'sap' is sweep and prune in slabs, 'cells' is
 * sweep and prune in cells that hold about the same number of boxes, 'octree' is a linear octree, and 'tree'
 * is a bounding volume hierarchy. Source: Avril, Gouranton and Arnaldi 2014, section 4 ('sap'); Lucchesi 2002
 * ('octree').
 */
export type Method = 'sap' | 'cells' | 'octree' | 'tree';

/** Options of `boxPairs`. All are optional. */
export interface BoxPairsOptions {
  /**
   * A second set of boxes, six floats each, in the same frame and units as the first set. Each pair then has
   * one box from each set. Default: pairs are found within the first set.
   */
  against?: Float32Array;
  /**
   * Method that finds the pairs; all methods find the same pairs. The default 'auto' chooses 'sap' or 'cells',
   * by the number and the sizes of the boxes. If these do not decide, it estimates the cost of both methods
   * from a sample of the boxes. `stats` has the chosen method and the reason.
   */
  method?: 'auto' | Method;
  /** Order of the pairs. The default 'sorted' sorts by a, then by b; 'any' skips the sort. */
  order?: 'sorted' | 'any';
  /**
   * Whether pairs are only counted. If true, `a` and `b` of the result stay empty. Counts above 2^32 are
   * exact, too. Default false.
   */
  countOnly?: boolean;
  /**
   * Called for each chunk of the pairs, in ascending order of a. Use it for results that are too large for
   * memory. If it is passed, `a` and `b` of the result stay empty.
   */
  forEachChunk?: (chunk: PairsCopy) => void;
  /**
   * Maximum number of pairs per chunk. All pairs with the same a are in one chunk, so a chunk is larger if one
   * box alone has more pairs. A chunk has the pairs whose a lies in one range of boxes. For each chunk, the
   * boxes of its range are tested against all later boxes, or against all boxes of `against`, so a few large
   * chunks are faster than many small ones. Default 2^20.
   */
  chunkPairs?: number;
}

/**
 * Options for boxes in engine memory. passiveFrom: boxes from this index on are not tested against each
 * other. secondFrom: boxes from this index on are a second set, and each pair has one box from each set.
 */
export interface FindOptions extends Pick<BoxPairsOptions, 'method' | 'order'> {
  passiveFrom?: number;
  secondFrom?: number;
}

/**
 * Progress of a stream of chunks. first: the first box of the next range. width: the number of boxes in that
 * range. total: the number of pairs so far.
 */
interface Progress {
  first: number;
  width: number;
  total: number;
}

/**
 * A list of pairs, and the number of pairs that were found. The list is empty if the pairs were only counted
 * or were delivered in chunks.
 */
interface Pairs {
  list: PairList;
  found: number;
}
export interface FoundPairs extends Pairs {
  stats: BoxPairsStats;
}
/**
 * Pairs whose statistics are built on demand. Call `readStats` before the finder's next search, because that
 * search resets the counters.
 */
export interface LazyStatsPairs extends Pairs {
  readStats(): BoxPairsStats;
}

const REQUESTED: Choice = { method: 'sap', reason: 'requested' };
/** Placeholder for the progress of a search that delivers no chunks. Such a search does not use it. */
const ONCE: Progress = { first: 0, width: 0, total: 0 };
const CHUNK_PAIRS = 2 ** 20;
/** Maximum capacity, in pairs, that is reserved before any pairs have been counted. */
const MAX_INITIAL_CAPACITY = 2 ** 22;

/** Finds pairs of boxes for one engine, and keeps its working memory between calls. */
export class BoxPairFinder {
  readonly #context: EngineContext;
  readonly #scratch: RetryingScratch<Systems>;
  #choice: { method: Method; readonly reason: string } = { method: 'sap', reason: '' };
  /** The implementation of the method that ran last. It holds the counters and the pairs of that run. */
  #searcher: Searcher;
  readonly #clock = new StageClock();
  #isStreaming = false;
  readonly #initialCapacity: number | undefined;

  /**
   * initialCapacity: initial capacity of the lists, in pairs. Without it, the capacity is estimated from the
   * number and the sizes of the boxes.
   */
  constructor(context: EngineContext, initialCapacity?: number) {
    this.#context = context;
    this.#initialCapacity = initialCapacity;
    this.#scratch = new RetryingScratch(() => makeSystems(context, this.#clock));
    this.#searcher = this.#scratch.systems.sap;
  }

  /** Finds the pairs of a caller's boxes, six floats each. @throws InvalidBoxes, Unsupported, Capacity */
  find(boxes: Float32Array, callerOptions: BoxPairsOptions): LazyStatsPairs {
    const options = readBoxPairs(boxes, callerOptions);
    this.#refuseWhileStreaming();
    try {
      return this.#findFew(boxes, options) ?? this.#findMany(boxes, options);
    } catch (error) {
      if (!(error instanceof Capacity) || options.countOnly || options.forEachChunk) throw error;
      throw new Capacity(
        error.message,
        'pass forEachChunk or countOnly, or raise maximumMemoryBytes in createEngine',
        error.neededBytes,
      );
    }
  }

  #findMany(boxes: Float32Array, options: BoxPairsOptions): LazyStatsPairs {
    // The progress is kept outside of the function that is retried if a worker is lost, so that no chunk is
    // delivered twice.
    const progress = { first: 0, width: boxes.length / 6, total: 0 };
    const startedAt = performance.now();
    const pairs = this.#scratch.run(() => {
      this.#clock.start();
      return this.#search(this.#take(boxes, options.against), options, progress);
    });
    return this.#result(pairs, startedAt);
  }

  // Copies the boxes and computes their statistics. Rejects inverted boxes (min above max), which are most
  // likely a mistake of the caller. The kernels treat inverted boxes as empty, because scenes store empty
  // boxes in this form.
  #take(boxes: Float32Array, against: Float32Array | undefined): BoxStats {
    const stats = this.#boxes.take(boxes, against);
    if (stats.count < this.#boxes.count) {
      refuseInverted('boxes', boxes);
      if (against) refuseInverted('against', against);
    }
    return stats;
  }

  // The fast path for up to MAX_FEW_BOXES boxes: sweep and prune in slabs, on one thread. If 'auto' chooses
  // another method, that method runs instead. Returns undefined if the fast path is not possible; the caller
  // then calls `#findMany`. It is not possible with some options, with too many boxes, on several threads, with
  // an invalid box, or if there is too little memory for the maximum number of box copies.
  #findFew(boxes: Float32Array, options: BoxPairsOptions): LazyStatsPairs | undefined {
    const { against, method = 'auto', order = 'sorted', countOnly, forEachChunk } = options;
    const { pool } = this.#context;
    const count = (boxes.length + (against?.length ?? 0)) / 6;
    if (
      count > MAX_FEW_BOXES ||
      (method !== 'auto' && method !== 'sap') ||
      forEachChunk ||
      pool.threadCount > 1
    )
      return undefined;
    const search = ({ few, sample, boxes: set }: Systems): LazyStatsPairs | undefined => {
      const clock = this.#clock;
      clock.start();
      const startedAt = clock.last;
      const stats = few.take(boxes, against);
      if (!stats) return undefined;
      const choice = (this.#choice =
        method === 'sap' ? REQUESTED : chooseMethod(stats, () => sample.take(few, stats, few.scratchAt)));
      clock.end('statistics');
      if (choice.method !== 'sap') {
        set.use(few);
        return this.#result(this.#search(stats, options, ONCE, choice), startedAt);
      }
      this.#searcher = few;
      few.sweep(countOnly ? undefined : () => this.#capacityFor(stats));
      clock.end('search');
      return this.#result(
        { list: countOnly ? NO_PAIRS : this.#collect(few, order), found: few.lists.sum('found') },
        startedAt,
      );
    };
    try {
      return this.#scratch.run(search);
    } catch (error) {
      if (!(error instanceof Capacity)) throw error;
      checkNotDetached(boxes, against, count);
      return undefined;
    }
  }

  /** Finds the pairs of boxes in engine memory. @throws Capacity */
  findAt(boxesAt: number, count: number, options: FindOptions = {}): FoundPairs {
    this.#refuseWhileStreaming();
    const startedAt = performance.now();
    const pairs = this.#scratch.run(() => {
      this.#clock.start();
      return this.#search(this.#boxes.adopt(boxesAt, count, options.secondFrom), options, ONCE);
    });
    const { list, found, readStats: summarize } = this.#result(pairs, startedAt);
    // Build the statistics now, because the caller makes further calls before it reads them.
    return { list, found, stats: summarize() };
  }

  /** Chooses the faster of 'sap' and 'cells' for boxes in engine memory. @throws Capacity */
  choose(boxesAt: number, count: number): Choice {
    this.#refuseWhileStreaming();
    return this.#scratch.run(() => this.#chooseFor(this.#boxes.adopt(boxesAt, count)));
  }

  /**
   * Merges lists of pairs into one sorted list. All box numbers in the pairs are below `bound`. @throws
   * Capacity
   */
  sort(lists: readonly PairList[], bound: number): PairList {
    this.#refuseWhileStreaming();
    return this.#scratch.run(({ sorter }) => sorter.sort(lists, bound, bound));
  }

  #result({ list, found }: Pairs, startedAt: number): LazyStatsPairs {
    const choice = this.#choice;
    const system = this.#searcher;
    const { stages, last } = this.#clock;
    let stats: BoxPairsStats | undefined;
    return { list, found, readStats: () => (stats ??= summarize(choice, system, last - startedAt, stages)) };
  }

  #refuseWhileStreaming(): void {
    if (this.#isStreaming)
      throw new Unsupported(
        'the engine was called from within forEachChunk',
        'store the chunk, and call the engine after the last chunk',
      );
  }

  dispose(): void {
    this.#scratch.dispose();
  }

  get #boxes(): BoxSet {
    return this.#scratch.systems.boxes;
  }

  // Finds the pairs among the boxes of `#boxes`. choice: the method, if it was chosen already.
  #search(
    stats: BoxStats,
    options: BoxPairsOptions & FindOptions,
    progress: Progress,
    choice?: Choice,
  ): Pairs {
    const { firstCount, count } = this.#boxes;
    const secondFrom = options.against || options.secondFrom !== undefined ? firstCount : limits.NOTHING;
    this.#setMethod(options.method, stats, choice);
    this.#clock.end('statistics');
    let found = 0;
    let list = NO_PAIRS;
    if (options.forEachChunk)
      found = this.#stream(
        stats,
        secondFrom,
        options.forEachChunk,
        options.chunkPairs ?? CHUNK_PAIRS,
        progress,
      );
    else {
      this.#run(
        stats,
        secondFrom,
        { first: 0, last: count, passiveFrom: options.passiveFrom ?? firstCount },
        options.countOnly ? 0 : this.#capacityFor(stats),
      );
      found = this.#searcher.lists.sum('found');
      if (!options.countOnly) list = this.#collect(this.#boxes, options.order ?? 'sorted');
    }
    return { list, found };
  }

  #collect({ firstCount, count }: Pick<BoxSet, 'firstCount' | 'count'>, order: 'sorted' | 'any'): PairList {
    const {
      lists: { pairs },
    } = this.#searcher;
    const {
      systems: { sorter },
    } = this.#scratch;
    const list =
      order === 'any'
        ? pairs
        : sorter.sort([pairs], firstCount, count === firstCount ? count : count - firstCount);
    this.#clock.end('join');
    return list;
  }

  #capacityFor(stats: BoxStats): number {
    return Math.max(1, this.#initialCapacity ?? estimateCapacity(stats));
  }

  #run(stats: BoxStats, secondFrom: number, range: SweepRange, capacity: number): void {
    this.#scratch.systems[this.#choice.method].run(this.#boxes, stats, secondFrom, range, capacity);
    this.#clock.end('search');
  }

  // Delivers the pairs in chunks. A chunk has all pairs whose box a is in one range of boxes. If there is only
  // one set, the boxes of the range are tested against each other and against all boxes after the range. If
  // there are two sets, they are tested against the second set. The pairs of a range are counted first; if
  // there are too many, a narrower range is tried.
  #stream(
    stats: BoxStats,
    secondFrom: number,
    forEachChunk: (chunk: PairsCopy) => void,
    chunkPairs: number,
    progress: Progress,
  ): number {
    const { firstCount, count } = this.#boxes;
    // Without boxes in the first set there are no pairs. This call only resets the counters, which would
    // otherwise keep the values of the last run.
    if (firstCount === 0) this.#countRange(stats, secondFrom, { first: 0, last: count, passiveFrom: 0 });
    while (progress.first < firstCount) {
      const { first, width } = progress;
      const range = { first, last: count, passiveFrom: Math.min(first + width, firstCount) };
      const found = this.#countRange(stats, secondFrom, range);
      progress.width = Math.max(1, Math.floor(width * Math.min(2, chunkPairs / Math.max(1, found))));
      if (found > chunkPairs && width > 1) continue;
      const chunk = found > 0 ? this.#copyRange(stats, secondFrom, range, found) : undefined;
      progress.total += found;
      progress.first = range.passiveFrom;
      if (chunk) this.#deliver(chunk, forEachChunk);
    }
    return progress.total;
  }

  #copyRange(stats: BoxStats, secondFrom: number, range: SweepRange, count: number): PairsCopy {
    this.#run(stats, secondFrom, range, count);
    const { aAt, bAt } = this.#collect(this.#boxes, 'sorted');
    const { u32 } = this.#context.arena;
    return { count, a: u32.slice(aAt / 4, aAt / 4 + count), b: u32.slice(bAt / 4, bAt / 4 + count) };
  }

  #deliver(chunk: PairsCopy, forEachChunk: (chunk: PairsCopy) => void): void {
    this.#isStreaming = true;
    try {
      forEachChunk(chunk);
    } finally {
      this.#isStreaming = false;
    }
    this.#clock.skip();
  }

  #countRange(stats: BoxStats, secondFrom: number, range: SweepRange): number {
    this.#run(stats, secondFrom, range, 0);
    return this.#searcher.lists.sum('found');
  }

  #setMethod(method: BoxPairsOptions['method'] = 'auto', stats: BoxStats, choice?: Choice): void {
    this.#choice =
      choice ?? (method === 'auto' ? this.#chooseFor(stats) : { method, reason: REQUESTED.reason });
    this.#searcher = this.#scratch.systems[this.#choice.method];
  }

  #chooseFor(stats: BoxStats): Choice {
    return chooseMethod(stats, () => this.#scratch.systems.sample.take(this.#boxes, stats));
  }
}

const summarize = (
  { method, reason }: { method: Method; readonly reason: string },
  { lists, placeCount }: Searcher,
  milliseconds: number,
  stages: BoxPairsStats['stages'],
): BoxPairsStats => ({ method, reason, tests: lists.sum('tests'), places: placeCount, milliseconds, stages });

const makeSystems = (context: EngineContext, clock: StageClock) => ({
  boxes: new BoxSet(context),
  few: new FewBoxesSweep(context, clock),
  sap: new SlabSweep(context, clock),
  octree: new LinearOctree(context, clock),
  tree: new BoxTree(context, clock),
  cells: new CellSweep(context, clock),
  sorter: new PairSort(context),
  sample: new BoxSample(context),
});
type Systems = ReturnType<typeof makeSystems>;
type Searcher = Pick<Systems[Method | 'few'], 'lists' | 'placeCount'>;

// An estimate suffices: if the capacity is too small, the pairs are counted and the search runs again.
const estimateCapacity = ({ count, expectedPairs }: BoxStats): number =>
  Math.max(1, Math.min(MAX_INITIAL_CAPACITY, Math.ceil(1.25 * expectedPairs) + count));

/**
 * Checks the boxes, and checks that no two options exclude each other. Each option is read only once.
 * @returns a copy of the options.
 * @throws InvalidBoxes, Unsupported
 */
export function readBoxPairs(
  boxes: Float32Array,
  { against, method, order, countOnly, forEachChunk, chunkPairs }: BoxPairsOptions,
): BoxPairsOptions {
  checkBoxes('boxes', boxes);
  if (against !== undefined) {
    checkBoxes('against', against);
    checkCount((boxes.length + against.length) / 6);
  }
  if (forEachChunk && countOnly)
    throw new Unsupported('countOnly and forEachChunk cannot be combined', 'pass only one of them');
  return { against, method, order, countOnly, forEachChunk, chunkPairs };
}
