// Layouts of the records of queries for the distance between two meshes and for triangles within a clearance.
import { record } from './record.js';

/**
 * The job of `bestFirstDistance` and `refineDistance`. Distances are in units of the common frame of both
 * meshes. Distances that are compared as floats are divided by `unit` and squared. weightsA, weightsB: one
 * weight for each axis of the normalized frame of A and of B; they give lower bounds of lengths, in `unit`s
 * (see weightsOf in metric.ts). A weight is 0 if no bound is known. best: an upper bound of the distance: at
 * first the caller's limit, then the smallest distance found so far by any thread. margin: the maximum amount
 * by which a computed distance can be less than the lower bound from boxes, because of rounding. frontAt:
 * address of frontCapacity NodePairEntries. hintA, hintB: a triangle of mesh A and a triangle of mesh B, in the
 * order of the pair record. Their distance is computed first. NOTHING: there is no hint.
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
  /** Linear part of the transform from A's normalized frame to the common frame, in `unit`s, row by row. */
  toCommon: ['f64', 9],
  last: ['u32', 2],
});

/**
 * A pair of boxes, given by their slots, and a lower bound of the squared distance between triangles in them.
 */
export const NodePairEntry = /* @__PURE__ */ record({
  slotA: 'u32',
  slotB: 'u32',
  squaredBound: 'f32',
  unused: 'u32',
});

/**
 * The search of one thread: its stack, its scratch memory and its best result. wideAt: pairs of triangles (a,
 * b) for which BigInt must decide whether they intersect.
 */
export const DistanceSearch = /* @__PURE__ */ record({
  stackAt: 'u32',
  scratchAt: 'u32',
  wideAt: 'u32',
  wideCapacity: 'u32',
  wideCount: 'u32',
  /** The nearest triangles that this thread found, with the user's mesh A first; NOTHING if it found none. */
  triangleA: 'u32',
  triangleB: 'u32',
  unused: 'u32',
  distance: 'f64',
  points: ['f64', 6],
  boxTests: 'f64',
  leafPairs: 'f64',
  triangleTests: 'f64',
  /**
   * Three perpendicular directions; the first is along the line between the nearest points found so far.
   * alongA, alongB: the directions in the normalized frames of A and of B, three numbers each. offsets: the
   * position of the origin of B's frame along each direction. error: maximum error of alongA, alongB and
   * offsets. size: for each direction, the absolute values of its components in A's frame are summed; size is
   * the largest of the three sums. sizeB: an upper bound of the three sums in B's frame. All values are 0
   * until a first direction is known.
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
 * The job of `measureTriangles`, which computes the distances of pairs of triangles. Input: pairAt is the
 * address of a pair record, and firstAt and secondAt have the triangle numbers. If pairAt is 0, pointsAt has
 * the corners instead, 18 f64 per pair. swapped: 1 if the mesh of secondAt is the first mesh of the pair
 * record. areIntersecting: 1 if all pairs are known to intersect. Output: distancesAt receives one f64 per
 * pair, nearestAt the nearest points as six f64 per pair, and verdictsAt one u32 per pair. If nearestAt or
 * verdictsAt is 0, that output is not written. A verdict is TOO_WIDE if BigInt must decide whether the
 * distance is 0. scratchAt: MEASURE_BYTES per slice.
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
 * What a clearance query needs for one placed pair. distance: the clearance, in units of the common frame.
 * reach: if the distance of two triangles is at most the clearance, their distance in A's normalized frame is
 * at most this. surelyNear: if the distance of two triangles in A's normalized frame is at most this, their
 * distance is certainly at most the clearance. slackA, slackB: the slacks of the pair record before they were
 * widened. squareA, squareB: the square of the reach in A's and in B's normalized frame. Both are -1 if one of
 * them could be out of the range of floats.
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
  /** Scratch memory of a slice of `measureTriangles`: points, results and working memory. */
  MEASURE_BYTES: 6656,
  /**
   * Scratch memory of a DistanceSearch: MEASURE_BYTES, the corners of two leaves, and the bounds of their
   * triangle pairs.
   */
  DISTANCE_SEARCH_BYTES: 8192,
} as const;
