// Keys of some bits, each with a value -> sorted by key, those of equal keys in their order: three dispatches
// for every eight bits.
import { DigitParams, gpuBoxLimits } from '../../records/gpuBoxLayout.js';
import type { Commands } from './commands.js';
import { type Gpu, GpuRoom } from './gpu.js';
import { type Count, countWords, mostOf } from './scan.js';

const { DIGITS } = gpuBoxLimits;
const DIGIT_BITS = Math.log2(DIGITS);
/** Rounds of a workgroup that a chunk is worth, since its counts have to be scanned. */
const ROUNDS_A_CHUNK = 4;
/** Enough workgroups for any device. */
const MOST_CHUNKS = 1024;

/** A word of each for every item. */
export interface KeyedValues {
  readonly keys: GPUBuffer;
  readonly values: GPUBuffer;
}

/** Owns the table of counts. */
export class RadixSort {
  /** To be prepared before the first `record`. */
  static readonly kernels = ['countDigits', 'scanDigits', 'moveDigits'] as const;
  readonly #gpu: Gpu;
  readonly #table: GpuRoom;
  readonly #none: GpuRoom;

  constructor(gpu: Gpu) {
    this.#gpu = gpu;
    this.#table = new GpuRoom(gpu, 'counts of digits');
    this.#none = new GpuRoom(gpu, 'no count');
  }

  /**
   * Room for sorts of this many: where several are recorded before a submit, before the first of them.
   * @throws GpuUnfit
   */
  reserve(most: number): void {
    this.#table.reserve(4 * DIGITS * (this.#chunksOf(most) + 1));
  }

  /**
   * Sorts by bits firstBit <= i < firstBit + bits of the keys. items and spare have words for all; both are
   * written to.
   * @returns whichever of the two holds the sorted items. @throws GpuUnfit
   */
  record(
    commands: Commands,
    items: KeyedValues,
    spare: KeyedValues,
    count: Count,
    bits: number,
    firstBit = 0,
  ): KeyedValues {
    const most = mostOf(count);
    const chunks = this.#chunksOf(most);
    if (most < 2) return items;
    this.reserve(most);
    const table = this.#table.reserve(0);
    const counts = typeof count === 'number' ? this.#none.reserve(16) : count.buffer;
    let from = items;
    let to = spare;
    for (let shift = firstBit; shift < firstBit + bits; shift += DIGIT_BITS) {
      const uniform = {
        layout: DigitParams,
        values: {
          ...countWords(count),
          shift,
          mask: 2 ** Math.min(DIGIT_BITS, firstBit + bits - shift) - 1,
          chunks,
        },
      };
      commands.runGroups('countDigits', uniform, { counts, keys: from.keys, table }, chunks);
      commands.runGroups('scanDigits', uniform, { table }, DIGITS / gpuBoxLimits.DIGIT_COLUMNS);
      commands.runGroups(
        'moveDigits',
        uniform,
        { counts, table, keys: from.keys, values: from.values, toKeys: to.keys, toValues: to.values },
        chunks,
      );
      [from, to] = [to, from];
    }
    return from;
  }

  dispose(): void {
    this.#table.dispose();
    this.#none.dispose();
  }

  // No more than the table may have room for.
  #chunksOf(count: number): number {
    const most = Math.min(MOST_CHUNKS, Math.floor(this.#gpu.limits.bindingBytes / (4 * DIGITS)) - 1);
    return Math.max(1, Math.min(most, Math.ceil(count / (ROUNDS_A_CHUNK * this.#gpu.workgroup))));
  }
}
