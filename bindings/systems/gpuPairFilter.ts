// Pairs of features in motion -> on a GPU, those of them that share no vertex and that floats cannot show to be apart.
import { DropPairsParams } from '../gpuContinuousLayout.js';
import { Commands } from '../webgpu/commands.js';
import { GpuRoom, type Gpu } from '../webgpu/gpu.js';

/** Pairs that are left, as far as there was room; how many these are; and how many share no vertex. */
export interface LeftPairs { a: Uint32Array; b: Uint32Array; found: number; tested: number }

/** What is asked of all pairs of one kind: DropPairsParams without the numbers of pairs. */
export type PairQuestion = Omit<Readonly<Record<keyof typeof DropPairsParams.fields, number>>, 'count' | 'capacity'>;

/** Pairs that are sent at a time. */
const MOST_PAIRS = 2 ** 20;
const TOLD_BYTES = 8;

/** Of one kind of pairs. */
export class GpuPairFilter {
  /** Pairs that are left and that there is room for. */
  capacity: number;
  private readonly gpu: Gpu;
  private readonly rooms: Readonly<Record<'pairsA' | 'pairsB' | 'keptA' | 'keptB' | 'told', GpuRoom>>;

  /** capacity: at first; undefined: by how many pairs there are. */
  constructor(gpu: Gpu, capacity?: number) {
    this.gpu = gpu;
    this.capacity = capacity ?? -1;
    const room = (label: string): GpuRoom => new GpuRoom(gpu, label);
    this.rooms = { pairsA: room('pairs'), pairsB: room('pairs'), keptA: room('pairs that are left'), keptB: room('pairs that are left'), told: room('counts') };
  }

  /**
   * a, b: numbers of features, which are sent before it returns. buffers: what GpuMovingPoints has sent.
   * More may be found than there is room for: then `capacity` has grown, and it has to be asked again. @throws GpuLost, GpuUnfit
   */
  ask(a: Uint32Array, b: Uint32Array, question: PairQuestion, buffers: Readonly<Record<'points' | 'corners', GPUBuffer>>): Promise<LeftPairs> {
    const { gpu, rooms } = this, count = a.length, most = Math.min(MOST_PAIRS, Math.max(1, gpu.limits.bindingBytes / 4));
    if (this.capacity < 0) this.capacity = Math.min(Math.ceil(count / 8) + 256, gpu.limits.bindingBytes / 4);
    const { capacity } = this, told = rooms.told.reserve(TOLD_BYTES), keptA = rooms.keptA.reserve(4 * capacity), keptB = rooms.keptB.reserve(4 * capacity);
    const sent: Promise<Uint32Array[]>[] = [];
    for (let first = 0; first === 0 || first < count; first += most) {
      const pairsA = rooms.pairsA.reserve(4 * Math.min(most, count)), pairsB = rooms.pairsB.reserve(4 * Math.min(most, count));
      const commands = new Commands(gpu), end = Math.min(count, first + most);
      if (first === 0) commands.clear(told);
      commands.upload(pairsA, 0, a.subarray(first, end));
      commands.upload(pairsB, 0, b.subarray(first, end));
      commands.run('dropFarPairs', { layout: DropPairsParams, values: { ...question, count: end - first, capacity } }, { ...buffers, pairsA, pairsB, keptA, keptB, told }, end - first);
      if (end === count) for (const [buffer, bytes] of [[told, TOLD_BYTES], [keptA, 4 * capacity], [keptB, 4 * capacity]] as const) commands.read(buffer, 0, bytes);
      sent.push(commands.submit());
    }
    return this.collect(sent, count, capacity);
  }

  dispose(): void { for (const room of Object.values(this.rooms)) room.dispose(); }

  private async collect(sent: readonly Promise<Uint32Array[]>[], count: number, capacity: number): Promise<LeftPairs> {
    const [counts, a, b] = (await Promise.all(sent)).at(-1)! as [Uint32Array, Uint32Array, Uint32Array], found = counts[0]!;
    this.capacity = Math.max(this.capacity, found > capacity ? Math.ceil(1.25 * found) : 0);
    const held = Math.min(found, capacity);
    return { a: a.subarray(0, held), b: b.subarray(0, held), found, tested: count - counts[1]! };
  }
}
