// Boxes -> lists of overlapping pairs: sweep and prune from scratch on all threads (Avril, Gouranton and Arnaldi s4).
import type { Backend } from '../backend.js';
import { SlabJob, SweptBox } from '../boxLayout.js';
import { boxLimits } from '../boxLimits.js';
import { Buffer } from '../memory.js';
import { sumCounts } from '../offsets.js';
import { setWords } from '../record.js';
import type { StageClock } from '../stageClock.js';
import { runStep } from '../steps.js';
import { BoxLists } from './boxLists.js';
import type { BoxSet, BoxStats } from './boxSet.js';
import { permutationOf, sweepSlabs } from './sweepSlabs.js';

const MOST_SLABS = 1024;
/** Threads that write to one at the same time wait for each other. */
const CACHE_LINE = 64;
/** Fewer boxes a slab than this cost more to cut than they save. */
const BOXES_A_SLAB = 64;
/** Of the whole's cells, along the sweep: boxes shorter than this start where too many others do. */
const LEAST_CELLS = 4;
/** Slabs that each thread finds, so that they can be shared out evenly. */
const SLABS_A_THREAD = 4;
/** Slabs so narrow that boxes are copied more often than this, in the mean, are made wider. */
const MOST_COPIES = 3;

/** Which pairs are wanted: of boxes first <= i < last, none of two boxes i >= bystandersFrom. */
export interface SweepRange { first: number; last: number; bystandersFrom: number }

export class SlabSweep {
  readonly lists: BoxLists;
  /** Of the last run: slabs, and boxes in them. */
  slabCount = 1;
  sweptCount = 0;
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
    const count = range.last - range.first;
    const sliceCount = boxes.slicesFor(count);
    const threads = count < BOXES_A_SLAB * SLABS_A_THREAD ? 1 : this.backend.pool.threadCount;
    const { arena } = this.backend;
    const jobAt = this.job.reserve(SlabJob.size);
    setWords(arena.u32, jobAt, SlabJob, {
      boxesAt: boxes.at, first: range.first, last: range.last, sliceCount, secondFrom, bystandersFrom: range.bystandersFrom, packTableAt: this.backend.packTableAt,
    });
    arena.u32.set(permutationOf(stats.axes), (jobAt + SlabJob.at.permutation) / 4);
    setCells(arena.f32, jobAt, stats);
    this.cut(jobAt, count, sliceCount, slabsFor(stats, stats.axes.slab, count, threads));
    runStep(this.backend, 'moveToSlabs', jobAt, sliceCount);
    sweepSlabs(this.backend, this.clock, this.lists, jobAt, threads, capacity);
  }

  /** Places that boxes were tested in: one box may have several. */
  get placeCount(): number { return this.lists.sum('entries'); }

  dispose(): void {
    this.lists.dispose();
    for (const buffer of [this.job, this.counts, this.swept, this.slabs]) buffer.dispose();
  }

  // Counts what each slab holds, with fewer slabs where boxes would be copied too often, and makes room for it.
  private cut(jobAt: number, count: number, sliceCount: number, wanted: number): void {
    const { arena } = this.backend;
    for (this.slabCount = wanted; ; this.slabCount >>= 1) {
      const countsStride = CACHE_LINE * (Math.ceil((this.slabCount + 1) * 4 / CACHE_LINE) + 1);
      const countsAt = this.counts.reserve(countsStride * sliceCount);
      setWords(arena.u32, jobAt, SlabJob, { slabCount: this.slabCount, countsAt, countsStride });
      runStep(this.backend, 'countSlabs', jobAt, sliceCount);
      const slabsAt = this.slabs.reserve((2 * MOST_SLABS + 1) * 4);
      this.sweptCount = sumCounts(arena.u32, countsAt / 4, sliceCount, countsStride / 4, this.slabCount, slabsAt / 4).sum;
      if (this.sweptCount <= MOST_COPIES * count || this.slabCount === 1) break;
    }
    const sweptAt = this.swept.reserve(this.sweptCount * SweptBox.size);
    setWords(arena.u32, jobAt, SlabJob, { sweptAt, slabsAt: this.slabs.at, orderAt: this.slabs.at + (MOST_SLABS + 1) * 4 });
  }
}

/** From half a range to the number of its last cell; 0 where there is no range. Finite, so that no product is NaN. */
const scaleOf = (half: number): number => half > 0 ? Math.min((boxLimits.SWEEP_CELLS - 1) / half, 1e38) : 0;

// Where cells begin, and how many are as long as half a unit; numbers in the fourth lane may be no denormal ones.
function setCells(f32: Float32Array, jobAt: number, { low, high, axes: { sweep, slab, column } }: BoxStats): void {
  const origin = (jobAt + SlabJob.at.origin) / 4, scale = (jobAt + SlabJob.at.scale) / 4;
  const set = (lane: number, axis: number): void => {
    f32[origin + lane] = low[axis]! / 2;
    f32[scale + lane] = scaleOf(high[axis]! / 2 - low[axis]! / 2);
  };
  set(0, sweep);
  set(1, slab);
  set(2, column);
  f32[origin + 3] = f32[scale + 3] = 0;
}

/** The width of cells that costs least for boxes of these sizes: too narrow copies boxes, too wide tests what is far apart. @returns their number */
export function cellsFor(stats: BoxStats, axis: number, count: number): number {
  return Math.max(1, Math.min(MOST_SLABS, Math.floor(cellsWanted(stats, axis) ?? Math.sqrt(count))));
}

const cellsWanted = ({ low, high, size, square }: BoxStats, axis: number): number | undefined => {
  const width = 3 * square[axis]! / size[axis]!;
  return width > 0 ? (high[axis]! - low[axis]!) / width : undefined;
};

/** Whether there may be as many slabs and columns as boxes of these sizes ask for, and boxes are no smaller than cells along the sweep can tell. */
export function hasCellsFor(stats: BoxStats): boolean {
  const { count, low, high, size, axes: { sweep, slab, column } } = stats, slabs = cellsWanted(stats, slab) ?? Infinity, columns = cellsWanted(stats, column) ?? Infinity;
  return LEAST_CELLS * (high[sweep]! - low[sweep]!) <= boxLimits.SWEEP_CELLS * size[sweep]! && Math.max(slabs, columns) <= MOST_SLABS && slabs * BOXES_A_SLAB <= count && Math.max(1, slabs) * columns * boxLimits.BOXES_A_COLUMN <= count;
}

/** Slabs too wide leave the cache, too, and have to be enough for all threads. */
export function slabsFor(stats: BoxStats, axis: number, count: number, threads: number): number {
  const shared = threads > 1 ? SLABS_A_THREAD * threads : 1;
  return Math.max(1, Math.min(MOST_SLABS, Math.floor(count / BOXES_A_SLAB), Math.max(cellsFor(stats, axis, count), shared)));
}
