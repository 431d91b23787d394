// Computes exclusive prefix sums of a GPU buffer, in three dispatches.
import { gpuBoxLimits, ScanParams } from '../../records/gpuBoxLayout.js';
import { limits } from '../../records/layout.js';
import { type Commands, uniformOf } from './commands.js';
import { type Gpu, ScratchBuffer } from './gpu.js';

/**
 * A number of items. It is either known when steps are recorded, or min(w, maxCount), where w is a count that
 * kernels write to word `slot` of a buffer.
 */
export type Count = number | { readonly buffer: GPUBuffer; readonly slot: number; readonly maxCount: number };

/** Returns the max number of items. */
export const maxItemCount = (count: Count): number => (typeof count === 'number' ? count : count.maxCount);

/** Returns the fields of a uniform that give the number of items. */
export const countFields = (count: Count): { slot: number; maxCount: number } => ({
  slot: typeof count === 'number' ? limits.NOTHING : count.slot,
  maxCount: maxItemCount(count),
});

/**
 * A prefix sum, which owns the buffer of its tile sums. A tile is a range of items that one workgroup adds up.
 */
export class PrefixSum {
  /** The kernels to prepare before the first `record`. */
  static readonly kernels = ['sumTiles', 'scanSums', 'scanTiles'] as const;
  readonly #gpu: Gpu;
  readonly #sums: ScratchBuffer;
  readonly #none: ScratchBuffer;

  constructor(gpu: Gpu) {
    this.#gpu = gpu;
    this.#sums = new ScratchBuffer(gpu, 'sums of tiles');
    this.#none = new ScratchBuffer(gpu, 'no count');
  }

  /** Returns the buffer that holds a count. For a known count, returns a placeholder. */
  countsOf(count: Count): GPUBuffer {
    return typeof count === 'number' ? this.#none.reserve(16) : count.buffer;
  }

  /**
   * Reserves memory for scans of this number of items. If several scans are recorded before a submit, call
   * `reserve` before the first scan. @throws GpuUnfit
   */
  reserve(maxCount: number): void {
    this.#sums.reserve(4 * this.#tilesOf(maxCount));
  }

  /**
   * Records steps that replace the first `count` words of `data` by their exclusive prefix sums, modulo 2^32.
   * To get the total, append a word that is 0. @throws GpuUnfit
   */
  record(commands: Commands, data: GPUBuffer, count: Count): void {
    const maxCount = maxItemCount(count);
    const tiles = this.#tilesOf(maxCount);
    if (maxCount === 0) return;
    this.reserve(maxCount);
    const sums = this.#sums.reserve(0);
    const counts = this.countsOf(count);
    const uniform = uniformOf(ScanParams, countFields(count));
    commands.runGroups('sumTiles', uniform, { counts, data, sums }, tiles);
    commands.runGroups('scanSums', uniform, { counts, data: sums }, 1);
    commands.runGroups('scanTiles', uniform, { counts, sums, data }, tiles);
  }

  dispose(): void {
    this.#sums.dispose();
    this.#none.dispose();
  }

  #tilesOf(count: number): number {
    return Math.ceil(count / (this.#gpu.workgroupSize * gpuBoxLimits.SCAN_ITEMS));
  }
}
