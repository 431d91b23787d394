// Finds the pairs of a moved box and a small unmoved box, in frames in which few boxes have moved. A box is
// small if its size on each axis is at most `commonSize`, a size that few boxes exceed; otherwise, it is
// large. The moved boxes are stored in a hashed grid; the cell of each box is kept from frame to frame. The
// other pairs, of two moved boxes or of a moved and a large unmoved box, are left to the caller: the search
// returns all moved boxes and all large unmoved boxes for a sweep.

import { MAX_FLOAT } from '../../core/floatRange.js';
import type { StageClock } from '../../core/stageClock.js';
import { boxLimits } from '../../records/boxLimits.js';
import { GatherBoxesJob, MovedHashJob, MovedHashList } from '../../records/incrementalLayout.js';
import { setWords } from '../../records/record.js';
import type { EngineContext } from '../../runtime/engineContext.js';
import { GrowableBlock } from '../../runtime/memory.js';
import { retry } from '../../runtime/retry.js';
import { sliceCountOf } from '../../runtime/sliceCount.js';
import { runStep } from '../../runtime/steps.js';
import { BOX_BYTES } from '../boxSet.js';
import type { PairList } from '../pairSort.js';
import { PairBuffer } from './pairBuffer.js';
import type { Bounds, TrackedBoxes } from './trackedBoxes.js';

/** Maximum number of cells per axis: a cell's index has ten bits for each axis. */
const MAX_CELLS = 1024;
/**
 * Maximum mean number of entries per moved box. A moved box has one entry in each cell that may contain the
 * min corner of a small box that overlaps the moved box. A higher mean shows that some boxes are very large.
 */
const MAX_CELLS_PER_MOVER = 64;
/** Maximum number of entries. More entries would not fit in the cache. */
const MAX_ENTRIES = 2 ** 16;
/**
 * Limit of the mean bucket size in the hash table. The size of a bucket is its number of entries. The mean is
 * taken over all entries, so a bucket counts once for each of its entries.
 */
const MAX_MEAN_OCCUPANCY = 3;
const SCRATCH_BYTES = 8 * boxLimits.LOOKUP_BLOCK * (1 + boxLimits.MAX_BUCKET_SIZE);
/**
 * Margin of the grid around all boxes, relative to their extent. With the margin, boxes that move outward stay
 * in the grid for some frames, and no new grid is needed in these frames.
 */
const GRID_MARGIN = 1 / 16;
/** Minimum number of boxes per thread. With fewer, handing work to the thread takes longer than it saves. */
const BOXES_PER_SLICE = 24_576;
const SPARE = 64;

/**
 * Result of a search. lists: the pairs that were found. boxesAt: the boxes for the caller's sweep, first the
 * moved boxes, then the large unmoved boxes. idsAt: the ids of these boxes. count: the number of these boxes.
 * movedCount: the number of moved boxes. places: the number of entries in the grid.
 */
export interface MovedBoxPairs {
  boxesAt: number;
  idsAt: number;
  movedCount: number;
  count: number;
  lists: PairList[];
  tests: number;
  places: number;
}

export class MovedBoxSearch {
  readonly #context: EngineContext;
  readonly #job: GrowableBlock;
  readonly #boxes: GrowableBlock;
  readonly #ids: GrowableBlock;
  readonly #buckets: GrowableBlock;
  readonly #entries: GrowableBlock;
  readonly #large: GrowableBlock;
  readonly #lists: GrowableBlock;
  readonly #scratch: GrowableBlock;
  readonly #cells: GrowableBlock;
  /** Bounds of the grid for which the cells of all boxes are known; undefined if the cells are not known. */
  #grid: { low: Float32Array; high: Float32Array } | undefined;
  readonly #outputs: PairBuffer[] = [];

  constructor(context: EngineContext) {
    const make = (): GrowableBlock => new GrowableBlock(context.arena);
    this.#context = context;
    [
      this.#job,
      this.#boxes,
      this.#ids,
      this.#buckets,
      this.#entries,
      this.#large,
      this.#lists,
      this.#scratch,
      this.#cells,
    ] = [make(), make(), make(), make(), make(), make(), make(), make(), make()];
  }

  /**
   * Runs the search. All boxes that have moved since the last call must be marked as moved, unless `forget` was
   * called since then. @returns undefined if a grid is unsuitable, because the moved boxes are too large, too
   * crowded or too many. @throws Capacity
   */
  run(boxes: TrackedBoxes, clock: StageClock): MovedBoxPairs | undefined {
    return retry(
      () => this.#search(boxes, clock),
      () => this.dispose(),
    );
  }

  /** Forgets the cells of all boxes. Must be called after boxes have changed in a frame without a search. */
  forget(): void {
    this.#grid = undefined;
  }

