// Boxes -> the pairs that overlap: options checked, the method run, the lists made into one result.

import { Capacity, Unsupported } from '../core/errors.js';
import type { PairsCopy } from '../core/results.js';
import { StageClock } from '../core/stageClock.js';
import type { BoxPairsStats } from '../core/stats.js';
import { limits } from '../records/layout.js';
import type { Backend } from '../runtime/backend.js';
import { RetryingScratch } from '../runtime/retry.js';
import { BoxSample } from './boxSample.js';
import { BoxSet, type BoxStats, checkBoxes, checkCount, checkUnmoved, refuseInverted } from './boxSet.js';
import { BoxTree } from './boxTree.js';
import { CellSweep } from './cellSweep.js';
import { type Choice, chooseMethod } from './chooseMethod.js';
import { FewBoxes, MOST_FEW } from './fewBoxes.js';
import { LinearOctree } from './octree/octree.js';
import { NO_PAIRS, type PairList, PairSort } from './pairSort.js';
import { SlabSweep, type SweepRange } from './slabSweep.js';

/**
 * How pairs of boxes are found; the pairs are the same. 'sap': sweep and prune in slabs; 'cells': in cells of
 * about as many boxes each.
 */
export type Method = 'sap' | 'cells' | 'octree' | 'tree';

/** What boxPairs may be asked for; all may be left out. */
export interface BoxPairsOptions {
  /** A second set: pairs of one box of each. Without it, pairs within the one set. */
  against?: Float32Array;
  /**
   * How they are found; the pairs are the same. Default 'auto': the one that suits the boxes' sizes and,
   * where those do not tell, a sample of the boxes; stats say which, and why.
   */
  method?: 'auto' | Method;
  /** Default 'sorted': by a, then b. 'any' saves the sort. */
  order?: 'sorted' | 'any';
  /** Only count: `a` and `b` stay empty. Counts beyond 2^32 are exact. */
  countOnly?: boolean;
  /**
   * Is given all pairs piece by piece, in ascending ranges of a, where they are too many to hold; `a` and `b`
   * stay empty.
   */
  forEachChunk?: (chunk: PairsCopy) => void;
  /**
   * About how many pairs a chunk may have; those of one box are never cut apart. Every chunk looks at all
   * later boxes: few large ones are quicker. Default 2^20.
   */
  chunkPairs?: number;
}

/**
 * bystandersFrom: boxes from this one on are no pair among themselves; secondFrom: they are a second set,
 * pairs are of one box of each.
 */
export interface FindOptions extends Pick<BoxPairsOptions, 'method' | 'order'> {
  bystandersFrom?: number;
  secondFrom?: number;
}

/** How far a stream of chunks has come: first box of the next range, boxes in it, pairs so far. */
interface Progress {
  first: number;
  width: number;
  total: number;
}

/** Pairs, and how many there are, where they are more than the list holds. */
interface Pairs {
  list: PairList;
  found: number;
}
export interface FoundPairs extends Pairs {
  stats: BoxPairsStats;
}
/** What it cost is put together when somebody asks, before the next call. */
export interface AskedPairs extends Pairs {
  summarise(): BoxPairsStats;
}

const ASKED_FOR: Choice = { method: 'sap', reason: 'asked for' };
/** Of a run that is not a stream. */
const ONCE: Progress = { first: 0, width: 0, total: 0 };
const CHUNK_PAIRS = 2 ** 20;
/** Most pairs that a list is given room for before any was counted. */
const MOST_GUESSED = 2 ** 22;

/** One engine's box pairs: keeps its memory from call to call. */
export class BoxPairFinder {
  readonly #backend: Backend;
  readonly #own: RetryingScratch<Systems>;
  #choice: { method: Method; readonly reason: string } = { method: 'sap', reason: '' };
  /** Of the last run: what has its counters and its pairs. */
  #system: Searcher;
  readonly #clock = new StageClock();
  #isStreaming = false;
  readonly #roomAtFirst: number | undefined;

  /**
   * roomAtFirst: pairs that lists have room for, where it was asked for; else as many as the boxes' sizes
   * suggest.
   */
  constructor(backend: Backend, roomAtFirst?: number) {
    this.#backend = backend;
    this.#roomAtFirst = roomAtFirst;
    this.#own = new RetryingScratch(() => makeSystems(backend, this.#clock));
    this.#system = this.#own.systems.sap;
  }

  /** @throws InvalidBoxes, Unsupported, Capacity */
  find(boxes: Float32Array, asked: BoxPairsOptions): AskedPairs {
    const options = readBoxPairs(boxes, asked);
    this.#refuseMidway();
    try {
      return this.#findFew(boxes, options) ?? this.#findMany(boxes, options);
    } catch (error) {
      if (!(error instanceof Capacity) || options.countOnly || options.forEachChunk) throw error;
      throw new Capacity(
        error.message,
        'pass forEachChunk to have the pairs piece by piece, or countOnly; or raise maximumMemoryBytes in createEngine',
        error.neededBytes,
      );
    }
  }

