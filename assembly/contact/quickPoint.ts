// Where an edge goes through a plane -> the coordinates, each the nearest double, by sums of two doubles with
// a bound: for nearly all points. Of rounding, e = 2^-53 an operation, what is smaller than e^2 of a term is
// lost or bounded: terms are the products that make up a height.
import { differenceTail, productTail, sumTail } from '../exact/expansion';

const STRIDE: usize = 24;

// Normal (3 f64), what its rounding lost (3), sums of its terms' sizes (3); then of a height: it, what was
// lost, its terms' sizes.
const LOW: usize = 24;
const TERMS: usize = 48;
const HEIGHT_U: usize = 72;
const HEIGHT_V: usize = 96;

// A product of two differences is within 8 e^2, the difference of two within 15, its product with a third
// within 35, the sum of three within 65 < 2^7 of the terms; both heights and their sum in the quotient within
// four times that: below 2^-95, once more for the rounding of terms.
const HEIGHT_ERROR: f64 = 5.048709793414476e-29;
// The quotient's rounding, 28 e^2, and that of its product with the edge, 8 e^2: below 2^-100, once more, and
// room.
const QUOTIENT_ERROR: f64 = 3.1554436208840472e-30;
// Of the sum with the edge's first end: 5 e^2 of that, and more.
const SUM_ERROR: f64 = 1.9721522630525295e-31;

// Edge from u to v, ends strictly on either side of the plane through the triangle at t -> 3 f64 at `out`.
// @returns false where it cannot tell all.
export function quickPoint(u: usize, v: usize, t: usize, out: usize, scratch: usize): bool {
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
  const part = high + low;
  const partLow = sumTail(high, low, part);
  const share = part / span;
  const product = share * span;
  const shareLow = (part - product - productTail(share, span, product) + partLow - share * spanLow) / span;
  const terms = load<f64>(scratch, HEIGHT_U + 16) + load<f64>(scratch, HEIGHT_V + 16);
  const error = (terms / abs(span)) * HEIGHT_ERROR + QUOTIENT_ERROR;
  // Where heights are lost in rounding, nothing is known.
  if (!(error < 1)) return false;
  for (let axis: usize = 0; axis < STRIDE; axis += 8)
    if (!along(load<f64>(u + axis), load<f64>(v + axis), share, shareLow, error, out + axis)) return false;
  return true;
}

// u + share (v - u), rounded to nearest; `error`: of the share.
function along(u: f64, v: f64, share: f64, shareLow: f64, error: f64, out: usize): bool {
  const way = v - u;
  const wayLow = differenceTail(v, u, way);
  const step = share * way;
  const stepLow = productTail(share, way, step) + (share * wayLow + shareLow * way);
  const sum = u + step;
  const rest = sumTail(u, step, sum) + stepLow;
  const nearest = sum + rest;
  const tail = sumTail(sum, rest, nearest);
  const bound = abs(way) * error + abs(u) * SUM_ERROR;
  store<f64>(out, nearest + 0.0);
  return nearest + (tail + bound) == nearest && nearest + (tail - bound) == nearest;
}

// (b - a) x (c - a) along an axis.
// @ts-ignore: decorator
@inline
function normalAlong(t: usize, axis: usize, scratch: usize): void {
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

// Normal . (point - a).
// @ts-ignore: decorator
@inline
function heightOf(point: usize, a: usize, scratch: usize, out: usize): void {
  let high: f64 = 0;
  let low: f64 = 0;
  let terms: f64 = 0;
  for (let axis: usize = 0; axis < STRIDE; axis += 8) {
    const to = load<f64>(point + axis);
    const from = load<f64>(a + axis);
    const way = to - from;
    const wayLow = differenceTail(to, from, way);
    const normal = load<f64>(scratch + axis);
    const product = normal * way;
    const productLow =
      productTail(normal, way, product) + (normal * wayLow + load<f64>(scratch + axis, LOW) * way);
    const sum = high + product;
    low += sumTail(high, product, sum) + productLow;
    high = sum;
    terms += load<f64>(scratch + axis, TERMS) * abs(way);
  }
  store<f64>(out, high);
  store<f64>(out, low, 8);
  store<f64>(out, terms, 16);
}
