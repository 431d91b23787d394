// What a reader gets in addition to the name and the bytes of its file.
import type { MemoryBudget } from './memoryBudget.js';
import type { WarningHandler } from './part.js';

/** The context of reading one file. */
export interface ReadContext {
  budget: MemoryBudget;
  onWarning: WarningHandler;
  /**
   * Returns the bytes of another file in the folder of this one. `relativePath` is a path inside that
   * folder, without `.` and `..`. The function is undefined if other files must not be read.
   */
  readBeside?: (relativePath: string) => Uint8Array;
}
