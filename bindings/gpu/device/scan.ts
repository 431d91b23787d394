// Computes exclusive prefix sums of a buffer, in three dispatches.
import { gpuBoxLimits, ScanParams } from '../../records/gpuBoxLayout.js';
import { limits } from '../../records/layout.js';
import type { Commands } from './commands.js';
import { type Gpu, GpuRoom } from './gpu.js';

/** The number of items: known, or min(word `slot` of a buffer, most), which kernels write. */
export type Count = number | { readonly buffer: GPUBuffer; readonly slot: number; readonly most: number };

/** Returns the max number of items. */
export const mostOf = (count: Count): number => (typeof count === 'number' ? count : count.most);

/** Returns the fields of a uniform that give the number of items. */
export const countWords = (count: Count): { slot: number; most: number } => ({
  slot: typeof count === 'number' ? limits.NOTHING : count.slot,
  most: mostOf(count),
});

/** A prefix sum, which owns the buffer of its tile sums. */
export class Scan {
  /** The kernels to prepare before the first `record`. */
  static readonly kernels = ['sumTiles', 'scanSums', 'scanTiles'] as const;
  readonly #gpu: Gpu;
  readonly #sums: GpuRoom;
  readonly #none: GpuRoom;

  constructor(gpu: Gpu) {
    this.#gpu = gpu;
    this.#sums = new GpuRoom(gpu, 'sums of tiles');
    this.#none = new GpuRoom(gpu, 'no count');
  }

  /** Returns the buffer that holds a count; any buffer for a known count. */
  countsOf(count: Count): GPUBuffer {
    return typeof count === 'number' ? this.#none.reserve(16) : count.buffer;
  }

  /**
   * Reserves memory for scans of this number of items. If several scans are recorded before a submit, call it
   * before the first one. @throws GpuUnfit
   */
  reserve(most: number): void {
    this.#sums.reserve(4 * this.#tilesOf(most));
  }

  /**
   * Records the replacement of the first `count` words of data by their exclusive prefix sums, modulo 2^32.
   * To get the total, append a word that is 0. @throws GpuUnfit
   */
  record(commands: Commands, data: GPUBuffer, count: Count): void {
    const most = mostOf(count);
    const tiles = this.#tilesOf(most);
    if (most === 0) return;
    this.reserve(most);
    const sums = this.#sums.reserve(0);
    const counts = this.countsOf(count);
    const uniform = { layout: ScanParams, values: countWords(count) };
    commands.runGroups('sumTiles', uniform, { counts, data, sums }, tiles);
    commands.runGroups('scanSums', uniform, { counts, data: sums }, 1);
    commands.runGroups('scanTiles', uniform, { counts, sums, data }, tiles);
  }

  dispose(): void {
    this.#sums.dispose();
    this.#none.dispose();
  }

  #tilesOf(count: number): number {
    return Math.ceil(count / (this.#gpu.workgroup * gpuBoxLimits.SCAN_ITEMS));
  }
}
