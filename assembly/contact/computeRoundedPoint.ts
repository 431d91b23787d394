// Computes one corner of the intersection of two triangles, with each coordinate rounded to the nearest
// double. An edge from u to v crosses a plane or another edge at (u h(v) - v h(u)) / (h(v) - h(u)). The sign
// of h(x) tells on which side x lies: h is a signed volume for a plane and a signed area for an edge.
import { addExpansions, productTail, scaleExpansion, sumTail } from '../exact/expansion';
import {
  exactOrient2d,
  exactVolume,
  makePlane,
  PLANE_BYTES,
  VOLUME,
  VOLUME_TERMS,
  WORK_BYTES,
} from '../exact/orient';
import { computeDoubleDoublePoint } from './computeDoubleDoublePoint';
import { nextAxis } from './simplex';
import { EDGE_EDGE, VERTEX } from './triangleIntersection';

const STRIDE: usize = 24;
const TRIANGLE: usize = 72;

// Every coordinate is 0 or has a magnitude of 2^-160..2^200, and is thus a multiple of 2^-212. So the sums of
// products of four coordinates that this file computes are multiples of 2^-848 and smaller than 2^810. These
// sums, their quotients above MIN_QUOTIENT, and the rounding errors of both do not underflow or overflow.
export const MIN_COORDINATE: f64 = 6.842277657836021e-49;
export const MAX_COORDINATE: f64 = 1.6069380442589903e60;
// Nonzero quotients of at most this magnitude are left undecided; TypeScript code computes them with BigInt.
const MIN_QUOTIENT: f64 = 3.054936363499605e-151;

// Bounds the relative error of a quotient. Truncating the numerator to two doubles adds 5 * 2^-106,
// truncating the denominator adds the same, and `divide` adds 28 * 2^-106. The constant, 2^-99, is more than
// twice the sum.
const QUOTIENT_ERROR: f64 = 1.5777218104420236e-30;

const HEIGHT_BYTES: usize = 8 * VOLUME_TERMS;
const WORK: usize = PLANE_BYTES;
// Offsets of expansions in the scratch memory: h(v), -h(u), their sum, their products with coordinates, and
// the sum of these products.
const HEIGHT_V: usize = WORK + WORK_BYTES;
const HEIGHT_U: usize = HEIGHT_V + HEIGHT_BYTES;
const SPAN: usize = HEIGHT_U + HEIGHT_BYTES;
const PRODUCT_U: usize = SPAN + 2 * HEIGHT_BYTES;
const PRODUCT_V: usize = PRODUCT_U + 2 * HEIGHT_BYTES;
const SUM: usize = PRODUCT_V + 2 * HEIGHT_BYTES;
export const POINT_SCRATCH: usize = SUM + 4 * HEIGHT_BYTES;

// Writes the coordinates of a corner to `out` (3 f64). `p`: the vertices of both triangles (18 f64). `name`:
// the corner's name, see triangleIntersection.ts.
// @returns false if a coordinate is too close to the midpoint between two doubles, or is not zero but too
// small for `divide`.
export function computeRoundedPoint(p: usize, name: u32, out: usize, scratch: usize): bool {
  const u = p + STRIDE * (name & 7);
  if ((name & VERTEX) != 0) {
    // Adding 0 turns -0 into 0, so that equal points have equal bytes.
    for (let axis: usize = 0; axis < STRIDE; axis += 8) store<f64>(out + axis, load<f64>(u + axis) + 0.0);
    return true;
  }
  const v = p + STRIDE * ((name >> 3) & 7);
  let countV: i32;
  let countU: i32;
  if ((name & EDGE_EDGE) != 0) {
    const r = p + STRIDE * ((name >> 6) & 7);
    const s = p + STRIDE * ((name >> 9) & 7);
    let axis: usize = 0;
    do {
      const first = nextAxis(axis);
      const second = nextAxis(first);
      countV = exactOrient2d(r, s, v, first, second, scratch + HEIGHT_V, scratch + WORK);
      countU = exactOrient2d(r, s, u, first, second, scratch + HEIGHT_U, scratch + WORK);
      axis += 8;
    } while ((countU == 0 || countV == 0) && axis < STRIDE);
  } else {
    const t = (name & 7) < 3 ? p + TRIANGLE : p;
    if (computeDoubleDoublePoint(u, v, t, out, scratch)) return true;
    makePlane(scratch, t, t + STRIDE, t + 2 * STRIDE);
    countV = volumeTo(v, t, HEIGHT_V, scratch);
    countU = volumeTo(u, t, HEIGHT_U, scratch);
  }
  negate(scratch + HEIGHT_U, countU);
  const spanCount = addExpansions(scratch + HEIGHT_V, countV, scratch + HEIGHT_U, countU, scratch + SPAN);
  for (let axis: usize = 0; axis < STRIDE; axis += 8)
    if (
      !interpolate(load<f64>(u + axis), load<f64>(v + axis), countU, countV, spanCount, out + axis, scratch)
    )
      return false;
  return true;
}