  #findMany(boxes: Float32Array, options: BoxPairsOptions): AskedPairs {
    // Chunks that were given are not given again where a worker is lost later.
    const progress = { first: 0, width: boxes.length / 6, total: 0 };
    const startedAt = performance.now();
    const pairs = this.#own.run(() => {
      this.#clock.start();
      return this.#search(this.#take(boxes, options.against), options, progress);
    });
    return this.#told(pairs, startedAt);
  }

  // An inverted box is most likely a mistake. The survey takes it for an empty one, as scenes have them.
  #take(boxes: Float32Array, against: Float32Array | undefined): BoxStats {
    const stats = this.#boxes.take(boxes, against);
    if (stats.count < this.#boxes.count) {
      refuseInverted('boxes', boxes);
      if (against) refuseInverted('against', against);
    }
    return stats;
  }

  // What one thread sweeps in slabs. Nothing of the rest, and of boxes that findMany has to refuse, or that
  // have room only for the copies that there are.
  #findFew(boxes: Float32Array, options: BoxPairsOptions): AskedPairs | undefined {
    const { against, method = 'auto', order = 'sorted', countOnly, forEachChunk } = options;
    const { pool } = this.#backend;
    const count = (boxes.length + (against?.length ?? 0)) / 6;
    if (count > MOST_FEW || (method !== 'auto' && method !== 'sap') || forEachChunk || pool.threadCount > 1)
      return undefined;
    const answer = ({ few, sample, boxes: set }: Systems): AskedPairs | undefined => {
      const clock = this.#clock;
      clock.start();
      const startedAt = clock.last;
      const stats = few.take(boxes, against);
      if (!stats) return undefined;
      const choice = (this.#choice =
        method === 'sap' ? ASKED_FOR : chooseMethod(stats, () => sample.take(few, stats, few.scratchAt)));
      clock.end('survey');
      if (choice.method !== 'sap') {
        set.use(few);
        return this.#told(this.#search(stats, options, ONCE, choice), startedAt);
      }
      this.#system = few;
      few.sweep(countOnly ? undefined : () => this.#roomFor(stats));
      clock.end('search');
      return this.#told(
        { list: countOnly ? NO_PAIRS : this.#collect(few, order), found: few.lists.sum('found') },
        startedAt,
      );
    };
    try {
      return this.#own.run(answer);
    } catch (error) {
      if (!(error instanceof Capacity)) throw error;
      checkUnmoved(boxes, against, count);
      return undefined;
    }
  }

  /** Of boxes that lie in engine memory. @throws Capacity */
  findAt(boxesAt: number, count: number, options: FindOptions = {}): FoundPairs {
    this.#refuseMidway();
    const startedAt = performance.now();
    const pairs = this.#own.run(() => {
      this.#clock.start();
      return this.#search(this.#boxes.adopt(boxesAt, count, options.secondFrom), options, ONCE);
    });
    const { list, found, summarise } = this.#told(pairs, startedAt);
    // At once: the caller runs more before it reads what this cost.
    return { list, found, stats: summarise() };
  }

  /** The method that suits boxes that lie in engine memory. @throws Capacity */
  choose(boxesAt: number, count: number): Choice {
    this.#refuseMidway();
    return this.#own.run(() => this.#chooseFor(this.#boxes.adopt(boxesAt, count)));
  }

  /** Lists of pairs of numbers below mostCount -> one, sorted. @throws Capacity */
  sort(lists: readonly PairList[], mostCount: number): PairList {
    this.#refuseMidway();
    return this.#own.run(({ sorter }) => sorter.sort(lists, mostCount, mostCount));
  }

  #told({ list, found }: Pairs, startedAt: number): AskedPairs {
    const choice = this.#choice;
    const system = this.#system;
    const { stages, last } = this.#clock;
    let told: BoxPairsStats | undefined;
    return { list, found, summarise: () => (told ??= summarise(choice, system, last - startedAt, stages)) };
  }

  #refuseMidway(): void {
    if (this.#isStreaming)
      throw new Unsupported(
        'a call came from within forEachChunk',
        'keep the chunk, and call when the stream is over',
      );
  }

  dispose(): void {
    this.#own.dispose();
  }

  get #boxes(): BoxSet {
    return this.#own.systems.boxes;
  }

  // Of the boxes that lie in the set. choice: of their method, where it is known.
  #search(
    stats: BoxStats,
    options: BoxPairsOptions & FindOptions,
    progress: Progress,
    choice?: Choice,
  ): Pairs {
    const { firstCount, count } = this.#boxes;
    const secondFrom = options.against || options.secondFrom !== undefined ? firstCount : limits.NOTHING;
    this.#setMethod(options.method, stats, choice);
    this.#clock.end('survey');
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
        { first: 0, last: count, bystandersFrom: options.bystandersFrom ?? firstCount },
        options.countOnly ? 0 : this.#roomFor(stats),
      );
      found = this.#system.lists.sum('found');
      if (!options.countOnly) list = this.#collect(this.#boxes, options.order ?? 'sorted');
    }
    return { list, found };
  }

  #collect({ firstCount, count }: Pick<BoxSet, 'firstCount' | 'count'>, order: 'sorted' | 'any'): PairList {
    const {
      lists: { pairs },
    } = this.#system;
    const {
      systems: { sorter },
    } = this.#own;
    const list =
      order === 'any'
        ? pairs
        : sorter.sort([pairs], firstCount, count === firstCount ? count : count - firstCount);
    this.#clock.end('join');
    return list;
  }

  #roomFor(stats: BoxStats): number {
    return Math.max(1, this.#roomAtFirst ?? guess(stats));
  }

  #run(stats: BoxStats, secondFrom: number, range: SweepRange, capacity: number): void {
    this.#own.systems[this.#choice.method].run(this.#boxes, stats, secondFrom, range, capacity);
    this.#clock.end('search');
  }

  // Ranges of a, one after the other: the boxes of a range against all that come later. A range that finds
  // too many is cut.
  #stream(
    stats: BoxStats,
    secondFrom: number,
    forEachChunk: (chunk: PairsCopy) => void,
    chunkPairs: number,
    progress: Progress,
  ): number {
    const { firstCount, count } = this.#boxes;
    // Counters are of this run, though it has nothing to find.
    if (firstCount === 0) this.#countRange(stats, secondFrom, { first: 0, last: count, bystandersFrom: 0 });
    while (progress.first < firstCount) {
      const { first, width } = progress;
      const range = { first, last: count, bystandersFrom: Math.min(first + width, firstCount) };
      const found = this.#countRange(stats, secondFrom, range);
      progress.width = Math.max(1, Math.floor(width * Math.min(2, chunkPairs / Math.max(1, found))));
      if (found > chunkPairs && width > 1) continue;
      const chunk = found > 0 ? this.#copyRange(stats, secondFrom, range, found) : undefined;
      progress.total += found;
      progress.first = range.bystandersFrom;
      if (chunk) this.#give(chunk, forEachChunk);
    }
    return progress.total;
  }

  #copyRange(stats: BoxStats, secondFrom: number, range: SweepRange, count: number): PairsCopy {
    this.#run(stats, secondFrom, range, count);
    const { aAt, bAt } = this.#collect(this.#boxes, 'sorted');
    const { u32 } = this.#backend.arena;
    return { count, a: u32.slice(aAt / 4, aAt / 4 + count), b: u32.slice(bAt / 4, bAt / 4 + count) };
  }

  #give(chunk: PairsCopy, forEachChunk: (chunk: PairsCopy) => void): void {
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
    return this.#system.lists.sum('found');
  }

  #setMethod(method: BoxPairsOptions['method'] = 'auto', stats: BoxStats, choice?: Choice): void {
    this.#choice =
      choice ?? (method === 'auto' ? this.#chooseFor(stats) : { method, reason: ASKED_FOR.reason });
    this.#system = this.#own.systems[this.#choice.method];
  }

  #chooseFor(stats: BoxStats): Choice {
    return chooseMethod(stats, () => this.#own.systems.sample.take(this.#boxes, stats));
  }
}

