// Keeps a caller's boxes in engine memory between frames. Checks the boxes, and marks the boxes that have
// moved.

import { InvalidBoxes } from '../../core/errors.js';
import { BoxStatistics, BoxStatisticsJob } from '../../records/boxStatisticsLayout.js';
import { MoveBoxesJob } from '../../records/incrementalLayout.js';
import { limits } from '../../records/layout.js';
import { setWords } from '../../records/record.js';
import type { EngineContext } from '../../runtime/engineContext.js';
import { GrowableBlock } from '../../runtime/memory.js';
import { checkNotDetached, nonFiniteError, refuseInverted } from '../boxSet.js';

const SPARE = 64;
/**
 * How boxes with a min above their max are treated. 'refused': they are an error. 'empty': they are the empty
 * boxes of removed bodies.
 */
export type InvertedBoxes = 'refused' | 'empty';
/** If more than this fraction of all boxes has moved, the ids of moved boxes are not listed. */
export const MAX_LISTED = 0.25;
/** `Bounds.commonSize` is this factor times the mean square of the sizes, divided by their mean. */
const COMMON_SIZE_FACTOR = 1.25;

/** Bounds of all boxes, and `commonSize`, a size that few boxes exceed. All are per axis. */
export interface Bounds {
  low: Float32Array;
  high: Float32Array;
  commonSize: Float32Array;
}

export class TrackedBoxes {
  count = 0;
  /**
   * Bounds that contain every box that is not empty, at all of its positions since `set`. `commonSize` is
   * computed from the sizes at `set`.
   */
  readonly bounds: Bounds = {
    low: new Float32Array(3),
    high: new Float32Array(3),
    commonSize: new Float32Array(3),
  };
  /** Number of moves since the last call of `set` or `endFrame`; a box that moved twice counts twice. */
  movedCount = 0;
  readonly #context: EngineContext;
  readonly #inverted: InvertedBoxes;
  readonly #boxes: GrowableBlock;
  readonly #moved: GrowableBlock;
  readonly #places: GrowableBlock;
  readonly #job: GrowableBlock;
  #ids = new Uint32Array(64);

  constructor({ context, inverted }: { context: EngineContext; inverted: InvertedBoxes }) {
    this.#context = context;
    this.#inverted = inverted;
    const { arena } = context;
    this.#boxes = new GrowableBlock(arena);
    this.#moved = new GrowableBlock(arena);
    this.#places = new GrowableBlock(arena);
    this.#job = new GrowableBlock(arena);
  }

  get at(): number {
    return this.#boxes.at;
  }
  /**
   * Address of the marks: one byte per box, 1 if the box has moved. The last byte is followed by padding for
   * vector loads.
   */
  get movedAt(): number {
    return this.#moved.at;
  }

  /**
   * Ids of the boxes that moved since the last `set` or `endFrame`. Valid if `movedCount` is at most
   * MAX_LISTED * count.
   */
  get movedIds(): Uint32Array {
    return this.#ids.subarray(0, this.movedCount);
  }

  /** Replaces all boxes. @throws InvalidBoxes, Capacity, with nothing changed */
  set(boxes: Float32Array): void {
    const count = boxes.length / 6;
    const newBoxesAt = this.#places.reserve(boxes.byteLength + SPARE);
    const jobAt = this.#job.reserve(BoxStatisticsJob.size + BoxStatistics.size);
    const statisticsAt = jobAt + BoxStatisticsJob.size;
    const { arena, pool } = this.#context;
    checkNotDetached(boxes, undefined, count);
    arena.f32.set(boxes, newBoxesAt / 4);
    setWords(arena.u32, jobAt, BoxStatisticsJob, {
      boxesAt: newBoxesAt,
      boxCount: count,
      statisticsAt,
      ready: count,
      cursor: 0,
    });
    pool.kernels.computeBoxStatistics(jobAt, 0, 1);
    this.#checkStats(statisticsAt, boxes);
    const movedAt = this.#moved.growKeeping(count + SPARE, this.count);
    // The marks may now be in a new block. Clears the padding after the current marks first, so that these
    // marks stay valid even if the memory for the new boxes cannot be allocated.
    arena.u8.fill(0, movedAt + this.count, movedAt + this.count + SPARE);
    // Copies from `newBoxesAt`, not from the caller's array: if that array is a view of the engine's memory, it
    // becomes empty when this memory grows, which `growKeeping` may cause.
    const at = this.#boxes.growKeeping(24 * count + SPARE, 0);
    arena.f32.copyWithin(at / 4, newBoxesAt / 4, newBoxesAt / 4 + 6 * count);
    arena.u8.fill(0, movedAt, movedAt + count + SPARE);
    this.count = count;
    this.movedCount = 0;
    this.#setBounds(statisticsAt);
  }

