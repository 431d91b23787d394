// Layouts of the records of box statistics, from which the broad phase chooses its method and its grid.
import { record } from './record.js';

/**
 * The job of `boxStatistics` and `mergeBoxStatistics`: six floats per box, of which the first `ready` boxes
 * have been copied so far. Slices take blocks from `cursor` on and write one BoxStatistics each; these are
 * combined into one BoxPlan.
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
  least: ['f32', 4],
  sumX: 'f64',
  sumY: 'f64',
  sumZ: 'f64',
  squareX: 'f64',
  squareY: 'f64',
  squareZ: 'f64',
  /** count: boxes that are not empty. firstNonFinite: the first value that is not finite, or NOTHING. */
  count: 'u32',
  firstNonFinite: 'u32',
});

/** Statistics of all non-empty boxes, and the parameters of their sweep. Arrays of three are by axis. */
export const BoxPlan = /* @__PURE__ */ record({
  low: ['f64', 3],
  high: ['f64', 3],
  /** Minimum size, mean size, and mean squared size. */
  least: ['f64', 3],
  size: ['f64', 3],
  square: ['f64', 3],
  /** Expected number of pairs if all boxes had the mean size and were uniformly distributed. */
  expected: 'f64',
  /**
   * Axes: relative to their size, boxes are spread most along the axis of the sweep, and least along that of
   * the columns.
   */
  sweepAxis: 'u32',
  slabAxis: 'u32',
  columnAxis: 'u32',
  /** count: boxes that are not empty. firstNonFinite: the first value that is not finite, or NOTHING. */
  count: 'u32',
  firstNonFinite: 'u32',
  /**
   * 1 if the sizes are so similar, and the space so small compared with them, that slabs and columns can be
   * as narrow as needed.
   */
  hasSimilarSizes: 'u32',
});

/** A box of a sample: its corners in the order of the sweep, and the cells that it would be in. */
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
  /** Number of boxes of the sample that it overlaps. */
  pairs: 'u32',
});

/**
 * The job of `sampleBoxes`: counts the tests and pairs of a sample in the slabs and columns of a sweep of all
 * boxes. The record is followed by a SampledBox for each box, then a sort key and address for each, then the
 * number of boxes of the sample in each slab.
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
   * pairs: without the pairs of the box that has the most pairs. close: tests of boxes that are so close to
   * each other that the cells of the sweep cannot separate them.
   */
  tests: 'u32',
  pairs: 'u32',
  close: 'u32',
  slabLow: 'f64',
  slabScale: 'f64',
  columnLow: 'f64',
  columnScale: 'f64',
  sweepRange: 'f64',
  /** Number of boxes for each box of the sample. */
  boxesEach: 'f64',
  /** Product of the mean sizes, divided by the mean product. */
  mixture: 'f64',
});
