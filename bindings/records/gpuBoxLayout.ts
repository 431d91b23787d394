// Layouts of the records of the GPU broad phase: byte offsets for TypeScript, structs for WGSL. Records whose
// names end in Params are uniforms.
import { record } from './record.js';

/**
 * Uniforms of the prefix sum kernels `sumTiles`, `scanSums` and `scanTiles`. The number of items is
 * `maxCount` if slot is NOTHING. Otherwise it is min(counts[slot], maxCount), where an earlier kernel has
 * written counts[slot].
 */
export const ScanParams = /* @__PURE__ */ record({ slot: 'u32', maxCount: 'u32' });

/**
 * Uniforms of the radix sort kernels `countDigits`, `scanDigits` and `moveDigits`. slot and maxCount give the
 * number of keys, as in ScanParams. The digit of a key is (key >> shift) & mask. chunks: number of chunks
 * into which the keys are divided.
 */
export const DigitParams = /* @__PURE__ */ record({
  slot: 'u32',
  maxCount: 'u32',
  shift: 'u32',
  mask: 'u32',
  chunks: 'u32',
});

/**
 * Uniforms of all kernels that find pairs of boxes. A key is an unsigned integer that stands for a float
 * coordinate. Keys have the same order as the floats.
 */
export const BoxParams = /* @__PURE__ */ record({
  /**
   * count: number of boxes. secondFrom: number of the first box of the second set, or NOTHING if there is
   * only one set. firstB: subtracted from the second box number of each reported pair.
   */
  count: 'u32',
  secondFrom: 'u32',
  firstB: 'u32',
  /**
   * If several devices share the search, another device reports the pairs in which both boxes begin before
   * the key regionStart along regionAxis.
   */
  regionAxis: 'u32',
  regionStart: 'u32',
  /**
   * depth: number of splits from the root of the tree of cells to a cell. positionBits: number of bits of a
   * position within a cell. Positions are measured along the sweep axis `axis`.
   */
  depth: 'u32',
  positionBits: 'u32',
  axis: 'u32',
  /**
   * entries: capacity of the list of entries (see GpuEntry). maxLarge: capacity of the list of boxes that
   * overlap too many cells.
   */
  entries: 'u32',
  maxLarge: 'u32',
  /**
   * Row a has all pairs whose first box is a. Rows `firstRow` to `endRow - 1` are written. before: number of
   * pairs in earlier rows. pairs: if `slot` is NOTHING, the number of pairs. Otherwise `pairs` is the capacity
   * in pairs, and word `slot` of the buffer of counts has the number of pairs.
   */
  firstRow: 'u32',
  endRow: 'u32',
  before: 'u32',
  pairs: 'u32',
  slot: 'u32',
  /** Radix sort of the pairs of a row by their second box: `passes` digits of `digitBits` bits each. */
  passes: 'u32',
  digitBits: 'u32',
});

/**
 * A cell of space. low: its minimum corner, as keys (see BoxParams). Positions along the sweep axis are
 * counted in steps of length 2^exponent from coordinate 0. origin: number of the step in which the cell
 * begins.
 */
export const GpuCell = /* @__PURE__ */ record({
  low: ['u32', 4],
  exponent: 'i32',
  origin: 'i32',
  spare: ['u32', 2],
});

/**
 * An entry: a box that overlaps a cell. low[0..2], high[0..2]: the bounds of the box, as keys (see
 * BoxParams). low[3]: the box number in the low BOX_BITS bits, and flags above them; two entries that share a
 * flag are not a pair. high[3]: the sort key at which the box ends. Entries of this cell with larger sort
 * keys do not overlap the box.
 */
export const GpuEntry = /* @__PURE__ */ record({ low: ['u32', 4], high: ['u32', 4] });

/** Constants that are shared by TypeScript and WGSL. */
export const gpuBoxLimits = {
  /** Number of values that one shader invocation adds up in a prefix sum. */
  SCAN_ITEMS: 4,
  /** Number of values of a digit of a sort key. */
  DIGITS: 256,
  /** Number of digit values that a workgroup of `scanDigits` processes. */
  DIGIT_COLUMNS: 16,
  /**
   * Word low[3] of a GpuEntry has BOX_BITS bits of the box number, and six flags above them. The three lowest
   * flags, one per axis, are set if the box begins before its cell. The next flags are FIRST_SET, SECOND_SET
   * and BEFORE_REGION. The values below apply to the word shifted right by BOX_BITS. Two boxes that share a
   * flag are not a pair.
   */
  BOX_BITS: 26,
  FIRST_SET: 8,
  SECOND_SET: 16,
  BEFORE_REGION: 32,
  /**
   * Maximum number of cells into which a box is entered. A box that overlaps more cells is tested against all
   * other boxes.
   */
  MAX_CELLS: 64,
  /**
   * Offsets, in words, of the counters that kernels write. LARGE_COUNT: number of boxes that overlap too many
   * cells. PAIRS_LOW, PAIRS_HIGH: number of pairs, in two words. LONG_COUNT: number of rows that are too long
   * to rank. From FIRST_LARGE on: the numbers of the boxes that overlap too many cells.
   */
  LARGE_COUNT: 0,
  PAIRS_LOW: 1,
  PAIRS_HIGH: 2,
  LONG_COUNT: 3,
  FIRST_LARGE: 4,
  /** Maximum length of a row that is sorted by ranking: each of its pairs is compared with all others. */
  MAX_RANKED: 64,
} as const;
