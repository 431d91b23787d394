// Limits the memory for reading one file, in proportion to the size of the file, so that a small file cannot
// exhaust the machine's memory.
import { InvalidFile } from './part.js';

const FIXED_BYTES = 64 * 2 ** 20;
const BYTES_PER_FILE_BYTE = 20;

/**
 * Bytes of the JavaScript objects of one part: its name, three typed arrays and their buffers. Measured on
 * Node 22.
 */
export const PART_BYTES = 2560;

/** Counts what a reader allocates. The limit is 64 MiB plus 20 times the size of all unpacked files. */
export class MemoryBudget {
  private fileBytes = 0;
  private taken = 0;

  /** @param bytes Size of the unpacked file. */
  constructor(bytes: number) {
    this.addFile(bytes);
  }

  /**
   * Adds an unpacked file, such as a file that the first file refers to: raises the limit by 20 times
   * `bytes`, and counts `bytes` twice, because the file is read or unpacked in pieces that are then joined.
   */
  addFile(bytes: number): void {
    this.fileBytes += bytes;
    this.taken += 2 * bytes;
  }

  /**
   * Counts an allocation; call it before allocating.
   * @param bytes Size of the allocation.
   * @param what Names the allocation in the error message.
   * @throws InvalidFile if all allocations together exceed the limit
   */
  take(bytes: number, what: string): void {
    this.taken += bytes;
    const limit = FIXED_BYTES + BYTES_PER_FILE_BYTE * this.fileBytes;
    if (this.taken <= limit) return;
    throw new InvalidFile(
      `requires too much memory for ${what}: in total more than ${limit} bytes, the limit for a file of ${this.fileBytes} bytes`,
      'Check where the file is from. Split it into smaller files, or export it again.',
    );
  }

  /** Counts a release; call it after `bytes` were released. */
  release(bytes: number): void {
    this.taken -= bytes;
  }
}
