// Defines what the reader of a mesh file gets in addition to the file's name and bytes: a memory budget, a
// handler of warnings, and access to other files in the same folder.
import type { AnimatedScene } from './animation.js';
import type { GltfDecoders } from './gltfDecoders.js';
import type { MemoryBudget } from './memoryBudget.js';
import type { WarningHandler } from './part.js';

/** The context of reading one file. */
export interface ReadContext {
  budget: MemoryBudget;
  onWarning: WarningHandler;
  /** Called while a long file is read, with the share of it that is done, 0 to 1. */
  onProgress?: (done: number) => void;
  /**
   * Returns the bytes of another file in the folder of the file that is being read. `relativePath` is a path
   * inside that folder, without `.` and `..`. The function is undefined if other files must not be read.
   */
  readBeside?: (relativePath: string) => Uint8Array;
  /** Whether parts keep coordinates in doubles, in addition to the rounded ones. */
  keepsDoubles?: boolean;
  /** Decoders of compressed glTF files; without them, such files are refused. */
  decoders?: GltfDecoders;
  /** Receives the nodes and animations of a glTF file. Without it, animations are not read. */
  onScene?: (scene: AnimatedScene) => void;
}

/**
 * Returns a function that takes the amount of work done, from 0 to `total`. The function calls `onProgress`
 * about a hundred times in total, with the share that is done, 0 to 1.
 */
export function everyHundredth(
  total: number,
  onProgress: ((done: number) => void) | undefined,
): (done: number) => void {
  if (!onProgress) return () => {};
  const step = total / 100;
  let next = step;
  return done => {
    if (done < next) return;
    next = done + step;
    onProgress(done / total);
  };
}