  /**
   * Moves the box with id ids[k] to boxes[6 * k .. 6 * k + 5], for each k. @throws InvalidBoxes, Capacity,
   * with nothing changed
   */
  move(ids: Uint32Array, boxes: Float32Array): void {
    const count = ids.length;
    const idsAt = this.#places.reserve(4 * count + boxes.byteLength + SPARE);
    const newBoxesAt = idsAt + 4 * count;
    const jobAt = this.#job.reserve(MoveBoxesJob.size + BoxStatistics.size);
    const statisticsAt = jobAt + MoveBoxesJob.size;
    const { arena, pool } = this.#context;
    checkNotDetached(boxes, undefined, count);
    if (ids.length !== count)
      throw new InvalidBoxes('the memory of ids was resized while they were read', 'pass a copy of the ids');
    arena.u32.set(ids, idsAt / 4);
    arena.f32.set(boxes, newBoxesAt / 4);
    setWords(arena.u32, jobAt, MoveBoxesJob, {
      boxesAt: this.#boxes.at,
      boxCount: this.count,
      idsAt,
      placesAt: newBoxesAt,
      count,
      movedAt: this.#moved.at,
      statisticsAt,
      minCount: this.#inverted === 'refused' ? count : 0,
    });
    pool.kernels.moveBoxes(jobAt, 0, 1);
    const invalid = arena.u32[(jobAt + MoveBoxesJob.at.firstInvalid) / 4];
    if (invalid !== limits.NOTHING)
      throw new InvalidBoxes(
        `ids[${invalid}] is ${ids[invalid]}, but there are ${this.count} boxes`,
        'pass ids below the number of boxes passed to set',
      );
    this.#checkStats(statisticsAt, boxes);
    this.#listIds(ids);
    this.#growBounds(statisticsAt);
  }

  /** Ends the frame: clears the marks of the moved boxes and the list of their ids. */
  endFrame(): void {
    if (this.movedCount > 0) this.#context.arena.u8.fill(0, this.#moved.at, this.#moved.at + this.count);
    this.movedCount = 0;
  }

  dispose(): void {
    for (const buffer of [this.#boxes, this.#moved, this.#places, this.#job]) buffer.dispose();
  }

  #listIds(ids: Uint32Array): void {
    const from = this.movedCount;
    this.movedCount += ids.length;
    if (this.movedCount > MAX_LISTED * this.count) return;
    if (this.#ids.length < this.movedCount) {
      const grown = new Uint32Array(2 * this.movedCount);
      grown.set(this.#ids.subarray(0, from));
      this.#ids = grown;
    }
    this.#ids.set(ids, from);
  }

  #setBounds(statisticsAt: number): void {
    const { low, high, commonSize } = this.bounds;
    low.fill(Infinity);
    high.fill(-Infinity);
    this.#growBounds(statisticsAt);
    const { f64 } = this.#context.arena;
    for (let axis = 0; axis < 3; axis++) {
      const sum = f64[(statisticsAt + BoxStatistics.at.sumX) / 8 + axis];
      const squares = f64[(statisticsAt + BoxStatistics.at.squareX) / 8 + axis];
      // If the size of a box overflows float32, the sums and `commonSize` are infinite. No box is then larger
      // than `commonSize`. In the grids that use `commonSize`, each moved box then marks the cells on this axis
      // from the first cell of the grid to the last cell that the box reaches.
      commonSize[axis] =
        sum === 0
          ? 0
          : sum < Infinity && squares < Infinity
            ? (COMMON_SIZE_FACTOR * squares) / sum
            : Infinity;
    }
  }

  // Grows the bounds. Empty boxes do not contribute.
  #growBounds(statisticsAt: number): void {
    const { low, high } = this.bounds;
    const { f32 } = this.#context.arena;
    for (let axis = 0; axis < 3; axis++) {
      low[axis] = Math.min(low[axis], f32[(statisticsAt + BoxStatistics.at.low) / 4 + axis]);
      high[axis] = Math.max(high[axis], f32[(statisticsAt + BoxStatistics.at.high) / 4 + axis]);
    }
  }

  #checkStats(statisticsAt: number, boxes: Float32Array): void {
    const nonFinite = this.#context.arena.u32[(statisticsAt + BoxStatistics.at.firstNonFinite) / 4];
    if (nonFinite !== limits.NOTHING) throw nonFiniteError('boxes', nonFinite, boxes[nonFinite]);
    if (
      this.#inverted === 'refused' &&
      this.#context.arena.u32[(statisticsAt + BoxStatistics.at.count) / 4] < boxes.length / 6
    )
      refuseInverted('boxes', boxes);
  }
}
