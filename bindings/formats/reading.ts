// What a reader works with beside the name and the bytes of its file.
import type { MemoryBudget } from './budget.js';
import type { Tell } from './part.js';

export interface Reading {
  budget: MemoryBudget;
  tell: Tell;
  /**
   * Bytes of a file beside this one, by its plain relative path; absent where other files must not be read.
   */
  readBeside?: (relativePath: string) => Uint8Array;
}