  dispose(): void {
    this.forget();
    for (const resource of [
      this.#job,
      this.#boxes,
      this.#ids,
      this.#buckets,
      this.#entries,
      this.#large,
      this.#lists,
      this.#scratch,
      this.#cells,
      ...this.#outputs,
    ])
      resource.dispose();
    this.#outputs.length = 0;
  }

  #search(boxes: TrackedBoxes, clock: StageClock): MovedBoxPairs | undefined {
    const sliceCount = sliceCountOf(this.#context.pool.threadCount, boxes.count, BOXES_PER_SLICE);
    this.#listMovedBoxes(boxes, sliceCount);
    const movedCount = this.#word('movedCount');
    const entryCount = this.#word('entryCount');
    if (entryCount > Math.min(MAX_ENTRIES, MAX_CELLS_PER_MOVER * movedCount) || !this.#hash(entryCount))
      return undefined;
    clock.end('keep');
    this.#findPairs(boxes.count, sliceCount, 4 * movedCount);
    clock.end('search');
    const largeCount = this.#gatherLarge(boxes, sliceCount, movedCount);
    clock.end('keep');
    const counts = Array.from({ length: sliceCount }, (_, slice) => this.#read(slice, 'found'));
    return {
      boxesAt: this.#boxes.at,
      idsAt: this.#ids.at,
      movedCount,
      count: movedCount + largeCount,
      places: entryCount,
      lists: counts.map((count, slice) => ({
        aAt: this.#outputs[slice].aAt,
        bAt: this.#outputs[slice].bAt,
        count,
      })),
      tests: counts.reduce((sum, _, slice) => sum + this.#read(slice, 'tests'), 0),
    };
  }

  // Lists the moved boxes, counts their entries in the grid, and updates their cells. If the grid does not
  // contain all boxes, or if there is none yet, makes a new grid and finds the cells of all boxes.
  #listMovedBoxes(boxes: TrackedBoxes, sliceCount: number): void {
    const { arena, pool } = this.#context;
    const capacity = Math.min(boxes.movedCount, boxes.count);
    const jobAt = this.#job.reserve(MovedHashJob.size);
    const toBoxesAt = this.#boxes.reserve(capacity * BOX_BYTES + SPARE);
    const toIdsAt = this.#ids.reserve(4 * capacity + SPARE);
    const cellsAt = this.#cells.reserve(4 * boxes.count);
    setWords(arena.u32, jobAt, MovedHashJob, {
      boxesAt: boxes.at,
      boxCount: boxes.count,
      movedAt: boxes.movedAt,
      sliceCount,
      cellsAt,
      toBoxesAt,
      toIdsAt,
    });
    if (!this.#gridContains(boxes.bounds)) {
      this.forget();
      const grid = this.#makeGrid(boxes.bounds);
      runStep(this.#context, 'findBoxCells', jobAt, sliceCount);
      this.#grid = grid;
    }
    pool.kernels.listMovedBoxes(jobAt, 0, 1);
  }

  #gridContains({ low, high }: Bounds): boolean {
    const grid = this.#grid;
    return (
      grid !== undefined && low.every((min, axis) => min >= grid.low[axis] && high[axis] <= grid.high[axis])
    );
  }

  // Makes a grid that contains all boxes, with a margin. A cell is about as wide as `commonSize` (a size that
  // few boxes exceed), or wider if there would otherwise be more than MAX_CELLS cells on an axis.
  #makeGrid({ low, high, commonSize }: Bounds): { low: Float32Array; high: Float32Array } {
    const { f32 } = this.#context.arena;
    const margin = low.map((min, axis) => Math.min(GRID_MARGIN * (high[axis] - min), MAX_FLOAT));
    const grid = {
      low: low.map((min, axis) => Math.max(min - margin[axis], -MAX_FLOAT)),
      high: high.map((max, axis) => Math.min(max + margin[axis], MAX_FLOAT)),
    };
    const at = (field: 'origin' | 'scale' | 'low' | 'reach'): number =>
      (this.#job.at + MovedHashJob.at[field]) / 4;
    for (let axis = 0; axis < 3; axis++) {
      const origin = grid.low[axis] / 2;
      const half = grid.high[axis] / 2 - origin;
      const cells = Math.max(1, Math.min(MAX_CELLS, Math.floor((2 * half) / commonSize[axis]) || 1));
      f32[at('origin') + axis] = origin;
      f32[at('scale') + axis] = half > 0 ? Math.min((cells - 1) / half, 1e38) : 0;
      f32[at('low') + axis] = grid.low[axis];
      f32[at('reach') + axis] = commonSize[axis];
    }
    return grid;
  }

  // Builds the hash table. @returns false if the moved boxes are so crowded that the table must not be used
  #hash(entryCount: number): boolean {
    const { arena, pool } = this.#context;
    const jobAt = this.#job.at;
    const hashShift = Math.clz32(2 * entryCount + 16);
    const bucketCount = 2 ** (32 - hashShift);
    const bucketsAt = this.#buckets.reserve(4 * bucketCount + 4 + bucketCount / 4);
    const marksAt = bucketsAt + 4 * bucketCount + 4;
    const entriesAt = this.#entries.reserve(8 * entryCount);
    setWords(arena.u32, jobAt, MovedHashJob, { bucketsAt, marksAt, entriesAt, hashShift });
    pool.kernels.hashMovedBoxes(jobAt, 0, 1);
    return (
      this.#word('maxEntries') <= boxLimits.MAX_BUCKET_SIZE &&
      arena.f64[(jobAt + MovedHashJob.at.tests) / 8] <= MAX_MEAN_OCCUPANCY * entryCount
    );
  }

  #findPairs(boxCount: number, sliceCount: number, expected: number): void {
    const context = this.#context;
    const outputs = this.#outputs;
    const { arena } = context;
    const jobAt = this.#job.at;
    const largeAt = this.#large.reserve(8 * boxCount + SPARE);
    const nearAt = largeAt + 4 * boxCount + 4;
    const listsAt = this.#lists.reserve(sliceCount * MovedHashList.size);
    const scratchAt = this.#scratch.reserve(sliceCount * SCRATCH_BYTES);
    setWords(arena.u32, jobAt, MovedHashJob, { largeAt, nearAt, listsAt });
    while (outputs.length < sliceCount) outputs.push(new PairBuffer(context));
    for (let slice = 0; slice < sliceCount; slice++)
      setWords(arena.u32, listsAt + slice * MovedHashList.size, MovedHashList, {
        scratchAt: scratchAt + slice * SCRATCH_BYTES,
      });
    let capacity = expected;
    do {
      for (let slice = 0; slice < sliceCount; slice++) this.#reserve(slice, capacity);
      runStep(context, 'lookUpMovedBoxes', jobAt, sliceCount);
      capacity = Math.max(...Array.from({ length: sliceCount }, (_, slice) => this.#read(slice, 'found')));
    } while (outputs.some(({ count }, slice) => slice < sliceCount && this.#read(slice, 'found') > count));
  }

  // Reserves capacity in the output of a slice. In this class, `count` of such a PairBuffer is its capacity,
  // not a number of pairs.
  #reserve(slice: number, capacity: number): void {
    const output = this.#outputs[slice];
    output.reserve(capacity, 0);
    output.count = Math.max(output.count, capacity);
    setWords(this.#context.arena.u32, this.#lists.at + slice * MovedHashList.size, MovedHashList, {
      pairsAAt: output.aAt,
      pairsBAt: output.bAt,
      pairsCapacity: output.count,
    });
  }

  // Appends the large unmoved boxes to the moved boxes. @returns the number of large unmoved boxes
  #gatherLarge(boxes: TrackedBoxes, sliceCount: number, movedCount: number): number {
    const { arena, pool } = this.#context;
    const starts = Array.from({ length: sliceCount }, (_, slice) =>
      Math.floor((slice * boxes.count) / sliceCount),
    );
    const counts = starts.map(
      (_, slice) =>
        arena.u32[(this.#lists.at + slice * MovedHashList.size + MovedHashList.at.largeCount) / 4],
    );
    const count = counts.reduce((sum, large) => sum + large, 0);
    const idsAt = this.#ids.growKeeping(4 * (movedCount + count) + SPARE, 4 * movedCount);
    const boxesAt = this.#boxes.growKeeping((movedCount + count) * BOX_BYTES + SPARE, movedCount * BOX_BYTES);
    const jobAt = this.#job.at;
    let to = idsAt / 4 + movedCount;
    starts.forEach((from, slice) => {
      arena.u32.copyWithin(to, this.#large.at / 4 + from, this.#large.at / 4 + from + counts[slice]);
      to += counts[slice];
    });
    setWords(arena.u32, jobAt, GatherBoxesJob, {
      boxesAt: boxes.at,
      idsAt: idsAt + 4 * movedCount,
      count,
      toBoxesAt: boxesAt + movedCount * BOX_BYTES,
    });
    pool.kernels.gatherBoxes(jobAt, 0, 1);
    return count;
  }

  #word(field: 'movedCount' | 'entryCount' | 'maxEntries'): number {
    return this.#context.arena.u32[(this.#job.at + MovedHashJob.at[field]) / 4];
  }
  #read(slice: number, field: 'found' | 'tests'): number {
    return this.#context.arena.f64[
      (this.#lists.at + slice * MovedHashList.size + MovedHashList.at[field]) / 8
    ];
  }
}
