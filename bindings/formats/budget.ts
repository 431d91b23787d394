// Limits the memory that reading one file may take, in proportion to the file, so that a small file cannot
// exhaust the machine.
import { InvalidFile } from './part.js';

const FIXED_BYTES = 64 * 2 ** 20;
const BYTES_PER_FILE_BYTE = 20;

/**
 * Bytes of the JavaScript objects of one part: its name, three typed arrays and their buffers. Measured on
 * Node 22.
 */
export const PART_BYTES = 2560;

/** Counts what a reader allocates. The limit is 64 MiB plus 20 times the unpacked file. */
export class MemoryBudget {
  private fileBytes = 0;
  private taken = 0;

  /** bytes: of the unpacked file. */
  constructor(bytes: number) {
    this.addFile(bytes);
  }

  /**
   * Raises the limit by a file that belongs to the first one. Its bytes are counted twice: they are read or
   * unpacked in pieces and then joined.
   */
  addFile(bytes: number): void {
    this.fileBytes += bytes;
    this.taken += 2 * bytes;
  }

  /**
   * Call before an allocation of `bytes`. what: names it in the error. Throws InvalidFile beyond the limit.
   */
  take(bytes: number, what: string): void {
    this.taken += bytes;
    const limit = FIXED_BYTES + BYTES_PER_FILE_BYTE * this.fileBytes;
    if (this.taken <= limit) return;
    throw new InvalidFile(
      `needs more than ${limit} bytes of memory for ${what}, out of proportion to its ${this.fileBytes} bytes`,
      'Check where the file is from. Split the file into smaller ones, or export it again.',
    );
  }

  /** Call after memory of `bytes` was released. */
  give(bytes: number): void {
    this.taken -= bytes;
  }
}
