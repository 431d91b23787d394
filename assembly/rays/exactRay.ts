// Decides signs and comparisons of rays and triangles exactly, by expansions. A ray is six doubles: origin o
// and direction d. Let n = (b - a) x (c - a) be the normal of the triangle a, b, c. The ray's line meets the
// triangle's plane at the parameter t = height / speed, where height = n . (a - o) and speed = n . d.
import {
  addExpansions,
  differenceTail,
  multiplyExpansion,
  scaleExpansion,
  signOfExpansion,
} from '../exact/expansion';
import { exactOrient2d, isOutOfRange, isTooWide } from '../exact/orient';

/** Stands for a sign that the functions of this file cannot compute. */
export const UNKNOWN: i32 = 2;

// Products of up to five coordinates and one entry of a direction, and sums of such products, are exact if
// every coordinate is a multiple of 2^-164 below 2^150, and every entry of a direction is a multiple of 2^-252
// below 2^200. A product of five coordinates and one entry is then a multiple of 2^-1072 and below 2^960. The
// caller checks the range of the directions.
const MIN_COORDINATE: f64 = 1.925929944387236e-34;
const MAX_COORDINATE: f64 = 1.42724769270596e45;

// Layout of the working memory: the normal (3 x 16 terms), the products of its components (3 x 64), the sum of
// two of these products (128), the working memory of one multiplication (64), two heights (192 each), two
// speeds (96 each), two products of a height and a speed (MAX_TERMS each), a partial sum of such a product
// (MAX_TERMS), an expansion scaled by one double (384), and the difference whose sign is wanted.
const AXIS_BYTES: usize = 128;
const PRODUCTS: usize = 384;
const PRODUCT_BYTES: usize = 512;
const SUM2: usize = PRODUCTS + 3 * PRODUCT_BYTES;
const MULTIPLY_WORK: usize = SUM2 + 1024;
const HEIGHT: usize = MULTIPLY_WORK + 512;
const SPEED: usize = HEIGHT + 2 * 1536;
const LEFT: usize = SPEED + 2 * 768;
/** Products with more terms than this are not computed. */
const MAX_TERMS: i32 = 1024;
const TERMS_BYTES: usize = 8 * 1024;
const RIGHT: usize = LEFT + TERMS_BYTES;
const OTHER: usize = RIGHT + TERMS_BYTES;
const SCALED: usize = OTHER + TERMS_BYTES;
const TOTAL: usize = SCALED + 3072;

/**
 * Returns whether the vertices or the origin are outside the range in which edgeSide and heightSign are exact.
 * corners: the vertices (9 f64), then one f64 of padding, which is tested like a coordinate.
 */
export function isWide(ray: usize, corners: usize): bool {
  return isTooWide(corners, 80) || isOriginOutside(ray, 7.670458539527698e-93, 5.599361855444511e101);
}

/** Returns whether the vertices or the origin are outside the range in which parameters are compared. */
export function areTimesWide(ray: usize, corners: usize): bool {
  return (
    isOutOfRange(corners, 80, MIN_COORDINATE, MAX_COORDINATE) ||
    isOriginOutside(ray, MIN_COORDINATE, MAX_COORDINATE)
  );
}

function isOriginOutside(ray: usize, minAllowed: f64, maxAllowed: f64): bool {
  for (let axis: usize = 0; axis < 24; axis += 8) {
    const size = abs(load<f64>(ray + axis));
    if (size > maxAllowed || (size != 0 && size < minAllowed)) return true;
  }
  return false;
}

// Writes (q - p) x (r - p) as three expansions of 16 terms; returns the numbers of terms, 8 bits each.
function exactCross(p: usize, q: usize, r: usize, work: usize): i32 {
  const scratch = work + PRODUCTS;
  return (
    exactOrient2d(p, q, r, 8, 16, work, scratch) |
    (exactOrient2d(p, q, r, 16, 0, work + AXIS_BYTES, scratch) << 8) |
    (exactOrient2d(p, q, r, 0, 8, work + 2 * AXIS_BYTES, scratch) << 16)
  );
}

// Computes the dot product of two vectors, the result of exactCross and to - from, and writes it to `out`.
// Returns the number of terms of the dot product: at most 192, or at most 96 if `from` is the null vector.
function exactDot(counts: i32, from: usize, to: usize, out: usize, work: usize): i32 {
  let xCount = 0;
  let yCount = 0;
  let zCount = 0;
  for (let axis: usize = 0; axis < 3; axis++) {
    const start = load<f64>(from + (axis << 3));
    const end = load<f64>(to + (axis << 3));
    const difference = end - start;
    zCount = multiplyExpansion(
      work + axis * AXIS_BYTES,
      (counts >> ((<i32>axis) << 3)) & 255,
      difference,
      differenceTail(end, start, difference),
      work + PRODUCTS + axis * PRODUCT_BYTES,
      work + MULTIPLY_WORK,
    );
    if (axis == 0) xCount = zCount;
    if (axis == 1) yCount = zCount;
  }
  const sum = work + SUM2;
  const xyCount = addExpansions(work + PRODUCTS, xCount, work + PRODUCTS + PRODUCT_BYTES, yCount, sum);
  return addExpansions(sum, xyCount, work + PRODUCTS + 2 * PRODUCT_BYTES, zCount, out);
}