function volumeTo(point: usize, first: usize, to: usize, scratch: usize): i32 {
  const count = exactVolume(scratch, first, point, scratch + WORK);
  memory.copy(scratch + to, scratch + WORK + VOLUME, (<usize>count) << 3);
  return count;
}

function negate(e: usize, count: i32): void {
  for (let end = e + ((<usize>count) << 3); e < end; e += 8) store<f64>(e, -load<f64>(e));
}

// Computes one coordinate of the crossing. `u` and `v`: this coordinate of the edge's two ends.
function interpolate(
  u: f64,
  v: f64,
  countU: i32,
  countV: i32,
  spanCount: i32,
  out: usize,
  scratch: usize,
): bool {
  if (u == v) {
    store<f64>(out, u + 0.0);
    return true;
  }
  const uCount = scaleExpansion(scratch + HEIGHT_V, countV, u, scratch + PRODUCT_U);
  const vCount = scaleExpansion(scratch + HEIGHT_U, countU, v, scratch + PRODUCT_V);
  const count = addExpansions(scratch + PRODUCT_U, uCount, scratch + PRODUCT_V, vCount, scratch + SUM);
  if (count == 0) {
    store<f64>(out, 0);
    return true;
  }
  compress(scratch + SUM, count, scratch + PRODUCT_U);
  compress(scratch + SPAN, spanCount, scratch + PRODUCT_V);
  return divide(
    load<f64>(scratch + PRODUCT_U),
    load<f64>(scratch + PRODUCT_U, 8),
    load<f64>(scratch + PRODUCT_V),
    load<f64>(scratch + PRODUCT_V, 8),
    out,
  );
}

// Compresses an expansion to its two leading doubles. The second double is at most 2^-52 times the first, and
// the remainder, which is dropped, is at most 2^-52 times the second.
function compress(e: usize, count: i32, out: usize): void {
  let sum = load<f64>(e + ((<usize>count) << 3) - 8);
  let found: usize = 0;
  for (let i = count - 2; i >= 0 && found < 2; i--) {
    const term = load<f64>(e + ((<usize>i) << 3));
    const total = sum + term;
    const tail = sumTail(sum, term, total);
    sum = total;
    if (tail == 0) continue;
    store<f64>(out + (found << 3), total);
    sum = tail;
    found++;
  }
  if (found < 2) store<f64>(out + (found << 3), sum);
  if (found == 0) store<f64>(out, 0, 8);
}

// Writes the double nearest to (n + nLow) / (d + dLow) to `out`. @returns false if rounding errors could have
// changed this double, or if its magnitude is at most MIN_QUOTIENT.
function divide(n: f64, nLow: f64, d: f64, dLow: f64, out: usize): bool {
  const quotient = n / d;
  const product = quotient * d;
  const rest = n - product - productTail(quotient, d, product) + nLow - quotient * dLow;
  const correction = rest / d;
  const nearest = quotient + correction;
  const tail = sumTail(quotient, correction, nearest);
  const error = abs(nearest) * QUOTIENT_ERROR;
  store<f64>(out, nearest);
  return (
    abs(nearest) > MIN_QUOTIENT && nearest + (tail + error) == nearest && nearest + (tail - error) == nearest
  );
}
