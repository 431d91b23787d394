// Layouts of the records of distance queries between meshes.
import { record } from './record.js';

/**
 * The job of `bestFirstDistance` and `refineDistance`. Distances are in units of the common frame. Distances
 * that are compared as floats are divided by `unit` and squared. weightsA, weightsB: lower bounds, in
 * `unit`s, of the length in the common frame of a unit vector along each axis of a stored frame; 0 if no
 * bound is known. best: the smallest distance found so far, or an upper bound; all threads lower it. margin:
 * the maximum amount by which a computed distance is below the bound of its boxes. frontAt: frontCapacity
 * NodePairEntry. hintA, hintB: two triangles to start with, in the order of the pair record, or NOTHING.
 */
export const DistanceJob = /* @__PURE__ */ record({
  pairAt: 'u32',
  searchesAt: 'u32',
  frontAt: 'u32',
  frontCapacity: 'u32',
  frontCount: 'u32',
  budget: 'u32',
  swapped: 'u32',
  hintA: 'u32',
  hintB: 'u32',
  weightsA: ['f32', 3],
  weightsB: ['f32', 3],
  unused: 'f32',
  unit: 'f64',
  margin: 'f64',
  spare: ['u32', 12],
  best: 'f64',
  intersects: 'u32',
  cursor: 'u32',
  spare2: ['u32', 12],
  /** Linear part of the transform from A's stored frame to the common frame, in `unit`s, row by row. */
  toCommon: ['f64', 9],
  last: ['u32', 2],
});

/** Two boxes, given by slots, and a lower bound of the squared distance of their triangles. */
export const NodePairEntry = /* @__PURE__ */ record({
  slotA: 'u32',
  slotB: 'u32',
  squaredBound: 'f32',
  unused: 'u32',
});

/**
 * One thread's search: its stack, its scratch, its best result, and triangle pairs whose intersection is left
 * to BigInt: (a, b) each.
 */
export const DistanceSearch = /* @__PURE__ */ record({
  stackAt: 'u32',
  scratchAt: 'u32',
  wideAt: 'u32',
  wideCapacity: 'u32',
  wideCount: 'u32',
  /** Its nearest triangles, in the user's order; NOTHING: none. */
  triangleA: 'u32',
  triangleB: 'u32',
  unused: 'u32',
  distance: 'f64',
  points: ['f64', 6],
  boxTests: 'f64',
  leafPairs: 'f64',
  triangleTests: 'f64',
  /**
   * Three perpendicular directions, the first along the line between the nearest points found so far: rows of
   * three in A's stored frame, and in B's. offsets: B's origin along each direction. error: maximum error of
   * these values. size: the maximum over the directions of the sum of |components| in A's frame. sizeB: an
   * upper bound of the same in B's frame. All are 0 until there is a first direction.
   */
  alongA: ['f32', 9],
  alongB: ['f32', 9],
  offsets: ['f32', 3],
  error: 'f32',
  size: 'f32',
  sizeB: 'f32',
  spare: ['u32', 10],
});

/**
 * The job of `measureTriangles`: distances of triangle pairs. pairAt: the pair record whose meshes firstAt
 * and secondAt refer to; 0: pointsAt has 18 f64 per pair instead. distancesAt: one f64 per pair. nearestAt:
 * six f64 per pair, the nearest points; or 0. verdictsAt: one u32 per pair, TOO_WIDE if BigInt must decide
 * whether the distance is 0; or 0. scratchAt: MEASURE_BYTES per slice. swapped: 1 if the record has the
 * second mesh first. areIntersecting: 1 if all pairs are known to intersect.
 */
export const MeasureJob = /* @__PURE__ */ record({
  pairAt: 'u32',
  firstAt: 'u32',
  secondAt: 'u32',
  swapped: 'u32',
  pointsAt: 'u32',
  count: 'u32',
  distancesAt: 'u32',
  nearestAt: 'u32',
  verdictsAt: 'u32',
  scratchAt: 'u32',
  sliceCount: 'u32',
  areIntersecting: 'u32',
});

/**
 * A clearance query for triangles within a distance, in units of the common frame. reach: upper bound of
 * their distance in A's stored frame. surelyNear: triangles at most this far apart in A's stored frame are
 * certainly within the distance. slackA, slackB: the pair's slacks before they were widened. squareA,
 * squareB: the square of the reach in A's and in B's stored frame. Both are -1 if one of them could be out of
 * the range of floats.
 */
export const Clearance = record({
  distance: 'f64',
  reach: 'f32',
  surelyNear: 'f32',
  slackA: 'f32',
  slackB: 'f32',
  squareA: 'f32',
  squareB: 'f32',
});

/** Constants that are shared by TypeScript and the kernels. */
export const distanceLimits = {
  /** Scratch of a slice of measureTriangles: points, results, working memory. */
  MEASURE_BYTES: 6656,
  /** Scratch of a DistanceSearch: MEASURE_BYTES, the corners of two leaves, and the bounds of their pairs. */
  DISTANCE_SEARCH_BYTES: 8192,
} as const;
