// Finds the pairs of overlapping boxes on a GPU by sweep and prune within cells that hold similar numbers of
// boxes. The result is the same, byte for byte, as on the CPU.

import { BoxSet, type BoxStats, checkBoxes, refuseInverted } from '../../broadphase/boxSet.js';
import { gpuBoxLimits } from '../../records/gpuBoxLayout.js';
import { limits } from '../../records/layout.js';
import type { EngineContext } from '../../runtime/engineContext.js';
import { RetryingScratch } from '../../runtime/retry.js';
import { Commands } from '../device/commands.js';
import type { Gpu } from '../device/gpu.js';
import { GpuUnfit } from '../device/gpuErrors.js';
import { CellSplitter, keyOf } from './cellSplitter.js';
import { GpuBoxSearch, type PairsOnGpu, type SearchPlan } from './gpuBoxSearch.js';

const { BOX_BITS, LARGE_COUNT, PAIRS_LOW, PAIRS_HIGH } = gpuBoxLimits;
/**
 * BOXES_PER_CELL: target number of boxes per cell. MAX_DEPTH: max number of splits from the root to a cell.
 */
const BOXES_PER_CELL = 128;
const MAX_DEPTH = 14;
/**
 * Sort keys have KEY_BITS[0] bits if the depth is at most MAX_DEPTH_OF_SHORT_KEYS, else KEY_BITS[1] bits.
 * Both numbers are multiples of 8, because a digit of the radix sort has 8 bits.
 */
const MAX_DEPTH_OF_SHORT_KEYS = 4;
const KEY_BITS = [16, 24] as const;
/**
 * A box has an entry in each cell that it overlaps, but a large box has none. MAX_COPIES: max mean number of
 * entries per box; if it is exceeded, the cells are made larger. ENTRIES_PER_BOX: initial capacity, in entries
 * per box.
 */
const MAX_COPIES = 4;
const ENTRIES_PER_BOX = 1.5;
/** Max number of large boxes: boxes that overlap too many cells and are tested against all others. */
const MAX_LARGE = 512;
/** If there are more than MAX_LARGE large boxes, the depth is reduced by at least this number of splits. */
const MIN_DEPTH_REDUCTION = 3;
/**
 * PAIRS_PER_BOX: initial capacity of the list of pairs, in pairs per box. SPARE: if the list was too short,
 * its new capacity is the number of pairs found, times this factor.
 */
const PAIRS_PER_BOX = 4;
const SPARE = 1.25;

export interface GpuBoxPairsOptions {
  /** A second set of boxes. Each pair then consists of a box of the first set and a box of the second set. */
  against?: Float32Array | undefined;
  /** Whether to only count the pairs. If true, `a` and `b` are empty. Counts beyond 2^32 are exact. */
  countOnly?: boolean;
  /**
   * 'refused': a box with a min above its max is an error. By default, such a box is empty and overlaps no
   * box; removed bodies have such boxes.
   */
  inverted?: 'refused' | undefined;
}

/**
 * A region of space that is searched separately. Space is divided into regions along `axis`, and this region
 * begins at `start`. If both boxes of a pair begin before `start`, the search of an earlier region reports the
 * pair.
 */
export interface BoxRegion {
  axis: number;
  start: number;
}

/**
 * Values that replace the defaults above: target number of boxes per cell, initial capacities in entries and
 * in pairs, and max number of large boxes. Tests pass small values.
 */
export interface GpuBoxCapacities {
  boxesPerCell?: number;
  entries?: number;
  pairs?: number;
  maxLarge?: number;
}

/**
 * cells: number of cells. entries: number of entries in all cells. large: number of boxes that are too large
 * for cells. attempts: number of searches that were needed. batches: number of batches in which the list of
 * pairs was written. milliseconds: time of the whole call. hostMilliseconds: time until the last attempt was
 * submitted to the GPU.
 */
export interface GpuBoxPairsStats {
  cells: number;
  entries: number;
  large: number;
  attempts: number;
  batches: number;
  milliseconds: number;
  hostMilliseconds: number;
}

/** Pairs sorted by a, then b. */
export interface GpuBoxPairsResult {
  count: number;
  a: Uint32Array;
  b: Uint32Array;
  stats: GpuBoxPairsStats;
}

/** Records steps that use the pairs. */
export type RecordPairSteps = (commands: Commands, pairs: PairsOnGpu) => void;
interface PairConsumer {
  record: RecordPairSteps;
  take(answers: readonly Uint32Array[]): void;
}

interface BoxQuery {
  boxes: Float32Array;
  against: Float32Array | undefined;
  countOnly: boolean;
  region: BoxRegion | undefined;
  stats: BoxStats;
  startedAt: number;
  use: PairConsumer | undefined;
}

/**
 * Finds the pairs of overlapping boxes on one GPU. All calls use the same buffers, so calls must not overlap.
 */
