// Finds overlapping boxes by sweep and prune in slabs, from scratch and on all threads (Avril, Gouranton and
// Arnaldi, section 4).

import type { StageClock } from '../core/stageClock.js';
import { SlabJob, SweptBox } from '../records/boxLayout.js';
import { boxLimits } from '../records/boxLimits.js';
import { setWords } from '../records/record.js';
import type { Backend } from '../runtime/backend.js';
import { Buffer } from '../runtime/memory.js';
import { runStep } from '../runtime/steps.js';
import { BoxLists } from './boxLists.js';
import type { BoxSet, BoxStats } from './boxSet.js';
import { countsStrideFor, sweepSlabs } from './sweepSlabs.js';

/** Bytes of one slice's counts, and of the slabs' offsets and their order. */
export const SLAB_COUNTS_BYTES = countsStrideFor(boxLimits.MOST_SLABS),
  SLABS_BYTES = 16 * Math.ceil((2 * boxLimits.MOST_SLABS + 1) / 4);
/** Maximum mean number of copies per box: above it, slabs are made wider. */
export const MOST_COPIES = 3;
/** Fewer boxes than this are swept by one thread. */
const FEW_BOXES = 256;

/** Which pairs to find: those of boxes first <= i < last, except pairs of two boxes i >= bystandersFrom. */
export interface SweepRange {
  first: number;
  last: number;
  bystandersFrom: number;
}

export class SlabSweep {
  readonly lists: BoxLists;
  readonly #backend: Backend;
  readonly #clock: StageClock;
  readonly #job: Buffer;
  readonly #counts: Buffer;
  readonly #swept: Buffer;
  readonly #slabs: Buffer;

  constructor(backend: Backend, clock: StageClock) {
    this.#backend = backend;
    this.#clock = clock;
    const { arena } = backend;
    this.lists = new BoxLists(backend);
    this.#job = new Buffer(arena);
    this.#counts = new Buffer(arena);
    this.#swept = new Buffer(arena);
    this.#slabs = new Buffer(arena);
  }

  /**
   * Finds all pairs and leaves them in the lists. secondFrom: first box of the second set, or NOTHING.
   * capacity: expected number of pairs, or 0 to count only. @throws WorkerLost: dispose of this system and
   * start over; Capacity
   */
  run(boxes: BoxSet, stats: BoxStats, secondFrom: number, range: SweepRange, capacity: number): void {
    const { arena, pool, packTableAt } = this.#backend;
    const { first, last, bystandersFrom } = range;
    const count = last - first;
    const sliceCount = boxes.slicesFor(count);
    const threads = count < FEW_BOXES ? 1 : pool.threadCount;
    const jobAt = this.#job.reserve(SlabJob.size);
    const countsAt = this.#counts.reserve(SLAB_COUNTS_BYTES * sliceCount);
    const slabsAt = this.#slabs.reserve(SLABS_BYTES);
    setWords(arena.u32, jobAt, SlabJob, {
      boxesAt: boxes.at,
      first,
      last,
      sliceCount,
      planAt: stats.at,
      threads,
      secondFrom,
      bystandersFrom,
      packTableAt,
      ...slabWords(countsAt, slabsAt, count),
    });
    this.#cut(jobAt, sliceCount);
    sweepSlabs(this.#backend, this.#clock, this.lists, jobAt, threads, capacity);
  }

  /** Number of copies of boxes that were tested: a box may have several. */
  get placeCount(): number {
    return this.lists.sum('entries');
  }

  dispose(): void {
    this.lists.dispose();
    for (const buffer of [this.#job, this.#counts, this.#swept, this.#slabs]) buffer.dispose();
  }

  // Counts the boxes of each slab, with fewer slabs if boxes would be copied too often, and copies them
  // there.
  #cut(jobAt: number, sliceCount: number): void {
    const backend = this.#backend;
    const {
      arena,
      pool: { kernels },
    } = this.#backend;
    const word = (field: 'isCut' | 'placeCount'): number => arena.u32[(jobAt + SlabJob.at[field]) / 4];
    kernels.aimSlabs(jobAt, 0, 1);
    do {
      runStep(backend, 'countSlabs', jobAt, sliceCount);
      kernels.placeSlabs(jobAt, 0, 1);
    } while (!word('isCut'));
    const sweptAt = this.#swept.reserve(word('placeCount') * SweptBox.size);
    setWords(arena.u32, jobAt, SlabJob, { sweptAt });
    runStep(backend, 'moveToSlabs', jobAt, sliceCount);
  }
}

/** Returns the fields of a SlabJob that locate the counts and the slabs of `count` boxes. */
export const slabWords = (countsAt: number, slabsAt: number, count: number) => ({
  countsAt,
  countsStride: SLAB_COUNTS_BYTES,
  slabsAt,
  orderAt: slabsAt + (boxLimits.MOST_SLABS + 1) * 4,
  mostPlaces: MOST_COPIES * count,
});