const summarise = (
  { method, reason }: { method: Method; readonly reason: string },
  { lists, placeCount }: Searcher,
  milliseconds: number,
  stages: BoxPairsStats['stages'],
): BoxPairsStats => ({ method, reason, tests: lists.sum('tests'), places: placeCount, milliseconds, stages });

const makeSystems = (backend: Backend, clock: StageClock) => ({
  boxes: new BoxSet(backend),
  few: new FewBoxes(backend, clock),
  sap: new SlabSweep(backend, clock),
  octree: new LinearOctree(backend, clock),
  tree: new BoxTree(backend, clock),
  cells: new CellSweep(backend, clock),
  sorter: new PairSort(backend),
  sample: new BoxSample(backend),
});
type Systems = ReturnType<typeof makeSystems>;
type Searcher = Pick<Systems[Method | 'few'], 'lists' | 'placeCount'>;

// What is missing is counted, and made room for.
const guess = ({ count, expected }: BoxStats): number =>
  Math.max(1, Math.min(MOST_GUESSED, Math.ceil(1.25 * expected) + count));

/**
 * Checks boxes, and options that exclude each other. @returns the options, each read once. @throws
 * InvalidBoxes, Unsupported
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
    throw new Unsupported('countOnly and forEachChunk were both given', 'pass one of them');
  return { against, method, order, countOnly, forEachChunk, chunkPairs };
}
