// Pairs of features in motion on a GPU -> those of them that share no vertex and that floats cannot show to be apart.
import { DropPairsParams } from '../gpuContinuousLayout.js';
import type { Commands } from '../webgpu/commands.js';
import { GpuUnfit } from '../webgpu/gpuErrors.js';
import { GpuRoom, type Gpu } from '../webgpu/gpu.js';
import type { PairsOnGpu } from './gpuBoxSearch.js';

/** Pairs that are left, as far as there was room; how many these are; and how many share no vertex. */
export interface LeftPairs { a: Uint32Array; b: Uint32Array; found: number; tested: number }

/** What is asked of all pairs of one kind: DropPairsParams without the numbers of pairs. */
export type PairQuestion = Omit<Readonly<Record<keyof typeof DropPairsParams.fields, number>>, 'slot' | 'most' | 'groups' | 'capacity'>;

const TOLD_BYTES = 8, SIZES_BYTES = 16;
const KERNELS = ['sizePairs', 'dropFarPairs'] as const;
/** Pairs that there is room for at first: so many, and so many for each feature. */
const LEAST_PAIRS = 256, PAIRS_A_FEATURE = 0.25;
/** What is to spare where room is made. */
const SPARE = 1.25;

/** Of one kind of pairs. */
export class GpuPairFilter {
  private readonly gpu: Gpu;
  private readonly keptA: GpuRoom;
  private readonly keptB: GpuRoom;
  private readonly told: GpuRoom;
  private readonly sizes: GpuRoom;
  private capacity: number | undefined;
  private asked = 0;

  /** capacity: pairs that may be left at first. */
  constructor(gpu: Gpu, capacity?: number) {
    this.gpu = gpu;
    this.capacity = capacity;
    const room = (label: string): GpuRoom => new GpuRoom(gpu, label);
    [this.keptA, this.keptB, this.told, this.sizes] = [room('pairs that are left'), room('pairs that are left'), room('counts of pairs'), room('workgroups for pairs')];
  }

  prepare(): Promise<void> { return this.gpu.prepare(KERNELS); }

  /** Makes room for pairs of so many features, before anything is recorded. @throws GpuUnfit */
  reserve(features: number): void {
    this.asked = this.capacity ??= Math.min(LEAST_PAIRS + Math.ceil(PAIRS_A_FEATURE * features), Math.floor(this.gpu.limits.bindingBytes / 4));
    for (const room of [this.keptA, this.keptB]) room.reserve(4 * this.asked);
    this.told.reserve(TOLD_BYTES);
    this.sizes.reserve(SIZES_BYTES);
  }

  /** Records all of it, and three answers. */
  record(commands: Commands, { a: pairsA, b: pairsB, counts, slot, most }: PairsOnGpu, question: PairQuestion, buffers: Readonly<Record<'points' | 'corners', GPUBuffer>>): void {
    const [keptA, keptB, told, sizes] = [this.keptA.reserve(0), this.keptB.reserve(0), this.told.reserve(0), this.sizes.reserve(0)], capacity = this.asked;
    const uniform = { layout: DropPairsParams, values: { ...question, slot, most, groups: this.gpu.limits.workgroups, capacity } };
    commands.clear(told);
    commands.runGroups('sizePairs', uniform, { counts, sizes }, 1);
    commands.runIndirect('dropFarPairs', uniform, { ...buffers, pairsA, pairsB, sizes, keptA, keptB, counts: told }, sizes);
    for (const [buffer, bytes] of [[told, TOLD_BYTES], [keptA, 4 * capacity], [keptB, 4 * capacity]] as const) commands.read(buffer, 0, bytes);
  }

  /** What was read of `count` pairs. Where fewer than were found have had room, there is more of it now, and all has to be asked again. */
  take([told, a, b]: readonly Uint32Array[], count: number): LeftPairs {
    if (!told || !a || !b) return { a: new Uint32Array(0), b: new Uint32Array(0), found: 0, tested: 0 };
    const found = told[0]!, held = Math.min(found, this.asked);
    const most = Math.floor(this.gpu.limits.bindingBytes / 4);
    if (found > most) throw new GpuUnfit(`${found} pairs are left: this device has room for ${most}`);
    if (found > this.asked) this.capacity = Math.min(most, Math.ceil(SPARE * found));
    return { a: a.subarray(0, held), b: b.subarray(0, held), found, tested: count - told[1]! };
  }

  dispose(): void { for (const room of [this.keptA, this.keptB, this.told, this.sizes]) room.dispose(); }
}
