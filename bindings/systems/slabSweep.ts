// Boxes -> lists of overlapping pairs: sweep and prune from scratch on all threads (Avril, Gouranton and Arnaldi s4).
import type { Backend } from '../backend.js';
import { SlabJob, SweptBox } from '../boxLayout.js';
import { boxLimits } from '../boxLimits.js';
import { Buffer } from '../memory.js';
import { setWords } from '../record.js';
import type { StageClock } from '../stageClock.js';
import { runStep } from '../steps.js';
import { BoxLists } from './boxLists.js';
import type { BoxSet, BoxStats } from './boxSet.js';
import { sweepSlabs } from './sweepSlabs.js';

/** Threads that write to one at the same time wait for each other. */
const CACHE_LINE = 64;
/** From one slice's counts to the next one's. */
const COUNTS_STRIDE = CACHE_LINE * (Math.ceil((boxLimits.MOST_SLABS + 1) * 4 / CACHE_LINE) + 1);
/** Slabs so narrow that boxes are copied more often than this, in the mean, are made wider. */
const MOST_COPIES = 3;
/** Fewer boxes than this are swept by one thread. */
const FEW_BOXES = 256;
/** So many boxes have room for all copies that there may be, and are cut in one step. */
const CUT_AT_ONCE = 2 ** 16;

/** Which pairs are wanted: of boxes first <= i < last, none of two boxes i >= bystandersFrom. */
export interface SweepRange { first: number; last: number; bystandersFrom: number }

export class SlabSweep {
  readonly lists: BoxLists;
  private readonly backend: Backend;
  private readonly clock: StageClock;
  private readonly job: Buffer;
  private readonly counts: Buffer;
  private readonly swept: Buffer;
  private readonly slabs: Buffer;

  constructor(backend: Backend, clock: StageClock) {
    this.backend = backend;
    this.clock = clock;
    const { arena } = backend;
    this.lists = new BoxLists(backend);
    this.job = new Buffer(arena);
    this.counts = new Buffer(arena);
    this.swept = new Buffer(arena);
    this.slabs = new Buffer(arena);
  }

  /**
   * Finds all pairs; they stay in the lists. secondFrom: first box of the second set, or NOTHING.
   * capacity: pairs expected, 0 to count only. @throws LostSlice: dispose of this system and start over; Capacity
   */
  run(boxes: BoxSet, stats: BoxStats, secondFrom: number, range: SweepRange, capacity: number): void {
    const { arena, pool, packTableAt } = this.backend;
    const { first, last, bystandersFrom } = range, count = last - first, sliceCount = boxes.slicesFor(count), threads = count < FEW_BOXES ? 1 : pool.threadCount;
    const jobAt = this.job.reserve(SlabJob.size), countsAt = this.counts.reserve(COUNTS_STRIDE * sliceCount), slabsAt = this.slabs.reserve((2 * boxLimits.MOST_SLABS + 1) * 4);
    setWords(arena.u32, jobAt, SlabJob, {
      boxesAt: boxes.at, first, last, sliceCount, planAt: stats.at, threads, secondFrom, bystandersFrom, packTableAt,
      countsAt, countsStride: COUNTS_STRIDE, slabsAt, orderAt: slabsAt + (boxLimits.MOST_SLABS + 1) * 4, mostPlaces: MOST_COPIES * count,
    });
    if (sliceCount === 1 && count <= CUT_AT_ONCE) {
      this.placeIn(jobAt, MOST_COPIES * count);
      pool.kernels.cutSlabs(jobAt, 0, 1);
    } else this.cut(jobAt, sliceCount);
    sweepSlabs(this.backend, this.clock, this.lists, jobAt, threads, capacity);
  }

  /** Places that boxes were tested in: one box may have several. */
  get placeCount(): number { return this.lists.sum('entries'); }

  dispose(): void {
    this.lists.dispose();
    for (const buffer of [this.job, this.counts, this.swept, this.slabs]) buffer.dispose();
  }

  // Counts what each slab holds, with fewer slabs where boxes would be copied too often, and moves it there.
  private cut(jobAt: number, sliceCount: number): void {
    const { backend, backend: { arena, pool: { kernels } } } = this, word = (field: 'isCut' | 'placeCount'): number => arena.u32[(jobAt + SlabJob.at[field]) / 4]!;
    kernels.aimSlabs(jobAt, 0, 1);
    do {
      runStep(backend, 'countSlabs', jobAt, sliceCount);
      kernels.placeSlabs(jobAt, 0, 1);
    } while (!word('isCut'));
    this.placeIn(jobAt, word('placeCount'));
    runStep(backend, 'moveToSlabs', jobAt, sliceCount);
  }

  private placeIn(jobAt: number, placeCount: number): void {
    const sweptAt = this.swept.reserve(placeCount * SweptBox.size);
    setWords(this.backend.arena.u32, jobAt, SlabJob, { sweptAt });
  }
}
