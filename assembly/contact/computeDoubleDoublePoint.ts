// Computes where an edge passes through a plane, each coordinate rounded to nearest, in double-double
// arithmetic with an error bound. This decides nearly all points. An operation rounds by at most e = 2^-53
// times its result. A height is a sum of products, here called its terms. Errors of at most about e^2
// times a term are not corrected; the bounds below cover them.
import { differenceTail, productTail, sumTail } from '../exact/expansion';

const STRIDE: usize = 24;

// Layout of the scratch: the normal (3 f64), its low parts (3), the sums of the magnitudes of its terms (3).
// Then for each height: its high part, its low part, the sum of the magnitudes of its terms.
const LOW: usize = 24;
const TERMS: usize = 48;
const HEIGHT_U: usize = 72;
const HEIGHT_V: usize = 96;

// A product of two differences is within 8 e^2 of its terms, the difference of two products within 15, its
// product with a third difference within 35, the sum of three within 65 < 2^7. Both heights and their sum in
// the quotient are within four times that: below 2^-95. The bound, 2^-94, doubles that to cover the rounding
// of the terms.
const HEIGHT_ERROR: f64 = 5.048709793414476e-29;
// The quotient rounds by 28 e^2, its product with the edge by 8 e^2: below 2^-100. The bound, 2^-98, covers
// its own rounding and leaves a margin.
const QUOTIENT_ERROR: f64 = 3.1554436208840472e-30;
// The sum with the edge's first end rounds by 5 e^2 of that end; the bound is 2^-102.
const SUM_ERROR: f64 = 1.9721522630525295e-31;

// Writes the point (3 f64) at which the edge from u to v passes through the plane of the triangle at t to
// `out`. The ends lie strictly on different sides. @returns false if a coordinate is not certain.
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
  const part = high + low;
  const partLow = sumTail(high, low, part);
  const share = part / span;
  const product = share * span;
  const shareLow = (part - product - productTail(share, span, product) + partLow - share * spanLow) / span;
  const terms = load<f64>(scratch, HEIGHT_U + 16) + load<f64>(scratch, HEIGHT_V + 16);
  const error = (terms / abs(span)) * HEIGHT_ERROR + QUOTIENT_ERROR;
  // If rounding may have lost the heights entirely, nothing is known.
  if (!(error < 1)) return false;
  for (let axis: usize = 0; axis < STRIDE; axis += 8)
    if (!interpolate(load<f64>(u + axis), load<f64>(v + axis), share, shareLow, error, out + axis))
      return false;
  return true;
}

// Writes u + share * (v - u), rounded to nearest. `error`: relative error of the share. Returns false if the
// rounding is not certain.
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

// Writes one coordinate of (b - a) x (c - a): its high and low part and the sum of the magnitudes of its
// terms.
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

// Writes normal . (point - a): its high and low part and the sum of the magnitudes of its terms.
// @ts-ignore: decorator
@inline
function heightOf(point: usize, a: usize, scratch: usize, out: usize): void {
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
