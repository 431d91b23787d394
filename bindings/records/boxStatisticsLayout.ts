// Layouts of the records of box statistics, from which the broad phase chooses its method and its grid.
import { record } from './record.js';

/**
 * The job of `computeBoxStatistics` and `mergeBoxStatistics`. boxesAt: six floats per box. ready: number of
 * boxes that have been copied to boxesAt so far. cursor: the first box of the next block that a slice takes.
 * statisticsAt: for each slice, one BoxStatistics of all blocks that the slice has taken. planAt: the BoxPlan
 * into which the statistics of all slices are merged.
 */
export const BoxStatisticsJob = /* @__PURE__ */ record({
  boxesAt: 'u32',
  boxCount: 'u32',
  statisticsAt: 'u32',
  ready: 'u32',
  cursor: 'u32',
  sliceCount: 'u32',
  planAt: 'u32',
});

/**
 * Statistics of the non-empty boxes of a slice: their bounds, their minimum size, and the sums of their sizes
 * and of their squared sizes along each axis.
 */
export const BoxStatistics = /* @__PURE__ */ record({
  low: ['f32', 4],
  high: ['f32', 4],
  minSize: ['f32', 4],
  sumX: 'f64',
  sumY: 'f64',
  sumZ: 'f64',
  squareX: 'f64',
  squareY: 'f64',
  squareZ: 'f64',
  /**
   * count: number of boxes that are not empty. firstNonFinite: index of the first invalid value, or NOTHING.
   * A value is invalid if it is NaN, or an infinity in a box that is not empty.
   */
  count: 'u32',
  firstNonFinite: 'u32',
});

/**
 * Statistics of all non-empty boxes, and the parameters of a sweep over them. An array of three has one value
 * for each axis.
 */
export const BoxPlan = /* @__PURE__ */ record({
  low: ['f64', 3],
  high: ['f64', 3],
  /** Minimum size, mean size, and mean squared size. */
  minSize: ['f64', 3],
  meanSize: ['f64', 3],
  meanSquare: ['f64', 3],
  /** The number of pairs to expect if all boxes had the mean size and were uniformly distributed. */
  expected: 'f64',
  /**
   * The order of the axes. The ratio of the boxes' spread to their mean size is largest along the sweep axis
   * and smallest along the column axis.
   */
  sweepAxis: 'u32',
  slabAxis: 'u32',
  columnAxis: 'u32',
  /** count, firstNonFinite: as in BoxStatistics, but for all boxes. */
  count: 'u32',
  firstNonFinite: 'u32',
  /**
   * 1 if the boxes have similar sizes, the optimal numbers of slabs and columns are possible, and the boxes
   * extend over several cells of the sweep axis on average, so that few of them begin in the same cell;
   * otherwise 0.
   */
  hasSimilarSizes: 'u32',
});

/**
 * A box of a sample: its corners, and the first and last slab and column that it would reach. x is along the
 * sweep axis, y along the slab axis, and z along the column axis.
 */
export const SampledBox = /* @__PURE__ */ record({
  minX: 'f32',
  maxX: 'f32',
  minY: 'f32',
  maxY: 'f32',
  minZ: 'f32',
  maxZ: 'f32',
  slab: 'u32',
  lastSlab: 'u32',
  column: 'u32',
  lastColumn: 'u32',
  /** Number of other boxes of the sample that this box overlaps. */
  pairs: 'u32',
});

/**
 * The job of `sampleBoxes`: estimates the cost of sweep and prune from a sample. Counts the tests and pairs
 * of the sampled boxes in the slabs and columns that a sweep of all boxes would use. size: maximum number of
 * sampled boxes. The record is followed by `size` SampledBox records, then `size` sort keys with addresses,
 * then the number of sampled boxes in each slab.
 */
export const SampleBoxesJob = /* @__PURE__ */ record({
  boxesAt: 'u32',
  boxCount: 'u32',
  size: 'u32',
  planAt: 'u32',
  threads: 'u32',
  slabCount: 'u32',
  columnCount: 'u32',
  /**
   * tests: number of box tests. pairs: number of overlapping pairs, not counting the pairs of the one box
   * that has the most pairs. undecidedTests: number of tests that the quantized coordinates of the sweep
   * cannot decide, because the gap or overlap of the two boxes is less than one cell.
   */
  tests: 'u32',
  pairs: 'u32',
  undecidedTests: 'u32',
  /** Number of sampled boxes. It is less than `size` only if too few boxes that are not empty were found. */
  sampledCount: 'u32',
  slabLow: 'f64',
  slabScale: 'f64',
  columnLow: 'f64',
  columnScale: 'f64',
  sweepRange: 'f64',
  /** Number of boxes that are not empty, divided by the number of sampled boxes. */
  boxesEach: 'f64',
  /** Product of the three mean sizes of the sampled boxes, divided by their mean volume. */
  mixture: 'f64',
});
