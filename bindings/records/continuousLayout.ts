// Layouts of the records of continuous collision detection between two features.
import { record } from './record.js';

/**
 * The differences of two moving features: four points that move linearly, in cyclic order. The features share
 * a point when the convex hull of the differences contains the origin; their distance is the distance of the
 * hull from the origin. Vertex and face: p - f0, p - f1, p - f2, p - f2. Two edges: a0 - b0, a1 - b0, a1 -
 * b1, a0 - b1. Values are scaled by a power of two, so that the largest coordinate is in 1..2.
 */
export const Motion = /* @__PURE__ */ record({
  /** x, y, z of the four points at time 0 and at time 1, and the difference of the two. */
  start: ['f64', 12],
  end: ['f64', 12],
  velocity: ['f64', 12],
  /**
   * All rounding error bounds are multiples of these values. With X, Y and Z as the maximum |x|, |y| and |z|:
   * extent is X + Y + Z, area is X Y + Y Z + Z X, and volume is X Y Z.
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
 * The differences at one time, and the direction from the origin to the nearest point of their convex hull.
 */
export const Moment = /* @__PURE__ */ record({
  points: ['f64', 12],
  /** A unit vector up to rounding; a zero or NaN vector if there is no direction. */
  normal: ['f64', 3],
  time: 'f64',
  /** Minimum and maximum of normal . point. */
  low: 'f64',
  high: 'f64',
  /** reach: distance of the nearest point that was found. rate: its speed along the normal. */
  reach: 'f64',
  rate: 'f64',
});

/** The job of `sweepFeatures`: queries are divided into sliceCount slices. */
export const SweepFeaturesJob = /* @__PURE__ */ record({
  /** 24 f64 for each query: four points at time 0, then at time 1. */
  queriesAt: 'u32',
  queryCount: 'u32',
  sliceCount: 'u32',
  /** 1: vertex and face (p, f0, f1, f2); 0: two edges (a0, a1, b0, b1). */
  isFace: 'u32',
  /**
   * resultsAt: a SweptFeatures for each query. scratchAt: SWEEP_SCRATCH_BYTES and QUERY_BLOCK_BYTES for each
   * slice.
   */
  resultsAt: 'u32',
  scratchAt: 'u32',
  /**
   * separation: minimum separation. tolerance: how far a distance may exceed it and still count as a contact.
   * resolution: the time interval of a proven contact is not narrowed below this.
   */
  separation: 'f64',
  tolerance: 'f64',
  resolution: 'f64',
});

/** Result of one query. */
export const SweptFeatures = /* @__PURE__ */ record({
  /**
   * No contact before `toi`. A contact (REACHED) or a distance within the tolerance (NEAR) lies in toi..toi +
   * bound.
   */
  toi: 'f64',
  bound: 'f64',
  /** CLEAR, NEAR or REACHED. */
  verdict: 'u32',
  /**
   * Number of times at which the direction was computed; 0 if the float filter proved that there is no
   * contact.
   */
  moments: 'u32',
});

/** Constants of continuous collision detection. */
export const continuousLimits = {
  /** Verdicts: certainly no contact; a contact could not be ruled out; certainly a contact. */
  CLEAR: 0,
  NEAR: 1,
  REACHED: 2,
  /** Maximum number of moments on the stack, and of moments that a query may compute. */
  MAX_WAITING: 62,
  MAX_MOMENTS: 256,
  SWEEP_SCRATCH_BYTES: 10752,
  /** Queries that `sweepFeatures` processes at a time, and the bytes of its filter for them. */
  QUERIES_PER_BLOCK: 64,
  QUERY_BLOCK_BYTES: 16000,
} as const;
