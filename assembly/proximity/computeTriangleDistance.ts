// Computes the distance between two triangles with double coordinates, and their nearest points. First sorts
// the corners of each triangle, and the two triangles, so that the result does not depend on their order.
//
// Error bound. Let L be the largest extent of the six corners along an axis, e = 2^-53, and c a small
// constant. Coordinates are differences from one corner, with an error of e L. A candidate is a pair of
// points, one of each triangle, with errors of a few e L. Therefore, the smallest distance of all candidates
// is at most a few e L below the true distance. It is also at most a few e L above the true distance, for
// each kind of nearest features:
// - Corner and edge: the projection of the corner onto the edge has an error of a few e L.
// - Two edges at an angle with sine s and a distance D: the normal has an error of e / s, so the point on the
// first edge has an error of a few e (L + D / s) / s, which moves it away from the second edge by
// c e (L + D / s). If D / s is the larger term, the distance grows by D e^2 / (2 s^2). There is also a
// candidate at an end of an edge, whose distance is too large by at most L^2 s^2 / (2 D). The smaller of these
// two errors is at most the square root of their product, e L / 2.
// - Corner and face whose smallest angle has sine s: the corner is projected along the longest edge first,
// then along the height. So the projection again has an error of c e (L + D / s), and the edges are at most
// s L away from the projection.
//
// The sum of a few such terms, for 2 or 3 axes each, stays below 128 e L = 2^-46 L.
import { APART, INTERSECT, trianglesIntersect } from '../exact/trianglesIntersect';
import { CORNERS, nearestOfTriangles, POINTS, WORK_BYTES } from './features';
import { findCommonPoint } from './findCommonPoint';

/** Bytes of a result: the distance, then the nearest point of the first and of the second triangle, 7 f64. */
export const DISTANCE_RESULT_BYTES: usize = 56;
/** Bytes of the work space, not including the scratch memory of trianglesIntersect. */
export const DISTANCE_BYTES: usize = WORK_BYTES;

const MIN_DISTANCE: f64 = 5e-324;
const TRIANGLE: usize = 72;
// 2^-47: bounds the rounding error of the dot product of a corner with the direction between the nearest
// points, relative to the product of the max |coordinate| of the corners and the sum of the direction's
// |coordinates|.
const SIDE_ERROR: f64 = 7.105427357601002e-15;

// Returns whether the corner at p comes before the corner at q in the order by x, then y, then z.
function isBefore(p: usize, q: usize): bool {
  const px = load<f64>(p);
  const qx = load<f64>(q);
  if (px != qx) return px < qx;
  const py = load<f64>(p, 8);
  const qy = load<f64>(q, 8);
  return py != qy ? py < qy : load<f64>(p, 16) < load<f64>(q, 16);
}

function copyCorner(from: usize, to: usize): void {
  store<f64>(to, load<f64>(from));
  store<f64>(to, load<f64>(from, 8), 8);
  store<f64>(to, load<f64>(from, 16), 16);
}

// Copies the corners of the triangle at `from` to `to` in sorted order.
function putInOrder(from: usize, to: usize): void {
  let first = from;
  let second = from + 24;
  let third = from + 48;
  if (isBefore(second, first)) {
    const swapped = first;
    first = second;
    second = swapped;
  }
  if (isBefore(third, second)) {
    const swapped = second;
    second = third;
    third = swapped;
  }
  if (isBefore(second, first)) {
    const swapped = first;
    first = second;
    second = swapped;
  }
  copyCorner(first, to);
  copyCorner(second, to + 24);
  copyCorner(third, to + 48);
}

// Returns whether the triangle at p comes before the triangle at q or equals it. The corners of both
// triangles must be sorted.
function isFirst(p: usize, q: usize): bool {
  for (let corner: usize = 0; corner < TRIANGLE; corner += 24) {
    if (isBefore(p + corner, q + corner)) return true;
    if (isBefore(q + corner, p + corner)) return false;
  }
  return true;
}

// Returns a factor that brings `size` into a range in which no product overflows or underflows: 1 if the size
// is between 1e-60 and 1e60, otherwise a power of two that brings it close to 1.
function scaleFor(size: f64): f64 {
  if (size > 1e-60 && size < 1e60) return 1;
  const exponent = max<u64>(reinterpret<u64>(size) >> 52, 1);
  return reinterpret<f64>((2046 - exponent) << 52);
}