export class GpuBoxPairs {
  readonly #gpu: Gpu;
  private readonly search: GpuBoxSearch;
  readonly #scratch: RetryingScratch<{ set: BoxSet; splitter: CellSplitter }>;
  readonly #boxesPerCell: number;
  readonly #maxLarge: number;
  #entryCapacity: number;
  #pairCapacity: number;
  readonly #isEstimating: boolean;
  /** Number of pairs of the last call. The next call reads up to this many pairs together with the counts. */
  #expected = 0;

  constructor(gpu: Gpu, context: EngineContext, capacities: GpuBoxCapacities = {}) {
    this.#gpu = gpu;
    this.search = new GpuBoxSearch(gpu);
    this.#scratch = new RetryingScratch(() => ({
      set: new BoxSet(context),
      splitter: new CellSplitter(context),
    }));
    this.#boxesPerCell = capacities.boxesPerCell ?? BOXES_PER_CELL;
    this.#maxLarge = capacities.maxLarge ?? MAX_LARGE;
    this.#entryCapacity = capacities.entries ?? 0;
    this.#pairCapacity = capacities.pairs ?? 0;
    this.#isEstimating = capacities.pairs === undefined;
  }

  /**
   * Finds all pairs of overlapping boxes. boxes: six floats each, as for `Engine.boxPairs`. region: the region
   * of space to search; by default, all of it. @throws InvalidBoxes, Unsupported, Capacity; GpuLost; GpuUnfit
   * if the device cannot hold the boxes or the pairs
   */
  find(
    boxes: Float32Array,
    options: GpuBoxPairsOptions = {},
    region?: BoxRegion,
  ): Promise<GpuBoxPairsResult> {
    return this.#answer(boxes, options, region);
  }

  /**
   * Finds the same pairs as `find`, but in any order, and leaves them in GPU buffers for further steps. `use`
   * records these steps and the reads of their results. If a list was too short or a limit was exceeded, the
   * search is repeated. `use` is called once per attempt. If fewer than two boxes are nonempty, `use` is not
   * called, and there are no results of reads.
   * @returns the number of pairs, and the results of the reads in the last attempt: first the reads that `use`
   * recorded, then four more (see GpuBoxSearch.submitAndRead). @throws as `find`
   */
  async findFor(
    boxes: Float32Array,
    against: Float32Array | undefined,
    use: RecordPairSteps,
  ): Promise<{ count: number; answers: readonly Uint32Array[] }> {
    let answers: readonly Uint32Array[] = [];
    const { count } = await this.#answer(boxes, { against }, undefined, {
      record: use,
      take: read => {
        answers = read;
      },
    });
    return { count, answers };
  }

  dispose(): void {
    this.search.dispose();
    this.#scratch.dispose();
  }

  async #answer(
    boxes: Float32Array,
    { against, countOnly = false, inverted }: GpuBoxPairsOptions,
    region: BoxRegion | undefined,
    use?: PairConsumer,
  ): Promise<GpuBoxPairsResult> {
    const startedAt = performance.now();
    checkBoxes('boxes', boxes);
    if (against) checkBoxes('against', against);
    const count = (boxes.length + (against?.length ?? 0)) / 6;
    if (count > 2 ** BOX_BITS) throw new GpuUnfit(`${count} boxes exceed the maximum of 2^26 on a GPU`);
    await this.search.prepare();
    const stats = this.#scratch.run(({ set }) => set.take(boxes, against));
    if (inverted && stats.count < count)
      for (const [name, list] of Object.entries({ boxes, against })) if (list) refuseInverted(name, list);
    if (stats.count < 2) return emptyResult();
    const found = await this.#searchFor({ boxes, against, countOnly, region, stats, startedAt, use });
    found.stats.milliseconds = performance.now() - startedAt;
    return found;
  }

  // Repeats the search until the list of entries is long enough and no limit on entries per box or on large
  // boxes is exceeded; for `findFor`, also until the list of pairs is long enough.
  async #searchFor(query: BoxQuery): Promise<GpuBoxPairsResult> {
    const { stats } = query;
    const axis = stats.sweepAxis;
    const maxEntries = this.search.maxEntries;
    let depth = Math.max(0, Math.min(MAX_DEPTH, Math.round(Math.log2(stats.count / this.#boxesPerCell))));
    this.#entryCapacity = Math.max(
      1,
      Math.min(maxEntries, this.#entryCapacity || Math.ceil(ENTRIES_PER_BOX * stats.count)),
    );
    if (this.#isEstimating) this.#pairCapacity = Math.max(this.#pairCapacity, PAIRS_PER_BOX * stats.count);
    for (let attempts = 1; ; attempts++) {
      const plan = this.#planFor(query, depth, axis);
      const commands = new Commands(this.#gpu);
      const { use } = query;
      this.#dropOnError(commands, () => {
        this.#upload(commands, query, plan);
        this.search.record(commands, plan);
        if (use) use.record(commands, this.search.recordPairs(commands, plan));
        else if (!query.countOnly) this.search.recordList(commands, plan);
      });
      const expected = query.countOnly || use ? 0 : Math.min(this.#expected, plan.pairs);
      const reading = this.search.submitAndRead(commands, plan, expected);
      const hostMilliseconds = performance.now() - query.startedAt;
      const answers = await reading;
      const [counters, [entries], a, b] = answers.slice(-4);
      const large = counters[LARGE_COUNT];
      const copies = entries! / stats.count;
      const isCrowded = large > this.#maxLarge || copies > MAX_COPIES || entries! > maxEntries;
      if (isCrowded && depth > 0) {
        depth = Math.max(
          0,
          depth -
            Math.max(
              large > this.#maxLarge ? MIN_DEPTH_REDUCTION : 1,
              Math.ceil(Math.log2(Math.max(1, copies / MAX_COPIES))),
            ),
        );
        continue;
      }
      if (entries! > this.#entryCapacity) {
        this.#entryCapacity = entries!;
        continue;
      }
      const count = counters[PAIRS_LOW] + counters[PAIRS_HIGH] * 2 ** 32;
      const runStats = {
        cells: 2 ** depth,
        entries: entries!,
        large,
        attempts,
        batches: 1,
        milliseconds: 0,
        hostMilliseconds,
      };
      if (use && count > plan.pairs) {
        if (count > this.search.maxPairs)
          throw new GpuUnfit(`${count} pairs do not fit in a buffer of this device`);
        this.#pairCapacity = Math.min(this.search.maxPairs, Math.ceil(SPARE * count));
        continue;
      }
      use?.take(answers);
      if (query.countOnly || use)
        return { count, a: new Uint32Array(0), b: new Uint32Array(0), stats: runStats };
      return this.#collect(plan, { count, a, b, stats: runStats });
    }
  }

  // Calls `record`. If it throws, for example because a buffer does not fit, drops all recorded steps.
  #dropOnError(commands: Commands, record: () => void): void {
    try {
      record();
    } catch (error) {
      commands.drop();
      throw error;
    }
  }

  // Completes `found`, which has at most the expected number of pairs so far. If the whole list was written,
  // reads the rest. If the list was too short, enlarges it, and writes and reads it again. If the list does not
  // fit in a buffer of the device, writes and reads it in batches.
  async #collect(plan: SearchPlan, found: GpuBoxPairsResult): Promise<GpuBoxPairsResult> {
    const { count } = found;
    const maxPairs = this.search.maxPairs;
    this.#expected = Math.min(count, maxPairs);
    if (count <= found.a.length) return { ...found, a: found.a.slice(0, count), b: found.b.slice(0, count) };
    const a = allocate(count);
    const b = allocate(count);
    if (count <= plan.pairs) {
      const first = found.a.length;
      a.set(found.a);
      b.set(found.b);
      await this.search.readRest(first, count, a, b);
    } else if (count <= maxPairs) {
      this.#pairCapacity = Math.min(maxPairs, Math.ceil(SPARE * count));
      await this.search.rewriteList({ ...plan, pairs: this.#pairCapacity }, count, a, b);
    } else {
      this.#pairCapacity = maxPairs;
      found.stats.batches = await this.search.rewriteListInBatches({ ...plan, pairs: maxPairs }, a, b);
    }
    return { ...found, a, b };
  }

  #planFor({ boxes, against, region, stats }: BoxQuery, depth: number, axis: number): SearchPlan {
    const firstCount = boxes.length / 6;
    const count = firstCount + (against ? against.length / 6 : 0);
    const keyBits = depth <= MAX_DEPTH_OF_SHORT_KEYS ? KEY_BITS[0] : KEY_BITS[1];
    const positionBits = keyBits - depth;
    const { splits, cells } = this.#scratch.run(({ set, splitter }) =>
      splitter.split(set, stats, depth, axis, positionBits),
    );
    return {
      count,
      secondFrom: against ? firstCount : limits.NOTHING,
      firstB: against ? firstCount : 0,
      endB: against ? count - firstCount : count,
      regionAxis: region?.axis ?? 0,
      regionStart: region ? keyOf(region.start) : 0,
      depth,
      axis,
      positionBits,
      keyBits,
      splits,
      cells,
      entries: this.#entryCapacity,
      pairs: Math.max(1, Math.min(this.#pairCapacity, this.search.maxPairs)),
      maxLarge: this.#maxLarge,
    };
  }

  #upload(commands: Commands, { boxes, against }: BoxQuery, plan: SearchPlan): void {
    this.search.reserve(plan);
    this.search.upload(commands, plan, [boxes, ...(against ? [against] : [])]);
  }
}

const emptyResult = (): GpuBoxPairsResult => ({
  count: 0,
  a: new Uint32Array(0),
  b: new Uint32Array(0),
  stats: { cells: 0, entries: 0, large: 0, attempts: 0, batches: 0, milliseconds: 0, hostMilliseconds: 0 },
});

function allocate(count: number): Uint32Array {
  try {
    return new Uint32Array(count);
  } catch {
    throw new GpuUnfit(`${count} pairs exceed the maximum length of an array`);
  }
}
