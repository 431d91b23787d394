// Numbers in a buffer -> in place of each the sum of all before it, in three dispatches.
import { gpuBoxLimits, ScanParams } from '../../records/gpuBoxLayout.js';
import { limits } from '../../records/layout.js';
import type { Commands } from './commands.js';
import { type Gpu, GpuRoom } from './gpu.js';

/**
 * How many there are: known, or what kernels leave in word `slot` of a buffer, of which no more than `most`
 * count.
 */
export type Count = number | { readonly buffer: GPUBuffer; readonly slot: number; readonly most: number };

/** How many there can be. */
export const mostOf = (count: Count): number => (typeof count === 'number' ? count : count.most);

/** The fields of a uniform that say how many there are. */
export const countWords = (count: Count): { slot: number; most: number } => ({
  slot: typeof count === 'number' ? limits.NOTHING : count.slot,
  most: mostOf(count),
});

/** Owns what sums of tiles are kept in. */
export class Scan {
  /** To be prepared before the first `record`. */
  static readonly kernels = ['sumTiles', 'scanSums', 'scanTiles'] as const;
  readonly #gpu: Gpu;
  readonly #sums: GpuRoom;
  readonly #none: GpuRoom;

  constructor(gpu: Gpu) {
    this.#gpu = gpu;
    this.#sums = new GpuRoom(gpu, 'sums of tiles');
    this.#none = new GpuRoom(gpu, 'no count');
  }

  /** The buffer that a count lies in; for a known one any. */
  countsOf(count: Count): GPUBuffer {
    return typeof count === 'number' ? this.#none.reserve(16) : count.buffer;
  }

  /**
   * Room for scans of this many: where several are recorded before a submit, before the first of them.
   * @throws GpuUnfit
   */
  reserve(most: number): void {
    this.#sums.reserve(4 * this.#tilesOf(most));
  }

  /**
   * The first `count` words of data become sums modulo 2^32, the first of them 0. For the sum of all, count
   * one word more that is 0. @throws GpuUnfit
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
