// Layouts of the records of the GPU broad phase: byte offsets for TypeScript, structs for WGSL. Records whose
// names end in Params are uniforms.
import { record } from './record.js';

/**
 * Uniforms of `sumTiles`, `scanSums` and `scanTiles`. The number of items is `maxCount` if slot is NOTHING,
 * else min(counts[slot], maxCount).
 */
export const ScanParams = /* @__PURE__ */ record({ slot: 'u32', maxCount: 'u32' });

/**
 * Uniforms of `countDigits`, `scanDigits` and `moveDigits`. slot, maxCount: the number of keys, as in
 * ScanParams. shift, mask: position and bits of the digit. chunks: number of chunks of the keys.
 */
export const DigitParams = /* @__PURE__ */ record({
  slot: 'u32',
  maxCount: 'u32',
  shift: 'u32',
  mask: 'u32',
  chunks: 'u32',
});

/** Uniforms of all kernels that find pairs of boxes. */
export const BoxParams = /* @__PURE__ */ record({
  /**
   * count: number of boxes. secondFrom: first box of the second set; NOTHING: one set. firstB: number that is
   * subtracted from b.
   */
  count: 'u32',
  secondFrom: 'u32',
  firstB: 'u32',
  /**
   * Two boxes that both begin before this key along this axis are not a pair here: another device reports
   * them.
   */
  partAxis: 'u32',
  partStart: 'u32',
  /** depth: splits from the root to a cell. positionBits: bits of a position in a cell, along an axis. */
  depth: 'u32',
  positionBits: 'u32',
  axis: 'u32',
  /** Capacities: of entries, and of the list of boxes that reach too many cells. */
  entries: 'u32',
  maxLarge: 'u32',
  /**
   * firstRow, endRow: range of rows to write. before: number of pairs before them. pairs: capacity in pairs,
   * or the number of pairs if `slot` is NOTHING.
   */
  firstRow: 'u32',
  endRow: 'u32',
  before: 'u32',
  pairs: 'u32',
  slot: 'u32',
  /** Radix sort of b: number of digits, and bits of each. */
  passes: 'u32',
  digitBits: 'u32',
  /** Maximum number of workgroups that sort long rows. */
  rowSorters: 'u32',
});

/**
 * A cell. low: its minimum corner, as keys. Along the sweep axis, positions are counted in steps of length
 * 2^exponent. origin: number of the step in which the cell begins.
 */
export const GpuCell = /* @__PURE__ */ record({
  low: ['u32', 4],
  exponent: 'i32',
  origin: 'i32',
  spare: ['u32', 2],
});

/**
 * A box in a cell, with its bounds as keys. low[3]: its number in the low BOX_BITS bits, and above them the
 * flags that exclude pairs. high[3]: the sort key of its end. Entries with larger sort keys do not overlap it
 * in this cell.
 */
export const GpuEntry = /* @__PURE__ */ record({ low: ['u32', 4], high: ['u32', 4] });

/** Constants that are shared by TypeScript and WGSL. */
export const gpuBoxLimits = {
  /** Numbers that one invocation adds up. */
  SCAN_ITEMS: 4,
  /** Number of values of a digit of a sort key. */
  DIGITS: 256,
  /** Number of digit values that a workgroup of `scanDigits` processes. */
  DIGIT_COLUMNS: 16,
  /**
   * Word of a GpuEntry: BOX_BITS bits of the box number, then three flags for the axes along which the box
   * begins before its cell, then these flags. Two boxes that share a flag are not a pair.
   */
  BOX_BITS: 26,
  FIRST_SET: 8,
  SECOND_SET: 16,
  BEFORE_PART: 32,
  /**
   * Maximum number of cells that a box is entered into. A box that reaches more cells is tested against all
   * other boxes.
   */
  MAX_CELLS: 64,
  /**
   * Words of the counters that kernels write: boxes that reach too many cells, pairs (two words), rows too
   * long to rank, workgroups that sort those rows (three words); then the numbers of the boxes that reach too
   * many cells.
   */
  LARGE_COUNT: 0,
  PAIRS_LOW: 1,
  PAIRS_HIGH: 2,
  LONG_COUNT: 3,
  LONG_GROUPS: 4,
  FIRST_LARGE: 7,
  /** Maximum length of a row that is sorted by ranking: each of its pairs is compared with all others. */
  MAX_RANKED: 64,
} as const;
