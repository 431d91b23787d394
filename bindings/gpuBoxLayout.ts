// Records of the GPU's kernels for boxes, described once -> offsets for TypeScript, structs for WGSL. Those ending in Params are uniforms.
import { record } from './record.js';

/** Of `sumTiles`, `scanSums` and `scanTiles`. How many: `most`, or counts[slot] and at most `most`, where slot is not NOTHING. */
export const ScanParams = record({ slot: 'u32', most: 'u32' });

/** Of `countDigits`, `scanDigits` and `moveDigits`: how many, as in ScanParams; a digit's first bit, and its bits as a mask; parts that the keys are cut into. */
export const DigitParams = record({ slot: 'u32', most: 'u32', shift: 'u32', mask: 'u32', chunks: 'u32' });

/** Numbers that TypeScript and WGSL agree on. */
export const gpuBoxLimits = {
  /** Numbers that one invocation sums up. */
  SCAN_ITEMS: 4,
  /** Values of a digit of a sorted key. */
  DIGITS: 256,
  /** Values of a digit that a workgroup of `scanDigits` takes. */
  DIGIT_COLUMNS: 16,
} as const;
