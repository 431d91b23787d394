// Sorts the pairs of several lists by (a, b) into one list, on all threads.

import { prefixSums } from '../core/prefixSums.js';
import { PairSortJob } from '../records/boxLayout.js';
import { setWords } from '../records/record.js';
import type { EngineContext } from '../runtime/engineContext.js';
import { GrowableBlock } from '../runtime/memory.js';
import { sliceCountOf } from '../runtime/sliceCount.js';
import { runStep } from '../runtime/steps.js';

/** A list of pairs: byte addresses of the arrays a and b, and the number of pairs. */
export interface PairList {
  aAt: number;
  bAt: number;
  count: number;
}
export const NO_PAIRS: PairList = { aAt: 0, bAt: 0, count: 0 };

/** There are at most 2^BUCKET_BITS buckets. */
const BUCKET_BITS = 10;
/**
 * Minimum mean number of pairs per bucket. With fewer pairs, clearing the histograms of each bucket would take
 * most of the time.
 */
const PAIRS_PER_BUCKET = 256;
/** Minimum number of pairs per thread. With fewer, handing work to the thread takes longer than it saves. */
const PAIRS_PER_SLICE = 8192;
const SLICE_WORDS = 3;
/** Bytes of the histograms of one slice of `sortBuckets`: eight digits of 256 values each. */
const HISTOGRAM_BYTES = 8 * 256 * 4;

const bitsOf = (count: number): number => 32 - Math.clz32(Math.max(1, count - 1));

/** Owns the sorted list and the memory that sorting needs. */
export class PairSort {
  readonly #context: EngineContext;
  readonly #job: GrowableBlock;
  readonly #slices: GrowableBlock;
  readonly #scratch: GrowableBlock;
  readonly #counts: GrowableBlock;
  readonly #a: GrowableBlock;
  readonly #b: GrowableBlock;
  readonly #spareA: GrowableBlock;
  readonly #spareB: GrowableBlock;

  constructor(context: EngineContext) {
    this.#context = context;
    const { arena } = context;
    this.#job = new GrowableBlock(arena);
    this.#slices = new GrowableBlock(arena);
    this.#scratch = new GrowableBlock(arena);
    this.#counts = new GrowableBlock(arena);
    this.#a = new GrowableBlock(arena);
    this.#b = new GrowableBlock(arena);
    this.#spareA = new GrowableBlock(arena);
    this.#spareB = new GrowableBlock(arena);
  }

  /**
   * Returns all pairs, sorted by a, then b. Every a is below aCount, every b below bCount.
   * @throws Capacity; or WorkerLost, after which the caller must dispose of this object and start over
   */
  sort(lists: readonly PairList[], aCount: number, bCount: number): PairList {
    const count = lists.reduce((sum, list) => sum + list.count, 0);
    const threads = this.#context.pool.threadCount;
    const slices = splitLists(lists, sliceCountOf(threads, count, PAIRS_PER_SLICE), count);
    const bucketBits = Math.min(BUCKET_BITS, 31 - Math.clz32(Math.max(1, count / PAIRS_PER_BUCKET)));
    const shift = Math.max(0, bitsOf(aCount) - bucketBits);
    const bucketCount = ((Math.max(1, aCount) - 1) >>> shift) + 1;
    const slicesAt = this.#slices.reserve(Math.max(1, slices.length) * SLICE_WORDS * 4);
    const countsAt = this.#counts.reserve((slices.length + 1) * bucketCount * 4 + 4);
    const bucketsAt = countsAt + slices.length * bucketCount * 4;
    const at = {
      aAt: this.#a.reserve(4 * count + 16),
      bAt: this.#b.reserve(4 * count + 16),
      toAAt: this.#spareA.reserve(4 * count + 16),
      toBAt: this.#spareB.reserve(4 * count + 16),
    };
    const jobAt = this.#job.reserve(PairSortJob.size);
    const { arena } = this.#context;
    setWords(arena.u32, jobAt, PairSortJob, {
      slicesAt,
      shift,
      bucketCount,
      countsAt,
      bucketsAt,
      bitsB: bitsOf(bCount),
      ...at,
    });
    slices.forEach((slice, i) =>
      arena.u32.set([slice.aAt, slice.bAt, slice.count], slicesAt / 4 + i * SLICE_WORDS),
    );
    runStep(this.#context, 'countPairs', jobAt, slices.length);
    const keyBytes =
      8 *
      prefixSums(arena.u32, countsAt / 4, slices.length, bucketCount, bucketCount, bucketsAt / 4).maxCount;
    runStep(this.#context, 'movePairs', jobAt, slices.length);
    const sortSliceCount = sliceCountOf(threads, count, PAIRS_PER_SLICE);
    const scratchAt = this.#scratch.reserve(sortSliceCount * (HISTOGRAM_BYTES + 2 * keyBytes));
    setWords(arena.u32, jobAt, PairSortJob, { scratchAt, keyBytes, sortSliceCount });
    runStep(this.#context, 'sortBuckets', jobAt, sortSliceCount);
    return { aAt: at.aAt, bAt: at.bAt, count };
  }

  dispose(): void {
    for (const buffer of [
      this.#job,
      this.#slices,
      this.#scratch,
      this.#counts,
      this.#a,
      this.#b,
      this.#spareA,
      this.#spareB,
    ])
      buffer.dispose();
  }
}

/**
 * Splits the lists into slices of at most total / sliceCount pairs, rounded up. Each slice is a part of one
 * list. total: number of pairs in all lists.
 */
function splitLists(lists: readonly PairList[], sliceCount: number, total: number): PairList[] {
  const maxLength = Math.ceil(total / sliceCount);
  return lists.flatMap(({ aAt, bAt, count }) => {
    const ownCount = Math.ceil(count / maxLength) || 0;
    return Array.from({ length: ownCount }, (_, i): PairList => {
      const from = Math.floor((i * count) / ownCount);
      const to = Math.floor(((i + 1) * count) / ownCount);
      return { aAt: aAt + 4 * from, bAt: bAt + 4 * from, count: to - from };
    });
  });
}
