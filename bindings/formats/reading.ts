// What a reader gets in addition to the name and the bytes of its file.
import type { MemoryBudget } from './budget.js';
import type { Tell } from './part.js';

/** The context of reading one file. */
export interface Reading {
  budget: MemoryBudget;
  tell: Tell;
  /**
   * Returns the bytes of a file beside this one, by its plain relative path; undefined if other files must
   * not be read.
   */
  readBeside?: (relativePath: string) => Uint8Array;
}
