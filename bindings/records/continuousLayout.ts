// Layouts of the records of continuous collision detection between two features: a vertex and a face, or two
// edges.
import { record } from './record.js';

/**
 * The differences of the vertices of two moving features: four points that move linearly, in cyclic order.
 * For vertex p and face f0, f1, f2: p - f0, p - f1, p - f2, p - f2. For edges a0, a1 and b0, b1: a0 - b0,
 * a1 - b0, a1 - b1, a0 - b1. The distance of the features is the distance of the origin from the convex hull
 * of the four points. The features share a point if the hull contains the origin. All values are scaled by a
 * power of two, so that the largest coordinate is in 1..2.
 */
export const Motion = /* @__PURE__ */ record({
  /** x, y, z of the four points at time 0 (start) and at time 1 (end), and end - start (velocity). */
  start: ['f64', 12],
  end: ['f64', 12],
  velocity: ['f64', 12],
  /**
   * All rounding error bounds are multiples of these values. Let X, Y and Z be the maximum |x|, |y| and |z|.
   * Then extent is X + Y + Z, area is X * Y + Y * Z + Z * X, and volume is X * Y * Z.
   */
  extent: 'f64',
  area: 'f64',
  volume: 'f64',
  /** Minimum separation and tolerance, scaled. */
  separation: 'f64',
  tolerance: 'f64',
  /** 1: a vertex and a face. 0: two edges. */
  isFace: 'u32',
});

/**
 * The four difference points of a Motion at one time, and the direction from the origin to the nearest point
 * of their convex hull.
 */
export const Moment = /* @__PURE__ */ record({
  points: ['f64', 12],
  /** The direction: a unit vector up to rounding. A zero or NaN vector if there is no direction. */
  normal: ['f64', 3],
  time: 'f64',
  /** Minimum and maximum of the dot products of `normal` and the four points. */
  low: 'f64',
  high: 'f64',
  /**
   * reach: distance from the origin to the nearest hull point that was found. rate: speed of this point along
   * the normal.
   */
  reach: 'f64',
  rate: 'f64',
});

/**
 * The job of `sweepFeatures`, which finds the first contact of many pairs of moving features. The queries are
 * divided into sliceCount slices.
 */
export const SweepFeaturesJob = /* @__PURE__ */ record({
  /** Address of 24 f64 for each query: four points at time 0, then the same points at time 1. */
  queriesAt: 'u32',
  queryCount: 'u32',
  sliceCount: 'u32',
  /** What the four points are. 1: a vertex and a face (p, f0, f1, f2). 0: two edges (a0, a1, b0, b1). */
  isFace: 'u32',
  /**
   * resultsAt: address of a SweptFeatures for each query. scratchAt: address of SWEEP_SCRATCH_BYTES +
   * QUERY_BLOCK_BYTES for each slice.
   */
  resultsAt: 'u32',
  scratchAt: 'u32',
  /**
   * separation: features are in contact if their distance is at most this. tolerance: a distance may exceed
   * the separation by up to this and still be reported as NEAR. resolution: the time interval of a proven
   * contact is not narrowed to less than this.
   */
  separation: 'f64',
  tolerance: 'f64',
  resolution: 'f64',
});

/** Result of one query. */
export const SweptFeatures = /* @__PURE__ */ record({
  /**
   * There is no contact before time `toi`. If the verdict is REACHED, a contact occurs at a time in
   * toi..toi + bound. If the verdict is NEAR and `bound` is 0, the distance at `toi` is within the tolerance.
   * If it is NEAR and `bound` is not 0, nothing is known about the time from `toi` to toi + bound, which is
   * the end of the step.
   */
  toi: 'f64',
  bound: 'f64',
  /** CLEAR, NEAR or REACHED. */
  verdict: 'u32',
  /**
   * Number of Moments that were computed; 0 if a simpler test, such as the float filter, ruled out a contact.
   */
  moments: 'u32',
});

/** Constants of continuous collision detection. */
export const continuousLimits = {
  /** Verdicts: certainly no contact; a contact could not be ruled out; certainly a contact. */
  CLEAR: 0,
  NEAR: 1,
  REACHED: 2,
  /**
   * MAX_WAITING: maximum number of Moments on the stack. MAX_MOMENTS: maximum number of Moments that a query
   * may compute.
   */
  MAX_WAITING: 62,
  MAX_MOMENTS: 256,
  SWEEP_SCRATCH_BYTES: 10752,
  /**
   * QUERIES_PER_BLOCK: number of queries that `sweepFeatures` filters at a time. QUERY_BLOCK_BYTES: the
   * scratch memory that its float filter needs for such a block.
   */
  QUERIES_PER_BLOCK: 64,
  QUERY_BLOCK_BYTES: 16000,
} as const;
