// Records of continuous collision detection: what bindings/records/layout.ts is for queries.
import { record } from './record.js';

/**
 * The differences of two moving features: four points that move linearly, in cyclic order. The features share
 * a point where the hull of the differences holds the origin; their distance is the hull's distance from it.
 * A vertex and a face: p - f0, p - f1, p - f2, p - f2. Two edges: a0 - b0, a1 - b0, a1 - b1, a0 - b1. Scaled
 * by a power of two, so that the greatest coordinate lies in 1..2.
 */
export const Motion = /* @__PURE__ */ record({
  /** x of the four points, y, z: at time 0, at time 1, and what leads from one to the other. */
  start: ['f64', 12],
  end: ['f64', 12],
  velocity: ['f64', 12],
  /**
   * A sum over the axes that all bounds of rounding are multiples of: of the greatest |x|, |y|, |z|; of their
   * products by two; of all three.
   */
  extent: 'f64',
  area: 'f64',
  volume: 'f64',
  /** Minimum separation and tolerance, scaled. */
  separation: 'f64',
  tolerance: 'f64',
  /** 1: a vertex and a face. */
  isFace: 'u32',
});

/** The differences at one time, and the direction from the origin to the nearest point of their hull. */
export const Moment = /* @__PURE__ */ record({
  points: ['f64', 12],
  /** A unit vector, but for rounding; a zero or NaN vector where there is no direction. */
  normal: ['f64', 3],
  time: 'f64',
  /** Least and greatest of normal . point. */
  low: 'f64',
  high: 'f64',
  /** Distance of the nearest point that was found; how fast it goes along the normal. */
  reach: 'f64',
  rate: 'f64',
});

/** The job of `sweepFeatures`: queries are dealt over sliceCount slices. */
export const SweepFeaturesJob = /* @__PURE__ */ record({
  /** 24 f64 a query: four points at time 0, then at time 1. */
  queriesAt: 'u32',
  queryCount: 'u32',
  sliceCount: 'u32',
  /** 1: vertex and face (p, f0, f1, f2); 0: two edges (a0, a1, b0, b1). */
  isFace: 'u32',
  /** A SweptFeatures a query; SWEEP_SCRATCH_BYTES and QUERY_BLOCK_BYTES a slice. */
  resultsAt: 'u32',
  scratchAt: 'u32',
  /**
   * Minimum separation; distance beyond it that still counts as a contact; a proven contact is not bounded
   * more closely than this.
   */
  separation: 'f64',
  tolerance: 'f64',
  resolution: 'f64',
});

/** What became of one query. */
export const SweptFeatures = /* @__PURE__ */ record({
  /**
   * No contact before `toi`. `bound`: a contact (REACHED) or a distance within the tolerance (NEAR) lies in
   * toi..toi + bound.
   */
  toi: 'f64',
  bound: 'f64',
  /** CLEAR, NEAR or REACHED. */
  verdict: 'u32',
  /** Times at which the direction was computed; 0 where floats showed that there is no contact. */
  moments: 'u32',
});

/** Numbers of continuous collision detection. */
export const continuousLimits = {
  /** Verdicts: surely no contact; none could be ruled out; surely a contact. */
  CLEAR: 0,
  NEAR: 1,
  REACHED: 2,
  /** Moments that wait at once, and that a query may ask for. */
  MOST_WAITING: 62,
  MOST_MOMENTS: 256,
  SWEEP_SCRATCH_BYTES: 10752,
  /** Queries that `sweepFeatures` takes at a time, and bytes of what it looks at them with. */
  QUERIES_A_BLOCK: 64,
  QUERY_BLOCK_BYTES: 16000,
} as const;
