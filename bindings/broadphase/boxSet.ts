// Copies a caller's boxes into engine memory and computes their statistics: number, bounds and sizes.

import { checkAttached } from '../core/checkOptions.js';
import { describe, InvalidBoxes, Unsupported } from '../core/errors.js';
import { boxLimits } from '../records/boxLimits.js';
import { BoxPlan, BoxStatistics, BoxStatisticsJob } from '../records/boxStatisticsLayout.js';
import { limits } from '../records/layout.js';
import { setWords } from '../records/record.js';
import type { EngineContext } from '../runtime/engineContext.js';
import { type Arena, GrowableBlock } from '../runtime/memory.js';
import { sliceCountOf } from '../runtime/sliceCount.js';
import { runStep } from '../runtime/steps.js';

export const BOX_BYTES = 24;
/** Minimum number of boxes per thread. With fewer, handing work to the thread takes longer than it saves. */
const BOXES_PER_SLICE = 4096;
/** Number of floats that are copied at a time. The other threads may read a chunk once it is copied. */
const COPY_CHUNK = 6 * 4096;

const COUNT = BoxPlan.at.count / 4;
const HAS_SIMILAR_SIZES = BoxPlan.at.hasSimilarSizes / 4;
const NONE = new Float32Array(0);
const MAX_BOXES = 2 ** boxLimits.BOX_BITS;

/** Number and bounds of the boxes that are not empty. */
export interface BoxBounds {
  count: number;
  low: number[];
  high: number[];
}

/** View of a BoxPlan, the statistics of a set of boxes; valid until the set gets other boxes. */
export class BoxStats implements BoxBounds {
  readonly at: number;
  readonly #arena: Arena;

  constructor(arena: Arena, at: number) {
    this.#arena = arena;
    this.at = at;
  }

  /** Number of boxes that are not empty. */
  get count(): number {
    return this.#arena.u32[this.at / 4 + COUNT];
  }
  get low(): number[] {
    return this.#axes('low');
  }
  get high(): number[] {
    return this.#axes('high');
  }
  get sweepAxis(): number {
    return this.#word('sweepAxis');
  }
  get slabAxis(): number {
    return this.#word('slabAxis');
  }
  get columnAxis(): number {
    return this.#word('columnAxis');
  }
  /**
   * Whether the boxes have similar sizes and the slabs and columns of a sweep can be as narrow as these sizes
   * require.
   */
  get hasSimilarSizes(): boolean {
    return this.#arena.u32[this.at / 4 + HAS_SIMILAR_SIZES] === 1;
  }
  /** Number of pairs to expect if all boxes had the mean size and were evenly distributed. */
  get expectedPairs(): number {
    return this.#arena.f64[(this.at + BoxPlan.at.expected) / 8];
  }

  #word(field: 'sweepAxis' | 'slabAxis' | 'columnAxis'): number {
    return this.#arena.u32[(this.at + BoxPlan.at[field]) / 4];
  }
  #axes(field: 'low' | 'high'): number[] {
    const first = (this.at + BoxPlan.at[field]) / 8;
    return [...this.#arena.f64.subarray(first, first + 3)];
  }
}

/**
 * Checks the number of boxes of one set, or of two sets together. @throws Unsupported if the number exceeds the
 * range of box indices
 */
export function checkCount(count: number): void {
  if (count > MAX_BOXES)
    throw new Unsupported(
      `${count} boxes were passed, more than the maximum of ${MAX_BOXES}`,
      'omit empty boxes, or split the boxes and test the parts against each other',
    );
}

/**
 * Checks the type and the length: six floats per box, min x, y, z, then max. @throws InvalidBoxes,
 * Unsupported
 */
export function checkBoxes(name: string, boxes: unknown): asserts boxes is Float32Array {
  if (!(boxes instanceof Float32Array))
    throw new InvalidBoxes(
      `${name} is ${describe(boxes)}, not a Float32Array`,
      `pass Float32Array.from(${name})`,
    );
  checkAttached(name, boxes, InvalidBoxes);
  if (boxes.length % 6 !== 0)
    throw new InvalidBoxes(
      `${name} has length ${boxes.length}, not a multiple of 6`,
      'pass min x, y, z, then max x, y, z of each box',
    );
  checkCount(boxes.length / 6);
}

/**
 * Rejects inverted boxes, whose min is above their max on some axis: throws an error for the first one.
 * @throws InvalidBoxes
 */
export function refuseInverted(name: string, boxes: Float32Array): void {
  for (let i = 0; i < boxes.length; i++) {
    if (i % 6 === 3) i += 3;
    if (boxes[i] > boxes[i + 3])
      throw new InvalidBoxes(
        `${name}[${i}] is ${boxes[i]}, above ${name}[${i + 3}], which is ${boxes[i + 3]}: box ${Math.floor(i / 6)} is inverted`,
        'pass min x, y, z, then max x, y, z of each box, and omit empty boxes',
      );
  }
}

/**
 * Checks that the arrays still hold `count` boxes. A caller's array may be a view of engine memory. When that
 * memory grows, its old buffer is detached, and the view becomes empty. @throws InvalidBoxes
 */
