// Records of the GPU's kernels for boxes, described once -> offsets for TypeScript, structs for WGSL. Those
// ending in Params are uniforms.
import { record } from './record.js';

/**
 * Of `sumTiles`, `scanSums` and `scanTiles`. How many: `most`, or counts[slot] and at most `most`, where slot
 * is not NOTHING.
 */
export const ScanParams = /* @__PURE__ */ record({ slot: 'u32', most: 'u32' });

/**
 * Of `countDigits`, `scanDigits` and `moveDigits`: how many, as in ScanParams; a digit's first bit, and its
 * bits as a mask; parts that the keys are cut into.
 */
export const DigitParams = /* @__PURE__ */ record({
  slot: 'u32',
  most: 'u32',
  shift: 'u32',
  mask: 'u32',
  chunks: 'u32',
});

/** Of all kernels that find pairs of boxes. */
export const BoxParams = /* @__PURE__ */ record({
  /** Boxes; the first of the second set, NOTHING: one set; what is taken from b. */
  count: 'u32',
  secondFrom: 'u32',
  firstB: 'u32',
  /** Two boxes that both begin before this key along this axis are no pair: another device has them. */
  partAxis: 'u32',
  partStart: 'u32',
  /** Splits from the root to a cell; bits of a place within a cell, along an axis. */
  depth: 'u32',
  placeBits: 'u32',
  axis: 'u32',
  /** Room for entries, and for boxes that reach too many cells. */
  entries: 'u32',
  mostLarge: 'u32',
  /**
   * Rows that are wanted; pairs before them; room for pairs, or, where `slot` is NOTHING, how many there are.
   */
  firstRow: 'u32',
  endRow: 'u32',
  before: 'u32',
  pairs: 'u32',
  slot: 'u32',
  /** Digits of a b, and bits of each. */
  passes: 'u32',
  digitBits: 'u32',
  /** Workgroups that sort long rows, at most. */
  rowSorters: 'u32',
});

/**
 * A cell: where it begins, as keys; along the axis of the sweep the exponent of a step, and the number of the
 * step that it begins in.
 */
export const GpuCell = /* @__PURE__ */ record({
  low: ['u32', 4],
  exponent: 'i32',
  origin: 'i32',
  spare: ['u32', 2],
});

/**
 * A box in a cell, its bounds as keys. Fourth of its least ones: its number, and above BOX_BITS why others
 * are no pair with it; of its greatest ones: the last key that may be one.
 */
export const GpuEntry = /* @__PURE__ */ record({ low: ['u32', 4], high: ['u32', 4] });

/** Numbers that TypeScript and WGSL agree on. */
export const gpuBoxLimits = {
  /** Numbers that one invocation sums up. */
  SCAN_ITEMS: 4,
  /** Values of a digit of a sorted key. */
  DIGITS: 256,
  /** Values of a digit that a workgroup of `scanDigits` takes. */
  DIGIT_COLUMNS: 16,
  /**
   * Of GpuEntry: bits of a box's number; above them three that tell where it begins before its cell, and
   * these. Two boxes that share one are no pair.
   */
  BOX_BITS: 26,
  FIRST_SET: 8,
  SECOND_SET: 16,
  BEFORE_PART: 32,
  /** Cells that a box is entered into; one that reaches more is tested against all others. */
  MOST_CELLS: 64,
  /**
   * Words of what kernels tell: boxes that reach too many cells, pairs (two words), rows too long to rank,
   * workgroups that sort those (three words); then the numbers of those boxes.
   */
  LARGE_COUNT: 0,
  PAIRS_LOW: 1,
  PAIRS_HIGH: 2,
  LONG_COUNT: 3,
  LONG_GROUPS: 4,
  FIRST_LARGE: 7,
  /** Pairs of a row that are each compared with all of it. */
  MOST_RANKED: 64,
} as const;
