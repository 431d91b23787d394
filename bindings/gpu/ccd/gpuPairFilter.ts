// Pairs of features in motion on a GPU -> those of them that share no vertex and that floats cannot show to
// be apart.
import { DropPairsParams } from '../../records/gpuContinuousLayout.js';
import type { PairsOnGpu } from '../broadphase/gpuBoxSearch.js';
import type { Commands } from '../device/commands.js';
import { type Gpu, GpuRoom } from '../device/gpu.js';
import { GpuList } from '../narrowphase/gpuList.js';

/** Pairs that are left, two words each; and how many share no vertex. */
export interface LeftPairs {
  words: Uint32Array;
  tested: number;
}

/** What is asked of all pairs of one kind: DropPairsParams without the numbers of pairs. */
export type PairQuestion = Omit<
  Readonly<Record<keyof typeof DropPairsParams.fields, number>>,
  'slot' | 'most' | 'groups' | 'capacity'
>;

const TOLD_BYTES = 8;
const SIZES_BYTES = 16;
const KERNELS = ['sizePairs', 'dropFarPairs'] as const;
/** Pairs that there is room for at first, for each feature. */
const PAIRS_A_FEATURE = 0.25;

/** Of one kind of pairs. */
export class GpuPairFilter {
  readonly #gpu: Gpu;
  readonly #kept: GpuList;
  readonly #told: GpuRoom;
  readonly #sizes: GpuRoom;
  readonly #isGuessing: boolean;

  /** capacity: pairs that may be left at first. */
  constructor(gpu: Gpu, capacity?: number) {
    this.#gpu = gpu;
    this.#isGuessing = capacity === undefined;
    this.#kept = new GpuList(gpu, 'pairs that are left', 8, capacity ?? 0);
    [this.#told, this.#sizes] = [
      new GpuRoom(gpu, 'counts of pairs'),
      new GpuRoom(gpu, 'workgroups for pairs'),
    ];
  }

  prepare(): Promise<void> {
    return this.#gpu.prepare(KERNELS);
  }

  /** Makes room for pairs of so many features, before anything is recorded. @throws GpuUnfit */
  reserve(features: number): void {
    if (this.#isGuessing) this.#kept.grow(Math.min(this.#kept.most, PAIRS_A_FEATURE * features));
    void this.#kept.buffer;
    this.#told.reserve(TOLD_BYTES);
    this.#sizes.reserve(SIZES_BYTES);
  }

  /** Records all of it, and two answers: of pairs about as many as were left the last time. */
  record(
    commands: Commands,
    { a: pairsA, b: pairsB, counts, slot, most }: PairsOnGpu,
    question: PairQuestion,
    buffers: Readonly<Record<'points' | 'corners', GPUBuffer>>,
  ): void {
    const told = this.#told.reserve(0);
    const sizes = this.#sizes.reserve(0);
    const { buffer: kept, capacity, guess } = this.#kept;
    const uniform = {
      layout: DropPairsParams,
      values: { ...question, slot, most, groups: this.#gpu.limits.workgroups, capacity },
    };
    commands.clear(told);
    commands.runGroups('sizePairs', uniform, { counts, sizes }, 1);
    commands.runIndirect(
      'dropFarPairs',
      uniform,
      { ...buffers, pairsA, pairsB, sizes, kept, counts: told },
      sizes,
    );
    commands.read(told, 0, TOLD_BYTES);
    commands.read(kept, 0, this.#kept.bytesOf(guess));
  }

  /**
   * What was read of `count` pairs. @returns nothing where fewer than were found have had room: there is more
   * of it now, and all has to be asked again. @throws GpuLost, GpuUnfit
   */
  async take([told, read]: readonly Uint32Array[], count: number): Promise<LeftPairs | undefined> {
    if (!told || !read) return { words: new Uint32Array(0), tested: 0 };
    const kept = this.#kept;
    const found = told[0];
    if (kept.grow(found)) return undefined;
    kept.lastCount = found;
    return { words: (await kept.rest(found, read)).subarray(0, 2 * found), tested: count - told[1] };
  }

  dispose(): void {
    for (const part of [this.#kept, this.#told, this.#sizes]) part.dispose();
  }
}
