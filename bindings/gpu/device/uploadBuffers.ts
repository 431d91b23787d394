// Uploads long arrays through buffers that stay allocated. `GPUQueue.writeBuffer` may allocate new memory for
// each long array, and the first access to new memory takes longer than the copy.
import { usage } from './gpuUsage.js';

const MAP_WRITE = 2;
/** Shorter arrays are uploaded with `writeBuffer`, which needs no submit of its own. */
const MIN_BYTES = 2 ** 19;
/** KEPT: max number of buffers that are kept. MAX_KEPT_BYTES: max size of a kept buffer. */
const KEPT = 3;
const MAX_KEPT_BYTES = 2 ** 26;

/**
 * The buffers through which arrays are uploaded to a device. Each buffer is mapped for writing, or will be
 * mapped when the latest copy from it has run.
 */
export class UploadBuffers {
  readonly #device: GPUDevice;
  readonly #allocate: (descriptor: GPUBufferDescriptor) => GPUBuffer;
  readonly #mapped: GPUBuffer[] = [];
  /** All kept buffers. */
  readonly #kept = new Set<GPUBuffer>();

  /** allocate: creates a buffer of the device. */
  constructor(device: GPUDevice, allocate: (descriptor: GPUBufferDescriptor) => GPUBuffer) {
    this.#device = device;
    this.#allocate = allocate;
  }

  /**
   * Writes data to a buffer. The write takes effect before all steps that are submitted later. Does not write
   * short arrays, arrays whose size is not a multiple of 4 bytes, or arrays for which there is not enough
   * memory; the caller has to write these. @returns whether the data was written
   */
  write(buffer: GPUBuffer, at: number, data: Uint8Array): boolean {
    const bytes = data.byteLength;
    if (bytes < MIN_BYTES || bytes % 4 !== 0) return false;
    const from = this.#take(bytes);
    if (!from) return false;
    new Uint8Array(from.getMappedRange(0, bytes)).set(data);
    from.unmap();
    const encoder = this.#device.createCommandEncoder();
    encoder.copyBufferToBuffer(from, 0, buffer, at, bytes);
    this.#device.queue.submit([encoder.finish()]);
    if (from.size > MAX_KEPT_BYTES) {
      // The copy still runs, because it was submitted before.
      this.#drop(from);
      return true;
    }
    from.mapAsync(MAP_WRITE).then(
      () => {
        // The buffer may have been destroyed after it was mapped.
        if (this.#kept.size > KEPT || !this.#kept.has(from)) this.#drop(from);
        else this.#mapped.push(from);
      },
      // The device was lost or released.
      () => this.#drop(from),
    );
    return true;
  }

  /** Destroys all buffers. */
  dispose(): void {
    for (const buffer of this.#kept) this.#drop(buffer);
  }

  // Returns a mapped buffer of at least this size; undefined if there is not enough memory. If too many
  // buffers are kept, drops the shortest mapped buffer.
  #take(bytes: number): GPUBuffer | undefined {
    const index = this.#mapped.findIndex(({ size }) => size >= bytes);
    const [known] = index < 0 ? [] : this.#mapped.splice(index, 1);
    if (known) return known;
    const [shortest] = this.#mapped.sort((a, b) => a.size - b.size);
    if (shortest && this.#kept.size >= KEPT) this.#drop(shortest);
    try {
      const made = this.#allocate({
        size: Math.min(2 ** Math.ceil(Math.log2(bytes)), Math.max(bytes, this.#device.limits.maxBufferSize)),
        usage: usage.mapWrite | usage.copyFrom,
        mappedAtCreation: true,
      });
      this.#kept.add(made);
      return made;
    } catch {
      return undefined;
    }
  }

  #drop(buffer: GPUBuffer): void {
    this.#kept.delete(buffer);
    const index = this.#mapped.indexOf(buffer);
    if (index >= 0) this.#mapped.splice(index, 1);
    buffer.destroy();
  }
}
