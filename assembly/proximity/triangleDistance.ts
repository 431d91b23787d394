// Two triangles in doubles -> how far apart they are, and their nearest points. A function of the two sets of
// corners alone: they are put in order first.
//
// Error. Let L be the greatest extent of the six corners along an axis and e = 2^-53. Coordinates are
// differences from one corner, off by e L. Every candidate is a point of each triangle, off by a few e L, so
// the least distance of candidates is never too small by more than that. Nor is it too large. Corner against
// edge: the projection is off by a few e L. Edge against edge, at an angle whose sine is s, D apart: the
// normal is off by e / s, so the point of the one edge is off by a few e (L + D / s) / s, which takes it from
// the other by c e (L + D / s); where D / s is the greater, the distance grows by D e^2 / 2 s^2, and an end
// of an edge is too far by at most L^2 s^2 / 2 D: the lesser of the two is at most the root of their product,
// e L / 2. Corner against face, whose least angle's sine is s: projected along the longest edge first, then
// along the height, the foot is off by c e (L + D / s) again, and the edges are at most s L from it. A few
// such terms, of 2 or 3 axes each, stay below BOUND e L with BOUND = 128.
import { APART, MEET, trianglesMeet } from '../exact/trianglesMeet';
import { commonPoint } from './commonPoint';
import {
  CORNERS,
  FACE,
  makeFace,
  nearestEdges,
  nearestOnFace,
  OTHER_FACE,
  POINTS,
  WORK_BYTES,
} from './features';

/** Distance, then the nearest points of the first and of the second triangle: 7 f64. */
export const ANSWER_BYTES: usize = 56;
/** Besides its own work, scratch of trianglesMeet. */
export const DISTANCE_BYTES: usize = WORK_BYTES;

const LEAST: f64 = 5e-324;
const TRIANGLE: usize = 72;
// 2^-47: sums of products with the direction between nearest points are off by less than this, times the
// sizes.
const SIDE_ERROR: f64 = 7.105427357601002e-15;

// Is the corner at p before that at q, by x, y, z?
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

// Corners of the triangle at `from`, in order.
function putInOrder(from: usize, to: usize): void {
  let first = from;
  let second = from + 24;
  let third = from + 48;
  if (isBefore(second, first)) {
    const kept = first;
    first = second;
    second = kept;
  }
  if (isBefore(third, second)) {
    const kept = second;
    second = third;
    third = kept;
  }
  if (isBefore(second, first)) {
    const kept = first;
    first = second;
    second = kept;
  }
  copyCorner(first, to);
  copyCorner(second, to + 24);
  copyCorner(third, to + 48);
}

// Which of two triangles, whose corners are in order, comes first?
function isFirst(p: usize, q: usize): bool {
  for (let corner: usize = 0; corner < TRIANGLE; corner += 24) {
    if (isBefore(p + corner, q + corner)) return true;
    if (isBefore(q + corner, p + corner)) return false;
  }
  return true;
}

// A power of two that brings sizes near 1, where none of the products can leave the range of doubles.
function scaleFor(size: f64): f64 {
  if (size > 1e-60 && size < 1e60) return 1;
  const exponent = max<u64>(reinterpret<u64>(size) >> 52, 1);
  return reinterpret<f64>((2046 - exponent) << 52);
}

// Coordinates of six corners relative to the first one, scaled. Returns the greatest size before scaling.
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

// Do the nearest points found tell for sure that the triangles are apart? All of the one lies behind all of
// the other, seen along their difference.
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
 * 18 f64 at `p` -> ANSWER_BYTES at `out`, and MEET where they share a point, exactly then distance 0; else
 * APART. TOO_WIDE: the answer is that of triangles that are apart; whether they are is for trianglesMeetExact
 * to say. |distance - true| <= 2^-46 L. Nearest points are as near to the triangles, but for the rounding of
 * their coordinates; of triangles that meet both are one common point. work: DISTANCE_BYTES, and scratch:
 * EXACT_SCRATCH_BYTES. meets: they are known to meet.
 */
export function triangleDistance(
  p: usize,
  out: usize,
  work: usize,
  scratch: usize,
  meets: bool = false,
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
  const greatest = moveToFirst(ordered, corners);
  const scale = scaleFor(greatest);
  if (scale != 1)
    for (let at: usize = 0; at < 2 * TRIANGLE; at += 8)
      store<f64>(corners + at, load<f64>(corners + at) * scale);
  const size = greatest * scale;

  makeFace(corners, work + FACE);
  makeFace(corners + TRIANGLE, work + OTHER_FACE);
  let square: f64 = nearestEdges(work, Infinity);
  for (let at: usize = 0; at < TRIANGLE; at += 24)
    square = nearestOnFace(work + OTHER_FACE, corners + at, work + POINTS, work + POINTS + 24, square);
  for (let at: usize = TRIANGLE; at < 2 * TRIANGLE; at += 24)
    square = nearestOnFace(work + FACE, corners + at, work + POINTS + 24, work + POINTS, square);

  const verdict: u32 = meets ? MEET : areSurelyApart(work, size) ? APART : trianglesMeet(ordered, scratch);
  if (verdict == MEET) commonPoint(work, square);
  const distance = verdict == MEET ? 0 : max(sqrt(square) / scale, LEAST);
  store<f64>(out, distance);
  const first = out + (isSwapped ? 32 : 8);
  const second = out + (isSwapped ? 8 : 32);
  for (let at: usize = 0; at < 24; at += 8) {
    // Not -0: 0 and -0 are the same corner.
    store<f64>(first + at, load<f64>(ordered + at) + load<f64>(work + at, POINTS) / scale + 0);
    store<f64>(second + at, load<f64>(ordered + at) + load<f64>(work + at, POINTS + 24) / scale + 0);
  }
  return verdict;
}