/**
 * Returns the sign of d . ((p - o) x (q - o)): on which side of the edge from p to q the ray's line passes.
 * zero: address of a null vector.
 */
export function edgeSide(ray: usize, p: usize, q: usize, zero: usize, work: usize): i32 {
  const counts = exactCross(ray, p, q, work);
  return signOfExpansion(work + HEIGHT, exactDot(counts, zero, ray + 24, work + HEIGHT, work));
}

/** Returns the sign of the height of the triangle. */
export function heightSign(ray: usize, corners: usize, work: usize): i32 {
  const counts = exactCross(corners, corners + 24, corners + 48, work);
  return signOfExpansion(work + HEIGHT, exactDot(counts, ray, corners, work + HEIGHT, work));
}

// Writes the height and the speed of a triangle to place 0 or 1 of the working memory. Returns their numbers
// of terms: the height's in bits 0 to 15, and the speed's in bits 16 to 31.
function heightAndSpeed(ray: usize, corners: usize, place: usize, zero: usize, work: usize): i32 {
  const counts = exactCross(corners, corners + 24, corners + 48, work);
  const heightCount = exactDot(counts, ray, corners, work + HEIGHT + place * 1536, work);
  return heightCount | (exactDot(counts, zero, ray + 24, work + SPEED + place * 768, work) << 16);
}

// Multiplies two expansions. Writes at most MAX_TERMS terms to `out` and returns their number, or -1 if there
// may be more.
function multiply(e: usize, eCount: i32, f: usize, fCount: i32, out: usize, work: usize): i32 {
  if (2 * eCount * fCount > MAX_TERMS) return -1;
  // The partial sums alternate between two places. The first place is chosen so that the last sum is in `out`.
  let from = fCount & 1 ? work + OTHER : out;
  let to = fCount & 1 ? out : work + OTHER;
  let count = 0;
  for (let i: i32 = 0; i < fCount; i++) {
    const scaledCount = scaleExpansion(e, eCount, load<f64>(f + ((<usize>i) << 3)), work + SCALED);
    count = addExpansions(from, count, work + SCALED, scaledCount, to);
    const next = from;
    from = to;
    to = next;
  }
  return count;
}

/**
 * Returns the sign of t1 - t2, or UNKNOWN: t1 and t2 are the parameters at which the ray meets the planes of
 * the first and of the second triangle. Neither plane may be parallel to the ray.
 */
export function compareTimes(ray: usize, first: usize, second: usize, zero: usize, work: usize): i32 {
  if (areTimesWide(ray, first) || areTimesWide(ray, second)) return UNKNOWN;
  const one = heightAndSpeed(ray, first, 0, zero, work);
  const two = heightAndSpeed(ray, second, 1, zero, work);
  const speed1 = work + SPEED;
  const speed2 = work + SPEED + 768;
  const left = multiply(work + HEIGHT, one & 0xffff, speed2, two >> 16, work + LEFT, work);
  const right = multiply(work + HEIGHT + 1536, two & 0xffff, speed1, one >> 16, work + RIGHT, work);
  if (left < 0 || right < 0) return UNKNOWN;
  for (let i: i32 = 0; i < right; i++) {
    const at = work + RIGHT + ((<usize>i) << 3);
    store<f64>(at, -load<f64>(at));
  }
  const count = addExpansions(work + LEFT, left, work + RIGHT, right, work + TOTAL);
  return (
    signOfExpansion(work + TOTAL, count) *
    signOfExpansion(speed1, one >> 16) *
    signOfExpansion(speed2, two >> 16)
  );
}

/** Returns the sign of a triangle's parameter minus `limit`, or UNKNOWN. */
export function compareToLimit(ray: usize, corners: usize, limit: f64, zero: usize, work: usize): i32 {
  // The limit must be 0 or between 2^-200 and 2^200.
  const isNormal = limit == 0 || (limit >= 6.223015277861142e-61 && limit <= 1.6069380442589903e60);
  if (!isNormal || areTimesWide(ray, corners)) return UNKNOWN;
  const counts = heightAndSpeed(ray, corners, 0, zero, work);
  const speed = work + SPEED;
  const scaledCount = limit == 0 ? 0 : scaleExpansion(speed, counts >> 16, -limit, work + SCALED);
  const count = addExpansions(work + HEIGHT, counts & 0xffff, work + SCALED, scaledCount, work + TOTAL);
  return signOfExpansion(work + TOTAL, count) * signOfExpansion(speed, counts >> 16);
}

/**
 * Returns a triangle's parameter with a relative error of at most 2^-48, or NaN if it cannot be computed. The
 * plane must not be parallel to the ray.
 */
export function estimateTime(ray: usize, corners: usize, zero: usize, work: usize): f64 {
  if (areTimesWide(ray, corners)) return NaN;
  const counts = heightAndSpeed(ray, corners, 0, zero, work);
  return sumOf(work + HEIGHT, counts & 0xffff) / sumOf(work + SPEED, counts >> 16);
}

// Returns the sum of the terms of an expansion. Adding from the smallest term on keeps the relative error
// within a few roundings. The last term alone is too inaccurate: the others may add up to about half of it.
function sumOf(e: usize, count: i32): f64 {
  let sum: f64 = 0;
  for (let i: i32 = 0; i < count; i++) sum += load<f64>(e + ((<usize>i) << 3));
  return sum;
}
