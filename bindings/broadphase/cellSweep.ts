// Finds overlapping boxes by sweep and prune within cells. Space is split so that each cell holds about the
// same number of boxes. This method suits boxes whose sizes or densities differ by orders of magnitude, for
// which no single width of slabs is good.

import type { StageClock } from '../core/stageClock.js';
import { Cell, CellJob, CellShare, CellSplit, SampledCenter, SapBox, SlabJob } from '../records/boxLayout.js';
import { boxLimits } from '../records/boxLimits.js';
import { limits } from '../records/layout.js';
import { setWords } from '../records/record.js';
import type { EngineContext } from '../runtime/engineContext.js';
import { GrowableBlock } from '../runtime/memory.js';
import { runStep } from '../runtime/steps.js';
import { BoxLists } from './boxLists.js';
import type { BoxSet, BoxStats } from './boxSet.js';
import { countsStrideFor, permutationOf, runSlabKernels } from './slabKernels.js';
import type { SweepRange } from './slabSweep.js';

/**
 * Number of boxes per cell. With fewer, boxes are copied too often; with more, each box is tested against too
 * many others.
 */
const BOXES_PER_CELL = 128;
/** Number of sampled boxes per cell, from which the cells are computed. */
const SAMPLED_PER_CELL = 4;
/**
 * There are at most 2^MAX_DEPTH cells: each cell is a separate write stream, and too many streams are slow.
 */
const MAX_DEPTH = 12;
/** Maximum mean number of cells that a box overlaps. Above it, cells are made larger. */
const MAX_COPIES = 4;
/** Expected mean number of cells that a box overlaps. */
const EXPECTED_COPIES = 3;
/**
 * To choose the axis of a split, the spread of the sampled centers is divided by the sum of the sizes of the
 * sampled boxes. To keep the divisor above 0, MIN_SIZE times the longest side of the box around all boxes is
 * added to the sum.
 */
const MIN_SIZE = 1e-9;

export class CellSweep {
  readonly lists: BoxLists;
  readonly #context: EngineContext;
  readonly #clock: StageClock;
  readonly #job: GrowableBlock;
  readonly #cells: GrowableBlock;
  readonly #entries: GrowableBlock;
  readonly #spare: GrowableBlock;
  readonly #counts: GrowableBlock;
  readonly #swept: GrowableBlock;
  readonly #slabs: GrowableBlock;
  #sliceCount = 1;

  constructor(context: EngineContext, clock: StageClock) {
    this.#context = context;
    this.#clock = clock;
    this.lists = new BoxLists(context);
    const make = (): GrowableBlock => new GrowableBlock(context.arena);
    [this.#job, this.#cells, this.#entries, this.#spare, this.#counts, this.#swept, this.#slabs] = [
      make(),
      make(),
      make(),
      make(),
      make(),
      make(),
      make(),
    ];
  }

