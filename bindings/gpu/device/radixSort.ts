// Sorts pairs of a key and a value with a stable radix sort on a GPU. Each pass sorts by eight bits of the keys
// and takes three dispatches.
import { DigitParams, gpuBoxLimits } from '../../records/gpuBoxLayout.js';
import { type Commands, uniformOf } from './commands.js';
import { type Gpu, ScratchBuffer } from './gpu.js';
import { type Count, countFields, maxItemCount } from './prefixSum.js';

const { DIGITS } = gpuBoxLimits;
const DIGIT_BITS = Math.log2(DIGITS);
/**
 * Intended number of rounds per chunk. In each round, a workgroup processes one item per invocation. A chunk
 * has fewer rounds if there are few items, and more if there would otherwise be too many chunks. A smaller
 * value of this constant would lead to more chunks, and therefore to more counts to scan.
 */
const ROUNDS_PER_CHUNK = 4;
/**
 * Max number of chunks. Each chunk has its own workgroup, and this many workgroups keep any device busy.
 */
const MAX_CHUNKS = 1024;

/** A buffer of keys and a buffer of values, each with one word per item. */
export interface KeyedValues {
  readonly keys: GPUBuffer;
  readonly values: GPUBuffer;
}

/** A radix sort, which owns its table of counts. */
export class RadixSort {
  /** The kernels to prepare before the first `record`. */
  static readonly kernels = ['countDigits', 'scanDigits', 'moveDigits'] as const;
  readonly #gpu: Gpu;
  readonly #table: ScratchBuffer;
  readonly #none: ScratchBuffer;

  constructor(gpu: Gpu) {
    this.#gpu = gpu;
    this.#table = new ScratchBuffer(gpu, 'counts of digits');
    this.#none = new ScratchBuffer(gpu, 'no count');
  }

  /**
   * Reserves memory for sorts of this number of items. If several sorts are recorded before a submit, call
   * `reserve` before the first sort. @throws GpuUnfit
   */
  reserve(maxCount: number): void {
    this.#table.reserve(4 * DIGITS * (this.#chunksOf(maxCount) + 1));
  }

  /**
   * Records a stable sort by `bits` bits of the keys, starting at bit `firstBit`. items: the input. spare:
   * buffers with room for as many items. The contents of both are overwritten.
   * @returns `items` or `spare`, whichever holds the sorted items. @throws GpuUnfit
   */
  record(
    commands: Commands,
    items: KeyedValues,
    spare: KeyedValues,
    count: Count,
    bits: number,
    firstBit = 0,
  ): KeyedValues {
    const maxCount = maxItemCount(count);
    const chunks = this.#chunksOf(maxCount);
    if (maxCount < 2) return items;
    this.reserve(maxCount);
    const table = this.#table.reserve(0);
    const counts = typeof count === 'number' ? this.#none.reserve(16) : count.buffer;
    let from = items;
    let to = spare;
    for (let shift = firstBit; shift < firstBit + bits; shift += DIGIT_BITS) {
      const uniform = uniformOf(DigitParams, {
        ...countFields(count),
        shift,
        mask: 2 ** Math.min(DIGIT_BITS, firstBit + bits - shift) - 1,
        chunks,
      });
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

  // Returns the number of chunks for this number of items: at most as many as the table of counts can hold.
  #chunksOf(count: number): number {
    const maxChunks = Math.min(MAX_CHUNKS, Math.floor(this.#gpu.limits.bindingBytes / (4 * DIGITS)) - 1);
    return Math.max(1, Math.min(maxChunks, Math.ceil(count / (ROUNDS_PER_CHUNK * this.#gpu.workgroupSize))));
  }
}