// Writes the coordinates of the six corners at `from`, relative to the first of them, to `to`. Returns the
// maximum |coordinate| written.
function moveToFirst(from: usize, to: usize): f64 {
  const x = load<f64>(from);
  const y = load<f64>(from, 8);
  const z = load<f64>(from, 16);
  let size: f64 = 0;
  for (let at: usize = 0; at < 2 * TRIANGLE; at += 24) {
    const dx = load<f64>(from + at) - x;
    const dy = load<f64>(from + at, 8) - y;
    const dz = load<f64>(from + at, 16) - z;
    store<f64>(to + at, dx);
    store<f64>(to + at, dy, 8);
    store<f64>(to + at, dz, 16);
    size = max(size, max(abs(dx), max(abs(dy), abs(dz))));
  }
  return size;
}

// Returns whether the direction between the nearest points is surely a separating axis, which proves that the
// triangles are disjoint. size: the maximum |coordinate| of the corners.
function areSurelyApart(work: usize, size: f64): bool {
  const x = load<f64>(work, POINTS + 24) - load<f64>(work, POINTS);
  const y = load<f64>(work, POINTS + 32) - load<f64>(work, POINTS + 8);
  const z = load<f64>(work, POINTS + 40) - load<f64>(work, POINTS + 16);
  let farthest = -Infinity;
  let nearest = Infinity;
  for (let at: usize = 0; at < TRIANGLE; at += 24) {
    const p = work + CORNERS + at;
    const q = p + TRIANGLE;
    farthest = max(farthest, load<f64>(p) * x + load<f64>(p, 8) * y + load<f64>(p, 16) * z);
    nearest = min(nearest, load<f64>(q) * x + load<f64>(q, 8) * y + load<f64>(q, 16) * z);
  }
  return nearest - farthest > SIDE_ERROR * size * (abs(x) + abs(y) + abs(z));
}

/**
 * Computes the distance of two triangles. p: 18 f64, the corners of the first and then of the second triangle.
 * out: DISTANCE_RESULT_BYTES. work: DISTANCE_BYTES. scratch: EXACT_SCRATCH_BYTES. areIntersecting: true if the
 * triangles are already known to intersect, so that the exact test is skipped.
 *
 * Returns INTERSECT if the triangles share a point, APART if they share none, or TOO_WIDE if
 * trianglesIntersectExact (TypeScript) has to decide this. For TOO_WIDE, the distance and the nearest points
 * are computed as for APART. The distance is 0 only for INTERSECT. The error of the distance is at most
 * 2^-46 L, where L is the largest extent of the six corners along an axis. The nearest points have the same
 * accuracy, up to the rounding of their coordinates. For intersecting triangles, both nearest points are the
 * same point: a common point, to the precision of doubles.
 */
export function computeTriangleDistance(
  p: usize,
  out: usize,
  work: usize,
  scratch: usize,
  areIntersecting: bool = false,
): u32 {
  const ordered = work + CORNERS + 2 * TRIANGLE;
  putInOrder(p, ordered);
  putInOrder(p + TRIANGLE, ordered + TRIANGLE);
  const isSwapped = !isFirst(ordered, ordered + TRIANGLE);
  if (isSwapped) {
    putInOrder(p + TRIANGLE, ordered);
    putInOrder(p, ordered + TRIANGLE);
  }
  const corners = work + CORNERS;
  const maxCoordinate = moveToFirst(ordered, corners);
  const scale = scaleFor(maxCoordinate);
  if (scale != 1)
    for (let at: usize = 0; at < 2 * TRIANGLE; at += 8)
      store<f64>(corners + at, load<f64>(corners + at) * scale);
  const size = maxCoordinate * scale;

  const square = nearestOfTriangles(work);
  const verdict: u32 = areIntersecting
    ? INTERSECT
    : areSurelyApart(work, size)
      ? APART
      : trianglesIntersect(ordered, scratch);
  if (verdict == INTERSECT) findCommonPoint(work, square);
  const distance = verdict == INTERSECT ? 0 : max(sqrt(square) / scale, MIN_DISTANCE);
  store<f64>(out, distance);
  const first = out + (isSwapped ? 32 : 8);
  const second = out + (isSwapped ? 8 : 32);
  for (let at: usize = 0; at < 24; at += 8) {
    // Adding 0 converts -0 to 0: corners that differ only in the sign of a zero must give the same result.
    store<f64>(first + at, load<f64>(ordered + at) + load<f64>(work + at, POINTS) / scale + 0);
    store<f64>(second + at, load<f64>(ordered + at) + load<f64>(work + at, POINTS + 24) / scale + 0);
  }
  return verdict;
}
