// Records of distances between meshes: what bindings/records/layout.ts is for queries.
import { record } from './record.js';

/**
 * The job of `seekNearest`, `followNearest`. Distances are in units of the common frame; those that floats
 * compare are divided by `unit` and squared. weightsA, weightsB: a unit along each axis of a stored frame is
 * at least as long, in `unit`s; 0 where nothing is known. best: the least distance that was found, or what it
 * may be at most: threads lower it together. margin: what a distance may be computed less than boxes allow.
 * frontAt: room for frontCapacity NearBoxes; hintA, hintB: two triangles to begin with, in the order of the
 * record, or NOTHING.
 */
export const NearJob = /* @__PURE__ */ record({
  pairAt: 'u32',
  seekersAt: 'u32',
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
  met: 'u32',
  cursor: 'u32',
  spareToo: ['u32', 12],
  /** Rows of what takes A's stored frame to the common one, in `unit`s. */
  toCommon: ['f64', 9],
  last: ['u32', 2],
});

/** Two boxes named by slots, and the square of what their triangles are apart at least. */
export const NearBoxes = /* @__PURE__ */ record({ slotA: 'u32', slotB: 'u32', apart: 'f32', unused: 'u32' });

/**
 * One thread's search: its stack, scratch, what it has found, and triangles whose meeting is left to
 * integers: (pair, a, b) each.
 */
export const Seeker = /* @__PURE__ */ record({
  stackAt: 'u32',
  scratchAt: 'u32',
  wideAt: 'u32',
  wideCapacity: 'u32',
  wideCount: 'u32',
  /** Of its nearest triangles, in the user's order; NOTHING: none. */
  triangleA: 'u32',
  triangleB: 'u32',
  unused: 'u32',
  distance: 'f64',
  points: ['f64', 6],
  boxTests: 'f64',
  leafPairs: 'f64',
  triangleTests: 'f64',
  /**
   * Three directions upright on each other, the first the way between the nearest points so far: rows of
   * three in A's stored frame, and in B's; where B's origin is along each, what all is off by at most, and
   * sums of sizes in both frames. All 0 until there is a way.
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
 * The job of `measureTriangles`: distances of triangle pairs. pairAt: the record whose meshes' triangles
 * firstAt and secondAt name; 0: pointsAt has 18 f64 a pair. distancesAt: an f64 a pair; nearestAt: six f64 a
 * pair, the nearest points, or 0; verdictsAt: a u32 a pair, or 0: TOO_WIDE where integers must tell whether
 * the distance is 0. scratchAt: MEASURE_BYTES a slice. swapped: the record has second meshes first. meet: 1
 * where all of them are known to meet.
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
  meet: 'u32',
});

/**
 * How near triangles are asked for, in units of the common frame. reach: how far from each other they are
 * then, at most, in A's stored frame; inner: no farther apart there they surely are as near. slackA, slackB:
 * the pair's, before they were widened; squareA, squareB: the square of the reach in A's and in B's stored
 * frame, or -1 where it is beyond the range of floats.
 */
export const Clearance = record({
  distance: 'f64',
  reach: 'f32',
  inner: 'f32',
  slackA: 'f32',
  slackB: 'f32',
  squareA: 'f32',
  squareB: 'f32',
});

/** Numbers that both sides agree on. */
export const distanceLimits = {
  /** Scratch of a slice of measureTriangles: points, answers, work. */
  MEASURE_BYTES: 6656,
  /** Scratch of a Seeker: that, and corners of two leaves and bounds of their pairs. */
  SEEK_BYTES: 8192,
} as const;
