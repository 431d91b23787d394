// Filters pairs of moving features on a GPU: drops the pairs that share a vertex, and the pairs that a test
// with floats shows to be apart.
import { FeaturePairParams } from '../../records/gpuContinuousLayout.js';
import type { PairsOnGpu } from '../broadphase/gpuBoxSearch.js';
import { type Commands, UNKNOWN_COUNT, uniformOf } from '../device/commands.js';
import { type Gpu, ScratchBuffer } from '../device/gpu.js';
import { GpuAppendList } from '../narrowphase/gpuAppendList.js';

/**
 * words: the remaining pairs, two words each. tested: number of pairs that were tested with floats. These are
 * the pairs of features that share no vertex and whose boxes overlap.
 */
export interface RemainingPairs {
  words: Uint32Array;
  tested: number;
}

/** The settings for all pairs of one kind: FeaturePairParams without the fields that `record` sets. */
export type PairFilterSettings = Omit<
  Readonly<Record<keyof typeof FeaturePairParams.fields, number>>,
  'slot' | 'maxCount' | 'capacity'
>;

const COUNTS_BYTES = 8;
const KERNELS = ['filterFeaturePairs'] as const;
/** Initial capacity in pairs per feature. */
const PAIRS_PER_FEATURE = 0.25;

/** The filter for one kind of pairs. */
export class GpuPairFilter {
  readonly #gpu: Gpu;
  readonly #kept: GpuAppendList;
  readonly #counts: ScratchBuffer;
  readonly #isEstimating: boolean;

  /** capacity: initial capacity of the list of remaining pairs. */
  constructor(gpu: Gpu, capacity?: number) {
    this.#gpu = gpu;
    this.#isEstimating = capacity === undefined;
    this.#kept = new GpuAppendList(gpu, 'remaining pairs', 8, capacity ?? 0);
    this.#counts = new ScratchBuffer(gpu, 'counts of pairs');
  }

  prepare(): Promise<void> {
    return this.#gpu.prepare(KERNELS);
  }

  /**
   * Reserves memory for the pairs of this number of features. Call it before anything is recorded.
   * @throws GpuUnfit
   */
  reserve(features: number): void {
    if (this.#isEstimating) this.#kept.grow(Math.min(this.#kept.maxCapacity, PAIRS_PER_FEATURE * features));
    void this.#kept.buffer;
    this.#counts.reserve(COUNTS_BYTES);
  }

  /**
   * Records the commands of the filter, and two reads: of the counts, and of the first remaining pairs. The
   * second read gets slightly more pairs than remained in the last call.
   */
  record(
    commands: Commands,
    { a: pairsA, b: pairsB, counts, slot, capacity: maxCount }: PairsOnGpu,
    settings: PairFilterSettings,
    buffers: Readonly<Record<'points' | 'corners', GPUBuffer>>,
  ): void {
    const ownCounts = this.#counts.reserve(0);
    const { buffer: kept, capacity, readAhead } = this.#kept;
    const uniform = uniformOf(FeaturePairParams, {
      ...settings,
      slot,
      maxCount,
      capacity,
    });
    commands.clear(ownCounts);
    commands.run(
      'filterFeaturePairs',
      uniform,
      { ...buffers, pairsA, pairsB, found: counts, kept, counts: ownCounts },
      Math.min(maxCount, UNKNOWN_COUNT),
    );
    commands.read(ownCounts, 0, COUNTS_BYTES);
    commands.read(kept, 0, this.#kept.bytesOf(readAhead));
  }

  /**
   * Returns the remaining pairs. counts, read: the results of the two reads that `record` recorded. count:
   * number of pairs with overlapping boxes.
   * @returns undefined if the list of remaining pairs was too short. Its capacity has then been raised, and
   * the caller must run the search again
   * @throws GpuLost, GpuUnfit
   */
  async take([counts, read]: readonly Uint32Array[], count: number): Promise<RemainingPairs | undefined> {
    if (!counts || !read) return { words: new Uint32Array(0), tested: 0 };
    const kept = this.#kept;
    const found = counts[0];
    if (kept.grow(found)) return undefined;
    kept.lastCount = found;
    return { words: (await kept.readAll(found, read)).subarray(0, 2 * found), tested: count - counts[1] };
  }

  dispose(): void {
    for (const resource of [this.#kept, this.#counts]) resource.dispose();
  }
}
