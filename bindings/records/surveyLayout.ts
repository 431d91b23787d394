// Records of what boxes are like, which tells how their pairs are found.
import { record } from './record.js';

/**
 * The job of `surveyBoxes` and `planBoxes`: six floats a box, of which `ready` are there yet; slices take
 * blocks from `cursor` on, one BoxSurvey each, which make one BoxPlan.
 */
export const SurveyBoxesJob = /* @__PURE__ */ record({
  boxesAt: 'u32',
  boxCount: 'u32',
  surveysAt: 'u32',
  ready: 'u32',
  cursor: 'u32',
  sliceCount: 'u32',
  planAt: 'u32',
});

/**
 * What a slice of `surveyBoxes` saw of boxes that are not empty: bounds, the least size, sums of sizes and of
 * their squares.
 */
export const BoxSurvey = /* @__PURE__ */ record({
  low: ['f32', 4],
  high: ['f32', 4],
  least: ['f32', 4],
  sumX: 'f64',
  sumY: 'f64',
  sumZ: 'f64',
  squareX: 'f64',
  squareY: 'f64',
  squareZ: 'f64',
  /** Boxes that are not empty; the first value that is not finite, or NOTHING. */
  count: 'u32',
  firstWild: 'u32',
});

/**
 * What all boxes that are not empty are like, and what a sweep of them goes by; three numbers are by axis.
 */
export const BoxPlan = /* @__PURE__ */ record({
  low: ['f64', 3],
  high: ['f64', 3],
  /** The smallest size, the mean size, and the mean square of the size. */
  least: ['f64', 3],
  size: ['f64', 3],
  square: ['f64', 3],
  /** Pairs that as many boxes of the mean size would make if they lay evenly. */
  expected: 'f64',
  /** Axes: boxes spread most, for their size, along that of the sweep; least along that of the columns. */
  sweepAxis: 'u32',
  slabAxis: 'u32',
  columnAxis: 'u32',
  /** Boxes that are not empty; the first value that is not finite, or NOTHING. */
  count: 'u32',
  firstWild: 'u32',
  /**
   * 1 where sizes are so much alike, and space so small for them, that slabs and columns can be as narrow as
   * they need.
   */
  isAlike: 'u32',
});

/** A box of a sample: its corners as the sweep has them, and the cells that it would lie in. */
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
  /** Boxes of the sample that it overlaps. */
  pairs: 'u32',
});

/**
 * The job of `sampleBoxes`: how many tests and pairs a sample has in the slabs and columns that all boxes
 * would be swept in. Behind it there is room for a SampledBox each, then a sort key and address each, then
 * boxes of the sample in each slab.
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
   * pairs: without those of the box that has most; close: tests of boxes so near to touching that cells of
   * the sweep do not tell.
   */
  tests: 'u32',
  pairs: 'u32',
  close: 'u32',
  slabLow: 'f64',
  slabScale: 'f64',
  columnLow: 'f64',
  columnScale: 'f64',
  sweepRange: 'f64',
  /** Boxes for each one of the sample. */
  boxesEach: 'f64',
  /** Product of the mean sizes over the mean product. */
  mixture: 'f64',
});
