// Layouts of the records of box statistics, from which the broad phase chooses its method and its grid.
import { record } from './record.js';

/**
 * The job of `computeBoxStatistics` and `mergeBoxStatistics`. A box has six floats. The first `ready` boxes
 * have been copied so far. `cursor` is the first box of the next block that a slice takes. Each slice writes
 * one BoxStatistics for all its blocks; these are merged into one BoxPlan.
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

/** Statistics of the non-empty boxes of a slice: bounds, minimum size, sums of sizes and of squared sizes. */
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

/** Statistics of all non-empty boxes, and the parameters of their sweep. Arrays of three are by axis. */
export const BoxPlan = /* @__PURE__ */ record({
  low: ['f64', 3],
  high: ['f64', 3],
  /** Minimum size, mean size, and mean squared size. */
  minSize: ['f64', 3],
  meanSize: ['f64', 3],
  meanSquare: ['f64', 3],
  /** Expected number of pairs if all boxes had the mean size and were uniformly distributed. */
  expected: 'f64',
  /**
   * The order of the axes. Relative to their mean size, boxes are spread most along the sweep axis and least
   * along the column axis.
   */
  sweepAxis: 'u32',
  slabAxis: 'u32',
  columnAxis: 'u32',
  /** count, firstNonFinite: as in BoxStatistics, but for all boxes. */
  count: 'u32',
  firstNonFinite: 'u32',
  /**
   * 1 if the boxes have similar sizes, the optimal numbers of slabs and columns are possible, and the boxes
   * are long enough for the cells along the sweep to distinguish them; otherwise 0.
   */
  hasSimilarSizes: 'u32',
});

/**
 * A box of a sample: its corners, and the slabs and columns that it would be in. x, y and z are along the
 * sweep, slab and column axes.
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
 * The job of `sampleBoxes`: counts the tests and pairs of a sample in the slabs and columns of a sweep of all
 * boxes. `size` is the number of sampled boxes. The record is followed by a SampledBox for each sampled box,
 * then a sort key and an address for each sampled box, then the number of sampled boxes in each slab.
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
   * tests: number of box tests. pairs: number of overlapping pairs, without those of the box that has the
   * most pairs. undecidedTests: number of tests that the sweep's quantized coordinates cannot decide, because
   * the gap or overlap of the boxes is less than one cell.
   */
  tests: 'u32',
  pairs: 'u32',
  undecidedTests: 'u32',
  slabLow: 'f64',
  slabScale: 'f64',
  columnLow: 'f64',
  columnScale: 'f64',
  sweepRange: 'f64',
  /** Number of boxes for each box of the sample. */
  boxesEach: 'f64',
  /** Product of the three mean sizes of the sampled boxes, divided by their mean volume. */
  mixture: 'f64',
});