  /**
   * Finds all pairs and leaves them in the lists. The parameters are those of SlabSweep.run.
   * @throws Capacity; or WorkerLost, after which the caller must dispose of this object and start over
   */
  run(boxes: BoxSet, stats: BoxStats, secondFrom: number, range: SweepRange, capacity: number): void {
    const context = this.#context;
    const { arena, pool } = this.#context;
    const count = range.last - range.first;
    const sliceCount = (this.#sliceCount = boxes.slicesFor(count));
    const jobAt = this.#job.reserve(SlabJob.size + CellJob.size + CellShare.size * sliceCount);
    const cellJobAt = this.#cellJobAt;
    const common = { boxesAt: boxes.at, sliceCount, secondFrom, ...range };
    setWords(arena.u32, jobAt, SlabJob, { packTableAt: context.packTableAt, ...common });
    setWords(arena.u32, cellJobAt, CellJob, { sharesAt: this.#sharesAt, ...common });
    const permutation = permutationOf(stats);
    const { low, high } = stats;
    arena.u32.set(permutation, (jobAt + SlabJob.at.permutation) / 4);
    arena.u32.set(permutation, (cellJobAt + CellJob.at.permutation) / 4);
    arena.f32.set(low, (cellJobAt + CellJob.at.low) / 4);
    arena.f32.set(high, (cellJobAt + CellJob.at.high) / 4);
    arena.f32[(cellJobAt + CellJob.at.minBoxSize) / 4] = Math.max(
      1e-38,
      MIN_SIZE * Math.max(...low.map((min, axis) => high[axis] - min)),
    );
    this.#cut(count);
    runStep(context, 'moveToCells', cellJobAt, sliceCount);
    runSlabKernels(context, this.#clock, this.lists, jobAt, pool.threadCount, capacity);
  }

  /** Number of box copies that were swept. A box may have several copies. */
  get placeCount(): number {
    return this.lists.sum('entries');
  }

  dispose(): void {
    this.lists.dispose();
    for (const buffer of [
      this.#job,
      this.#cells,
      this.#entries,
      this.#spare,
      this.#counts,
      this.#swept,
      this.#slabs,
    ])
      buffer.dispose();
  }

  get #cellJobAt(): number {
    return this.#job.at + SlabJob.size;
  }
  get #sharesAt(): number {
    return this.#cellJobAt + CellJob.size;
  }

  // Splits space into cells, finds the cells that each box overlaps, and computes where the boxes of each cell
  // are stored. Makes the cells larger if boxes would be copied too often.
  #cut(count: number): void {
    const sliceCount = this.#sliceCount;
    let depth = Math.max(0, Math.min(MAX_DEPTH, Math.round(Math.log2(count / BOXES_PER_CELL))));
    let capacity = Math.ceil((EXPECTED_COPIES * count) / sliceCount) + boxLimits.CELL_BATCH;
    this.#split(depth, count);
    for (;;) {
      this.#reserve(depth, capacity);
      runStep(this.#context, 'assignToCells', this.#cellJobAt, sliceCount);
      const entries = this.#counted('count');
      const missed = this.#counted('missed');
      if (missed.sum === 0) break;
      const copies = (entries.sum + missed.sum) / count;
      // Larger cells need fewer copies, which may fit the present capacity. If these copies do not fit, the
      // next pass counts them. The capacity is not raised here, because the number of copies that this pass
      // counted might be far more than required.
      if (copies > MAX_COPIES)
        this.#split(
          (depth = Math.max(0, depth - Math.max(1, Math.floor(Math.log2(copies / MAX_COPIES))))),
          count,
        );
      else capacity = entries.max + missed.max;
    }
    this.#place(2 ** depth);
  }

  // Splits space into 2^depth cells, which are computed from a sample of at most `count` boxes.
  #split(depth: number, count: number): void {
    const { arena, pool } = this.#context;
    const cellCount = 2 ** depth;
    const sampleSize = Math.min(count, SAMPLED_PER_CELL * cellCount);
    const cellsAt = this.#cells.reserve(
      cellCount * (Cell.size + CellSplit.size) + sampleSize * SampledCenter.size,
    );
    const splitsAt = cellsAt + cellCount * Cell.size;
    const sampleAt = splitsAt + cellCount * CellSplit.size;
    setWords(arena.u32, this.#cellJobAt, CellJob, { depth, sampleAt, sampleSize, splitsAt, cellsAt });
    pool.kernels.splitCells(this.#cellJobAt, 0, 1);
  }

  #reserve(depth: number, capacity: number): void {
    const sliceCount = this.#sliceCount;
    const { arena } = this.#context;
    const countsStride = countsStrideFor(2 ** depth);
    const countsAt = this.#counts.reserve(countsStride * sliceCount);
    const entriesAt = this.#entries.reserve(8 * capacity * sliceCount);
    const spareBytes = 8 * (boxLimits.CELL_BATCH * 2 ** depth + 2);
    const spareAt = this.#spare.reserve(2 * spareBytes * sliceCount);
    setWords(arena.u32, this.#cellJobAt, CellJob, { countsAt, countsStride });
    for (let slice = 0; slice < sliceCount; slice++) {
      setWords(arena.u32, this.#sharesAt + slice * CellShare.size, CellShare, {
        entriesAt: entriesAt + 8 * capacity * slice,
        capacity,
        spareAt: spareAt + 2 * spareBytes * slice,
        spareBytes,
      });
    }
  }

  #counted(field: 'count' | 'missed'): { sum: number; max: number } {
    const counts = Array.from(
      { length: this.#sliceCount },
      (_, slice) =>
        this.#context.arena.u32[(this.#sharesAt + slice * CellShare.size + CellShare.at[field]) / 4],
    );
    return { sum: counts.reduce((sum, count) => sum + count, 0), max: Math.max(...counts) };
  }

  // Computes where the boxes of each cell are stored. The sweep treats each cell as a slab.
  #place(slabCount: number): void {
    const { arena, pool } = this.#context;
    const cellJobAt = this.#cellJobAt;
    const { at: jobAt } = this.#job;
    const slabsAt = this.#slabs.reserve((2 * slabCount + 1) * 4);
    const countsStride = arena.u32[(cellJobAt + CellJob.at.countsStride) / 4];
    setWords(arena.u32, jobAt, SlabJob, {
      slabCount,
      slabsAt,
      orderAt: slabsAt + (slabCount + 1) * 4,
      countsAt: this.#counts.at,
      countsStride,
      maxCopies: limits.NOTHING,
    });
    pool.kernels.offsetSlabs(jobAt, 0, 1);
    const sweptAt = this.#swept.reserve(arena.u32[(jobAt + SlabJob.at.placeCount) / 4] * SapBox.size);
    setWords(arena.u32, cellJobAt, CellJob, { sapBoxesAt: sweptAt });
    setWords(arena.u32, jobAt, SlabJob, { sapBoxesAt: sweptAt });
  }
}
