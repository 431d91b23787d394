// Entries that kernels append to a buffer and count on beyond its end -> room for all of them the next time.
import { Commands } from '../device/commands.js';
import { type Gpu, GpuRoom } from '../device/gpu.js';
import { GpuUnfit } from '../device/gpuErrors.js';

/** More than was asked for: scenes that move need a little more every frame. */
const SPARE = 1.25;
/** A list that was too short once is likely to be so again: each time costs a run. */
const LEAPS = 4;
/** 16 invocations an entry are counted in 32 bits. */
const MOST_ENTRIES = 2 ** 27;

export class GpuList {
  capacity: number;
  /** Entries of the last run. */
  lastCount = 256;
  /** Entries that a buffer of the device holds. */
  readonly most: number;
  readonly #gpu: Gpu;
  readonly #room: GpuRoom;
  readonly #label: string;
  readonly #entryBytes: number;

  /** capacity: entries that there is room for at first. */
  constructor(gpu: Gpu, label: string, entryBytes: number, capacity: number) {
    this.#gpu = gpu;
    this.#room = new GpuRoom(gpu, label);
    this.#label = label;
    this.#entryBytes = entryBytes;
    this.most = Math.min(MOST_ENTRIES, Math.floor(gpu.limits.bindingBytes / entryBytes));
    this.capacity = Math.min(capacity, this.most);
  }

  get buffer(): GPUBuffer {
    return this.#room.reserve(this.capacity * this.#entryBytes);
  }

  /** How many entries to read at once: about as many as there were. */
  get guess(): number {
    return Math.min(this.capacity, Math.ceil(SPARE * this.lastCount) + 64);
  }

  /** Bytes of the first `count` entries. */
  bytesOf(count: number): number {
    return count * this.#entryBytes;
  }

  /** The first `count` entries, of which the first ones were read with the counts. @throws GpuLost */
  async rest(count: number, read: Uint32Array): Promise<Uint32Array> {
    if (this.bytesOf(count) <= read.byteLength) return read;
    const more = new Commands(this.#gpu);
    more.read(this.buffer, 0, this.bytesOf(count));
    return (await more.submit())[0];
  }

  /**
   * @returns whether it was too short for as many. The buffer is another then, without what it held. @throws
   * GpuUnfit, with nothing changed
   */
  grow(count: number): boolean {
    if (count <= this.capacity) return false;
    if (count > this.most)
      throw new GpuUnfit(`${count} ${this.#label}: this device has room for ${this.most}`);
    this.capacity = Math.min(this.most, Math.max(Math.ceil(count * SPARE), LEAPS * this.capacity));
    return true;
  }

  /**
   * As grow. @returns the buffer that was too short, which is the caller's then, and the one in its place,
   * which does not yet hold what it held. @throws GpuUnfit
   */
  growKeeping(count: number): [shorter: GPUBuffer, longer: GPUBuffer] | undefined {
    const shorter = this.buffer;
    return this.grow(count) ? [shorter, this.#room.replace(this.capacity * this.#entryBytes)] : undefined;
  }

  dispose(): void {
    this.#room.dispose();
  }
}
