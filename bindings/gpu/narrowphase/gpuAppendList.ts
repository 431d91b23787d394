// A GPU buffer to which kernels append entries. When the buffer is full, kernels still count the entries that
// do not fit. So the required capacity is known, and the buffer can grow to it before the next run.
import { Commands } from '../device/commands.js';
import { type Gpu, ScratchBuffer } from '../device/gpu.js';
import { GpuUnfit } from '../device/gpuErrors.js';

/** Factor of spare capacity: in a moving scene, the next frame may need slightly more than the last one. */
const SPARE = 1.25;
/**
 * Minimum growth factor. A list that was too short is likely to be too short again, and the run must be
 * repeated each time.
 */
const MIN_GROWTH = 4;
/**
 * Max number of entries. Kernels use 16 invocations per entry, and the number of invocations must fit 32 bits.
 */
const MAX_ENTRIES = 2 ** 27;

export class GpuAppendList {
  capacity: number;
  /** Number of entries of the last run. */
  lastCount = 256;
  /** Max number of entries that a buffer of the device holds. */
  readonly maxCapacity: number;
  readonly #gpu: Gpu;
  readonly #scratch: ScratchBuffer;
  readonly #label: string;
  readonly #entryBytes: number;

  /** capacity: initial capacity in entries. */
  constructor(gpu: Gpu, label: string, entryBytes: number, capacity: number) {
    this.#gpu = gpu;
    this.#scratch = new ScratchBuffer(gpu, label);
    this.#label = label;
    this.#entryBytes = entryBytes;
    // The size of a buffer is rounded up to a multiple of 16 bytes (see Gpu.createBuffer).
    const maxBytes = Math.floor(gpu.limits.bindingBytes / 16) * 16;
    this.maxCapacity = Math.min(MAX_ENTRIES, Math.floor(maxBytes / entryBytes));
    this.capacity = Math.min(capacity, this.maxCapacity);
  }

  get buffer(): GPUBuffer {
    return this.#scratch.reserve(this.capacity * this.#entryBytes);
  }

  /** Number of entries to read together with the counters: slightly more than the last run had. */
  get readAhead(): number {
    return Math.min(this.capacity, Math.ceil(SPARE * this.lastCount) + 64);
  }

  /** Returns the size of `count` entries in bytes. */
  bytesOf(count: number): number {
    return count * this.#entryBytes;
  }

  /**
   * Returns the first `count` entries. read: the first entries, which were read together with the counters;
   * the other entries are read now. @throws GpuLost
   */
  async readAll(count: number, read: Uint32Array): Promise<Uint32Array> {
    if (this.bytesOf(count) <= read.byteLength) return read;
    const more = new Commands(this.#gpu);
    more.read(this.buffer, 0, this.bytesOf(count));
    return (await more.submit())[0];
  }

  /**
   * Enlarges the list if its capacity is less than `count` entries. If it is enlarged, its contents are lost.
   * @returns whether it was too short.
   * @throws GpuUnfit, without any change
   */
  grow(count: number): boolean {
    if (count <= this.capacity) return false;
    if (count > this.maxCapacity)
      throw new GpuUnfit(`${count} ${this.#label} exceed the capacity of this device, ${this.maxCapacity}`);
    this.capacity = Math.min(
      this.maxCapacity,
      Math.max(Math.ceil(count * SPARE), MIN_GROWTH * this.capacity),
    );
    return true;
  }

  /**
   * Enlarges the list like `grow`, but keeps the old buffer. @returns the old buffer, which the caller now
   * owns, and the new buffer, to which the caller must copy the contents; undefined if the list was long
   * enough. @throws GpuUnfit, without any change
   */
  growAndReplace(count: number): [shorter: GPUBuffer, longer: GPUBuffer] | undefined {
    const shorter = this.buffer;
    return this.grow(count) ? [shorter, this.#scratch.replace(this.capacity * this.#entryBytes)] : undefined;
  }

  dispose(): void {
    this.#scratch.dispose();
  }
}
