// Fast path of sweep and prune for up to 65,536 boxes on one thread. For small inputs, the time that
// JavaScript takes between the kernels dominates. The job record is therefore written only when the number of
// boxes in either set changes; all other calls just copy the boxes and run three kernels.

import type { StageClock } from '../core/stageClock.js';
import { SapBox, SlabJob } from '../records/boxLayout.js';
import { BoxPlan, BoxStatistics } from '../records/boxStatisticsLayout.js';
import { limits } from '../records/layout.js';
import { setWords } from '../records/record.js';
import type { EngineContext } from '../runtime/engineContext.js';
import { GrowableBlock } from '../runtime/memory.js';
import { BoxLists } from './boxLists.js';
import { BOX_BYTES, BoxStats, checkNotDetached } from './boxSet.js';
import { MAX_COPIES, SLAB_COUNTS_BYTES, SLABS_BYTES, slabFields } from './slabSweep.js';

/**
 * Maximum number of boxes. With more boxes, the time between kernels is negligible, and the memory for the
 * maximum number of box copies would be too large.
 */
export const MAX_FEW_BOXES = 2 ** 16;

const NONE = new Float32Array(0);
const CURSOR = SlabJob.at.cursor / 4;
const MAX_COUNT = SlabJob.at.maxCount / 4;
const NON_FINITE = BoxPlan.at.firstNonFinite / 4;

export class FewBoxesSweep {
  readonly lists: BoxLists;
  /**
   * count: number of boxes in the last call of `take`. firstCount: how many of these are in the first set.
   * at: address of the boxes. Both counts are -1 before the first call.
   */
  count = -1;
  firstCount = -1;
  at = 0;
  readonly #context: EngineContext;
  readonly #clock: StageClock;
  readonly #memory: GrowableBlock;
  /** Number of boxes per slab that the list's scratch memory can hold. */
  #maxSlabBoxes = -1;
  /** Whether the list has capacity for pairs or only counts them; undefined before the first reserve. */
  #hasCapacity: boolean | undefined;
  #hasSecondSet = false;
  #jobAt = 0;
  #sweptAt = 0;
  #stats: BoxStats;

  constructor(context: EngineContext, clock: StageClock) {
    this.#context = context;
    this.#clock = clock;
    this.lists = new BoxLists(context);
    this.#memory = new GrowableBlock(context.arena);
    this.#stats = new BoxStats(context.arena, 0);
  }

  /**
   * Copies the boxes into engine memory. @returns their statistics, or undefined if a value is not finite or
   * a box is inverted. @throws InvalidBoxes, Capacity
   */
  take(boxes: Float32Array, against: Float32Array = NONE): BoxStats | undefined {
    const firstCount = boxes.length / 6;
    const count = firstCount + against.length / 6;
    if (count !== this.count || firstCount !== this.firstCount || (against !== NONE) !== this.#hasSecondSet)
      this.#prepareJob(count, firstCount, against !== NONE);
    checkNotDetached(boxes, against, count);
    const {
      arena: { f32, u32 },
      pool: { kernels },
    } = this.#context;
    const { at } = this;
    const jobAt = this.#jobAt;
    const stats = this.#stats;
    f32.set(boxes, at / 4);
    if (against !== NONE) f32.set(against, at / 4 + boxes.length);
    kernels.computeSmallBoxStatistics(jobAt, 0, 1);
    return u32[stats.at / 4 + NON_FINITE] === limits.NOTHING && stats.count === count ? stats : undefined;
  }

  /**
   * Finds all pairs of the boxes that `take` copied. expected: returns the expected number of pairs; called
   * only if no capacity is reserved yet. If `expected` is omitted, pairs are only counted. @throws Capacity
   */
  sweep(expected?: () => number): void {
    const { lists } = this;
    const {
      arena,
      pool: { kernels },
    } = this.#context;
    const clock = this.#clock;
    const jobAt = this.#jobAt;
    kernels.distributeToSlabs(jobAt, 0, 1);
    const maxCount = arena.u32[jobAt / 4 + MAX_COUNT];
    if (maxCount > this.#maxSlabBoxes) this.#prepareLists(maxCount);
    clock.end('distribute');
    if (expected ? !this.#hasCapacity : this.#hasCapacity !== false) this.#reserve(expected?.() ?? 0);
    do {
      lists.reset();
      arena.u32[jobAt / 4 + CURSOR] = 0;
      kernels.sweepSlabs(jobAt, 0, 1);
    } while (expected && lists.growOutput());
  }

  /** Number of box copies that were swept. A box may have several copies. */
  get placeCount(): number {
    return this.lists.sum('entries');
  }

  /** Address of the memory for box copies. The caller may overwrite this memory, except during `sweep`. */
  get scratchAt(): number {
    return this.#sweptAt;
  }

  dispose(): void {
    this.count = -1;
    for (const resource of [this.lists, this.#memory]) resource.dispose();
  }

  // Reserves memory for the boxes and for the maximum number of their copies, and writes the job.
  #prepareJob(count: number, firstCount: number, hasSecondSet: boolean): void {
    this.count = -1;
    const sweptBytes = MAX_COPIES * count * SapBox.size;
    const recordBytes = SlabJob.size + BoxPlan.size + BoxStatistics.size;
    const jobAt = (this.#jobAt = this.#memory.reserve(
      recordBytes + SLAB_COUNTS_BYTES + SLABS_BYTES + sweptBytes + count * BOX_BYTES + 16,
    ));
    const planAt = jobAt + SlabJob.size;
    const countsAt = jobAt + recordBytes;
    const slabsAt = countsAt + SLAB_COUNTS_BYTES;
    const sweptAt = (this.#sweptAt = slabsAt + SLABS_BYTES);
    const boxesAt = (this.at = sweptAt + sweptBytes);
    const { arena, packTableAt } = this.#context;
    this.#stats = new BoxStats(arena, planAt);
    setWords(arena.u32, jobAt, SlabJob, {
      boxesAt,
      first: 0,
      last: count,
      sliceCount: 1,
      planAt,
      threads: 1,
      secondFrom: hasSecondSet ? firstCount : limits.NOTHING,
      passiveFrom: firstCount,
      packTableAt,
      ...slabFields(countsAt, slabsAt, count),
      sapBoxesAt: sweptAt,
    });
    this.#maxSlabBoxes = -1;
    this.#hasCapacity = undefined;
    [this.count, this.firstCount, this.#hasSecondSet] = [count, firstCount, hasSecondSet];
  }

  #reserve(capacity: number): void {
    this.lists.reserve(capacity);
    this.#hasCapacity = capacity > 0;
  }

  #prepareLists(maxCount: number): void {
    const { lists } = this;
    const { arena } = this.#context;
    const jobAt = this.#jobAt;
    lists.prepare(1, maxCount);
    setWords(arena.u32, jobAt, SlabJob, { listsAt: lists.at });
    this.#maxSlabBoxes = maxCount;
  }
}
