// Finds overlapping boxes by sweep and prune in slabs, from scratch and on all threads (Avril, Gouranton and
// Arnaldi, section 4).

import type { StageClock } from '../core/stageClock.js';
import { SapBox, SlabJob } from '../records/boxLayout.js';
import { boxLimits } from '../records/boxLimits.js';
import { setWords } from '../records/record.js';
import type { EngineContext } from '../runtime/engineContext.js';
import { GrowableBlock } from '../runtime/memory.js';
import { runStep } from '../runtime/steps.js';
import { BoxLists } from './boxLists.js';
import type { BoxSet, BoxStats } from './boxSet.js';
import { countsStrideFor, runSlabKernels } from './slabKernels.js';

/**
 * SLAB_COUNTS_BYTES: bytes of one slice's counts. SLABS_BYTES: bytes of the slabs' offsets and of the order of
 * the slabs.
 */
export const SLAB_COUNTS_BYTES = countsStrideFor(boxLimits.MAX_SLABS),
  SLABS_BYTES = 16 * Math.ceil((2 * boxLimits.MAX_SLABS + 1) / 4);
/** Maximum number of copies per box, on average. If there would be more, slabs are made wider. */
export const MAX_COPIES = 3;
/** If there are fewer boxes than this, one thread sweeps them. */
const FEW_BOXES = 256;

/**
 * Which pairs to find: all pairs of the boxes first <= i < last, except pairs of two boxes with
 * i >= passiveFrom.
 */
export interface SweepRange {
  first: number;
  last: number;
  passiveFrom: number;
}

export class SlabSweep {
  readonly lists: BoxLists;
  readonly #context: EngineContext;
  readonly #clock: StageClock;
  readonly #job: GrowableBlock;
  readonly #counts: GrowableBlock;
  readonly #swept: GrowableBlock;
  readonly #slabs: GrowableBlock;

  constructor(context: EngineContext, clock: StageClock) {
    this.#context = context;
    this.#clock = clock;
    const { arena } = context;
    this.lists = new BoxLists(context);
    this.#job = new GrowableBlock(arena);
    this.#counts = new GrowableBlock(arena);
    this.#swept = new GrowableBlock(arena);
    this.#slabs = new GrowableBlock(arena);
  }

  /**
   * Finds all pairs and leaves them in the lists. secondFrom: first box of the second set, or NOTHING.
   * capacity: expected number of pairs, or 0 to only count the pairs. @throws Capacity; or WorkerLost, after
   * which the caller must dispose of this object and start over
   */
  run(boxes: BoxSet, stats: BoxStats, secondFrom: number, range: SweepRange, capacity: number): void {
    const { arena, pool, packTableAt } = this.#context;
    const { first, last, passiveFrom } = range;
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
      passiveFrom,
      packTableAt,
      ...slabFields(countsAt, slabsAt, count),
    });
    this.#cut(jobAt, sliceCount);
    runSlabKernels(this.#context, this.#clock, this.lists, jobAt, threads, capacity);
  }

  /** Number of box copies that were swept. A box has a copy in each column of each slab that it overlaps. */
  get placeCount(): number {
    return this.lists.sum('entries');
  }

  dispose(): void {
    this.lists.dispose();
    for (const buffer of [this.#job, this.#counts, this.#swept, this.#slabs]) buffer.dispose();
  }

  // Chooses the slabs, counts the boxes in each slab, and copies the boxes into the slabs. If there would be
  // too many copies, the number of slabs is reduced, and the boxes are counted again.
  #cut(jobAt: number, sliceCount: number): void {
    const context = this.#context;
    const {
      arena,
      pool: { kernels },
    } = this.#context;
    const word = (field: 'isPlanned' | 'placeCount'): number => arena.u32[(jobAt + SlabJob.at[field]) / 4];
    kernels.planSlabs(jobAt, 0, 1);
    do {
      runStep(context, 'countSlabs', jobAt, sliceCount);
      kernels.offsetSlabs(jobAt, 0, 1);
    } while (!word('isPlanned'));
    const sweptAt = this.#swept.reserve(word('placeCount') * SapBox.size);
    setWords(arena.u32, jobAt, SlabJob, { sapBoxesAt: sweptAt });
    runStep(context, 'moveToSlabs', jobAt, sliceCount);
  }
}

/**
 * Returns the fields of a SlabJob that locate the counts and the slabs, and the field that limits the copies of
 * `count` boxes.
 */
export const slabFields = (
  countsAt: number,
  slabsAt: number,
  count: number,
): Partial<Record<keyof typeof SlabJob.at, number>> => ({
  countsAt,
  countsStride: SLAB_COUNTS_BYTES,
  slabsAt,
  orderAt: slabsAt + (boxLimits.MAX_SLABS + 1) * 4,
  maxCopies: MAX_COPIES * count,
});
