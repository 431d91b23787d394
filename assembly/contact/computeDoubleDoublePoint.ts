// Computes the point at which an edge passes through a plane, with each coordinate rounded to the nearest
// double. Double-double arithmetic with an error bound decides nearly all points; for the others,
// computeDoubleDoublePoint returns false. Notation: e = 2^-53 is the largest relative rounding error of one
// operation. The height of a point above the plane is a sum of products, which are called its terms. Rounding
// errors of about e^2 times a term are not corrected; the constants below bound them.
import { differenceTail, productTail, sumTail } from '../exact/expansion';

const STRIDE: usize = 24;

// Layout of the scratch memory. For the plane's normal: its high parts (3 f64), its low parts (3), and the
// sum of the magnitudes of the terms of each coordinate (3). Then for each height, u's before v's: the high
// part, the low part, and the sum of the magnitudes of the height's terms.
const LOW: usize = 24;
const TERMS: usize = 48;
const HEIGHT_U: usize = 72;
const HEIGHT_V: usize = 96;

// Error bounds in units of e^2 times the magnitudes of the terms: 8 for a product of two differences, 15 for
// the difference of two such products, 35 for that difference times a third difference, and 65 < 2^7 for the
// sum of three of these. The quotient uses both heights and their sum. Their errors together are at most four
// times as large, below 2^-95. The constant is twice that, 2^-94, to cover the rounding of the sums of terms.
export const HEIGHT_ERROR: f64 = 5.048709793414476e-29;
// The quotient has a rounding error of 28 e^2, and its product with the edge has an error of 8 e^2: together
// below 2^-100. The constant is 2^-98, which also covers the rounding of the bound itself and leaves a margin.
export const QUOTIENT_ERROR: f64 = 3.1554436208840472e-30;
// Adding u, the edge's first end, rounds by at most 5 e^2 times the magnitude of u. The constant is 2^-102.
const SUM_ERROR: f64 = 1.9721522630525295e-31;

// Computes the point at which the edge from u to v passes through the plane of the triangle at t, and writes
// it to `out` (3 f64). u and v must lie strictly on different sides of the plane.
// @returns false if rounding errors could have changed a coordinate.
export function computeDoubleDoublePoint(u: usize, v: usize, t: usize, out: usize, scratch: usize): bool {
  for (let axis: usize = 0; axis < STRIDE; axis += 8) normalAlong(t, axis, scratch);
  heightOf(u, t, scratch, scratch + HEIGHT_U);
  heightOf(v, t, scratch, scratch + HEIGHT_V);
  const high = -load<f64>(scratch, HEIGHT_U);
  const low = -load<f64>(scratch, HEIGHT_U + 8);
  const other = load<f64>(scratch, HEIGHT_V);
  const sum = high + other;
  const sumLow = sumTail(high, other, sum) + (low + load<f64>(scratch, HEIGHT_V + 8));
  const span = sum + sumLow;
  const spanLow = sumTail(sum, sumLow, span);
  const height = high + low;
  const heightLow = sumTail(high, low, height);
  const share = height / span;
  const product = share * span;
  const shareLow =
    (height - product - productTail(share, span, product) + heightLow - share * spanLow) / span;
  const terms = load<f64>(scratch, HEIGHT_U + 16) + load<f64>(scratch, HEIGHT_V + 16);
  const error = (terms / abs(span)) * HEIGHT_ERROR + QUOTIENT_ERROR;
  // If the bound of the relative error is NaN or at least 1, rounding may have lost the heights entirely.
  if (!(error < 1)) return false;
  for (let axis: usize = 0; axis < STRIDE; axis += 8)
    if (!interpolate(load<f64>(u + axis), load<f64>(v + axis), share, shareLow, error, out + axis))
      return false;
  return true;
}

// Writes u + share * (v - u), rounded to the nearest double. `error`: bound of the relative error of share.
// Returns false if errors within this bound could have changed the result.
function interpolate(u: f64, v: f64, share: f64, shareLow: f64, error: f64, out: usize): bool {
  const edge = v - u;
  const edgeLow = differenceTail(v, u, edge);
  const step = share * edge;
  const stepLow = productTail(share, edge, step) + (share * edgeLow + shareLow * edge);
  const sum = u + step;
  const rest = sumTail(u, step, sum) + stepLow;
  const nearest = sum + rest;
  const tail = sumTail(sum, rest, nearest);
  const bound = abs(edge) * error + abs(u) * SUM_ERROR;
  store<f64>(out, nearest + 0.0);
  return nearest + (tail + bound) == nearest && nearest + (tail - bound) == nearest;
}

// Writes one coordinate of the normal (b - a) x (c - a) of the triangle at t: the high part, the low part and
// the sum of the magnitudes of the terms.
// @ts-ignore: decorator
@inline
export function normalAlong(t: usize, axis: usize, scratch: usize): void {
  const first: usize = axis == 16 ? 0 : axis + 8;
  const second: usize = first == 16 ? 0 : first + 8;
  const a1 = load<f64>(t + first);
  const a2 = load<f64>(t + second);
  const b1 = load<f64>(t + first, STRIDE);
  const b2 = load<f64>(t + second, STRIDE);
  const c1 = load<f64>(t + first, 2 * STRIDE);
  const c2 = load<f64>(t + second, 2 * STRIDE);
  const p1 = b1 - a1;
  const p2 = b2 - a2;
  const q1 = c1 - a1;
  const q2 = c2 - a2;
  const p1Low = differenceTail(b1, a1, p1);
  const p2Low = differenceTail(b2, a2, p2);
  const q1Low = differenceTail(c1, a1, q1);
  const q2Low = differenceTail(c2, a2, q2);
  const left = p1 * q2;
  const right = p2 * q1;
  const leftLow = productTail(p1, q2, left) + (p1 * q2Low + p1Low * q2);
  const rightLow = productTail(p2, q1, right) + (p2 * q1Low + p2Low * q1);
  const difference = left - right;
  store<f64>(scratch + axis, difference);
  store<f64>(scratch + axis, differenceTail(left, right, difference) + (leftLow - rightLow), LOW);
  store<f64>(scratch + axis, abs(left) + abs(right), TERMS);
}

// Writes the height normal . (point - a): the high part, the low part and the sum of the magnitudes of the
// terms.
// @ts-ignore: decorator
@inline
export function heightOf(point: usize, a: usize, scratch: usize, out: usize): void {
  let high: f64 = 0;
  let low: f64 = 0;
  let terms: f64 = 0;
  for (let axis: usize = 0; axis < STRIDE; axis += 8) {
    const to = load<f64>(point + axis);
    const from = load<f64>(a + axis);
    const edge = to - from;
    const edgeLow = differenceTail(to, from, edge);
    const normal = load<f64>(scratch + axis);
    const product = normal * edge;
    const productLow =
      productTail(normal, edge, product) + (normal * edgeLow + load<f64>(scratch + axis, LOW) * edge);
    const sum = high + product;
    low += sumTail(high, product, sum) + productLow;
    high = sum;
    terms += load<f64>(scratch + axis, TERMS) * abs(edge);
  }
  store<f64>(out, high);
  store<f64>(out, low, 8);
  store<f64>(out, terms, 16);
}
