// Boxes -> lists of overlapping pairs: sweep and prune within cells that hold about as many boxes each, for
// sizes or crowds that differ by orders of magnitude, where no width of slab fits all.

import type { StageClock } from '../core/stageClock.js';
import {
  Cell,
  CellJob,
  CellShare,
  CellSplit,
  SampledCentre,
  SlabJob,
  SweptBox,
} from '../records/boxLayout.js';
import { boxLimits } from '../records/boxLimits.js';
import { limits } from '../records/layout.js';
import { setWords } from '../records/record.js';
import type { Backend } from '../runtime/backend.js';
import { Buffer } from '../runtime/memory.js';
import { runStep } from '../runtime/steps.js';
import { BoxLists } from './boxLists.js';
import type { BoxSet, BoxStats } from './boxSet.js';
import type { SweepRange } from './slabSweep.js';
import { countsStrideFor, permutationOf, sweepSlabs } from './sweepSlabs.js';

/**
 * Boxes of a cell: fewer are copied too often, more are tested against too many. And of the sample that cells
 * are cut by.
 */
const BOXES_A_CELL = 128;
const SAMPLED_A_CELL = 4;
/** 2^12 cells at most: each is a place that boxes are written to. */
const MOST_DEPTH = 12;
/** Cells that boxes reach, in the mean: where they are more, cells are made larger. */
const MOST_COPIES = 4;
/** Cells that boxes are expected to reach. */
const COPIES = 3;
/** Of the largest range: sizes that in sum are less count for nothing where space is cut. */
const LEAST_SIZE = 1e-9;

export class CellSweep {
  readonly lists: BoxLists;
  readonly #backend: Backend;
  readonly #clock: StageClock;
  readonly #job: Buffer;
  readonly #cells: Buffer;
  readonly #entries: Buffer;
  readonly #spare: Buffer;
  readonly #counts: Buffer;
  readonly #swept: Buffer;
  readonly #slabs: Buffer;
  #sliceCount = 1;

  constructor(backend: Backend, clock: StageClock) {
    this.#backend = backend;
    this.#clock = clock;
    this.lists = new BoxLists(backend);
    const make = (): Buffer => new Buffer(backend.arena);
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

  /** As SlabSweep.run. @throws WorkerLost: dispose of this system and start over; Capacity */
  run(boxes: BoxSet, stats: BoxStats, secondFrom: number, range: SweepRange, capacity: number): void {
    const backend = this.#backend;
    const { arena, pool } = this.#backend;
    const count = range.last - range.first;
    const sliceCount = (this.#sliceCount = boxes.slicesFor(count));
    const jobAt = this.#job.reserve(SlabJob.size + CellJob.size + CellShare.size * sliceCount);
    const cellsAt = this.#cellJobAt;
    const common = { boxesAt: boxes.at, ...range, sliceCount, secondFrom };
    setWords(arena.u32, jobAt, SlabJob, { ...common, packTableAt: backend.packTableAt });
    setWords(arena.u32, cellsAt, CellJob, { ...common, sharesAt: this.#sharesAt });
    const permutation = permutationOf(stats);
    const { low, high } = stats;
    arena.u32.set(permutation, (jobAt + SlabJob.at.permutation) / 4);
    arena.u32.set(permutation, (cellsAt + CellJob.at.permutation) / 4);
    arena.f32.set(low, (cellsAt + CellJob.at.low) / 4);
    arena.f32.set(high, (cellsAt + CellJob.at.high) / 4);
    arena.f32[(cellsAt + CellJob.at.leastSize) / 4] = Math.max(
      1e-38,
      LEAST_SIZE * Math.max(...low.map((least, axis) => high[axis] - least)),
    );
    this.#cut(count);
    runStep(backend, 'moveToCells', cellsAt, sliceCount);
    sweepSlabs(backend, this.#clock, this.lists, jobAt, pool.threadCount, capacity);
  }

  /** Places that boxes were tested in: one box may have several. */
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

  // Cuts space into cells and deals the boxes to them; cells are larger where boxes would be copied too
  // often.
  #cut(count: number): void {
    const sliceCount = this.#sliceCount;
    let depth = Math.max(0, Math.min(MOST_DEPTH, Math.round(Math.log2(count / BOXES_A_CELL))));
    let capacity = Math.ceil((COPIES * count) / sliceCount) + boxLimits.DEALT_BOXES;
    this.#split(depth, count);
    for (;;) {
      this.#makeRoom(depth, capacity);
      runStep(this.#backend, 'dealToCells', this.#cellJobAt, sliceCount);
      const entries = this.#held('count');
      const missed = this.#held('missed');
      if (missed.sum === 0) break;
      const copies = (entries.sum + missed.sum) / count;
      // There is room for what larger cells hold, or what that lacks is counted: room for all copies may be
      // far too much.
      if (copies > MOST_COPIES)
        this.#split(
          (depth = Math.max(0, depth - Math.max(1, Math.floor(Math.log2(copies / MOST_COPIES))))),
          count,
        );
      else capacity = entries.most + missed.most;
    }
    this.#place(2 ** depth);
  }

  // By a sample, no larger than the boxes are many.
  #split(depth: number, count: number): void {
    const { arena, pool } = this.#backend;
    const cellCount = 2 ** depth;
    const sampleSize = Math.min(count, SAMPLED_A_CELL * cellCount);
    const cellsAt = this.#cells.reserve(
      cellCount * (Cell.size + CellSplit.size) + sampleSize * SampledCentre.size,
    );
    const splitsAt = cellsAt + cellCount * Cell.size;
    const sampleAt = splitsAt + cellCount * CellSplit.size;
    setWords(arena.u32, this.#cellJobAt, CellJob, { depth, sampleAt, sampleSize, splitsAt, cellsAt });
    pool.kernels.splitCells(this.#cellJobAt, 0, 1);
  }

  #makeRoom(depth: number, capacity: number): void {
    const sliceCount = this.#sliceCount;
    const { arena } = this.#backend;
    const countsStride = countsStrideFor(2 ** depth);
    const countsAt = this.#counts.reserve(countsStride * sliceCount);
    const entriesAt = this.#entries.reserve(8 * capacity * sliceCount);
    const spareBytes = 8 * (boxLimits.DEALT_BOXES * 2 ** depth + 2);
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

  #held(field: 'count' | 'missed'): { sum: number; most: number } {
    const counts = Array.from(
      { length: this.#sliceCount },
      (_, slice) =>
        this.#backend.arena.u32[(this.#sharesAt + slice * CellShare.size + CellShare.at[field]) / 4],
    );
    return { sum: counts.reduce((sum, count) => sum + count, 0), most: Math.max(...counts) };
  }

  // Where each cell's boxes go: a cell is what the sweep knows as a slab.
  #place(slabCount: number): void {
    const { arena, pool } = this.#backend;
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
      mostPlaces: limits.NOTHING,
    });
    pool.kernels.placeSlabs(jobAt, 0, 1);
    const sweptAt = this.#swept.reserve(arena.u32[(jobAt + SlabJob.at.placeCount) / 4] * SweptBox.size);
    setWords(arena.u32, cellJobAt, CellJob, { sweptAt });
    setWords(arena.u32, jobAt, SlabJob, { sweptAt });
  }
}