export function checkNotDetached(boxes: Float32Array, against: Float32Array = NONE, count: number): void {
  if (boxes.length + against.length !== 6 * count)
    throw new InvalidBoxes(
      'the memory of boxes was resized while they were read',
      'pass a copy of the boxes',
    );
}

/** Returns the error for a non-finite value. */
export const nonFiniteError = (name: string, index: number, value: number): InvalidBoxes =>
  new InvalidBoxes(
    `${name}[${index}] is ${value}, not a finite number`,
    `correct box ${Math.floor(index / 6)}, or omit it`,
  );

/** One set of boxes, or two sets, the second stored after the first. */
export class BoxSet {
  count = 0;
  /** Number of boxes in the first set. */
  firstCount = 0;
  readonly #context: EngineContext;
  readonly #boxes: GrowableBlock;
  readonly #statsMemory: GrowableBlock;

  constructor(context: EngineContext) {
    this.#context = context;
    this.#boxes = new GrowableBlock(context.arena);
    this.#statsMemory = new GrowableBlock(context.arena);
  }

  /** Address of the boxes: the set's own copy, or the boxes passed to `adopt` or `use`. */
  at = 0;

  /** Returns the number of slices into which a pass over `count` boxes is split. */
  slicesFor(count: number): number {
    return sliceCountOf(this.#context.pool.threadCount, count, BOXES_PER_SLICE);
  }

  /**
   * Copies the boxes and computes their statistics. While this thread copies, the other threads process the
   * boxes that are already copied. @throws InvalidBoxes that names the first value that is not finite;
   * WorkerLost, Capacity
   */
  take(boxes: Float32Array, against: Float32Array = NONE): BoxStats {
    this.firstCount = boxes.length / 6;
    this.count = this.firstCount + against.length / 6;
    this.at = this.#boxes.reserve(this.count * BOX_BYTES + 16);
    return this.#computeStats(against !== NONE, readyAt => {
      checkNotDetached(boxes, against, this.count);
      this.#copy(boxes, 0, readyAt);
      this.#copy(against, boxes.length, readyAt);
    });
  }

  /**
   * Uses boxes that are already in engine memory, and computes their statistics. @throws WorkerLost, Capacity
   */
  adopt(at: number, count: number, firstCount = count): BoxStats {
    this.use({ at, count, firstCount });
    return this.#computeStats(false);
  }

  /** Uses boxes that are already in engine memory and whose statistics are known. */
  use({ at, count, firstCount }: Pick<BoxSet, 'at' | 'count' | 'firstCount'>): void {
    [this.at, this.count, this.firstCount] = [at, count, firstCount];
  }

  dispose(): void {
    this.#boxes.dispose();
    this.#statsMemory.dispose();
  }

  // Copies `boxes` to the set's memory, starting at float number `first` of this memory. After each chunk,
  // stores the number of boxes copied so far in the word at `readyAt`.
  #copy(boxes: Float32Array, first: number, readyAt: number): void {
    const { u32, f32 } = this.#context.arena;
    for (let from = 0; from < boxes.length; from += COPY_CHUNK) {
      const end = Math.min(from + COPY_CHUNK, boxes.length);
      f32.set(boxes.subarray(from, end), this.at / 4 + first + from);
      Atomics.store(u32, readyAt / 4, (first + end) / 6);
    }
  }

  #computeStats(hasSecondSet: boolean, fill?: (readyAt: number) => void): BoxStats {
    const context = this.#context;
    const { arena, pool } = this.#context;
    const sliceCount = this.slicesFor(this.count);
    const jobAt = this.#statsMemory.reserve(
      BoxStatisticsJob.size + BoxPlan.size + sliceCount * BoxStatistics.size,
    );
    const planAt = jobAt + BoxStatisticsJob.size;
    setWords(arena.u32, jobAt, BoxStatisticsJob, {
      boxesAt: this.at,
      boxCount: this.count,
      statisticsAt: planAt + BoxPlan.size,
      ready: fill ? 0 : this.count,
      cursor: 0,
      sliceCount,
      planAt,
    });
    runStep(
      context,
      'computeBoxStatistics',
      jobAt,
      sliceCount,
      fill && (() => fill(jobAt + BoxStatisticsJob.at.ready)),
    );
    pool.kernels.mergeBoxStatistics(jobAt, 0, 1);
    const nonFinite = arena.u32[(planAt + BoxPlan.at.firstNonFinite) / 4];
    if (nonFinite !== limits.NOTHING) throw this.#nonFiniteAt(nonFinite, hasSecondSet);
    return new BoxStats(arena, planAt);
  }

  #nonFiniteAt(nonFinite: number, hasSecondSet: boolean): InvalidBoxes {
    const isFirst = nonFinite < this.firstCount * 6;
    return nonFiniteError(
      isFirst || !hasSecondSet ? 'boxes' : 'against',
      isFirst ? nonFinite : nonFinite - this.firstCount * 6,
      this.#context.arena.f32[this.at / 4 + nonFinite],
    );
  }
}
