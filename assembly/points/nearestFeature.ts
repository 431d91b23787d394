// Finds exactly which feature of a triangle (a corner, an edge or the face) contains the triangle's nearest
// point to a given point. Two triangles whose nearest points lie on the same feature are exactly equally
// near.
//
// Source: Ericson, Real-Time Collision Detection, 5.1.5. The signs of all terms are decided by a filter in
// doubles; if it is uncertain, expansions decide, provided that the differences of the coordinates have no
// rounding error.
import {
  addExpansions,
  differenceTail,
  productTail,
  push,
  scaleExpansion,
  signOfExpansion,
} from '../exact/expansion';

/** A set of corners as bits: bit i is corner i. 0: unknown. 7: the face. */
export const UNKNOWN_FEATURE: u32 = 0;
const A: u32 = 1;
const B: u32 = 2;
const C: u32 = 4;

/** A sign that neither the filter nor expansions could decide. */
const UNCERTAIN: i32 = 2;

// Let e be 2^-53. A difference has a relative error of at most e. A dot product of two differences has five
// roundings in a row, so its error is below 6 e times its permanent, the sum of the magnitudes of its
// products. A product of two dot products has the five roundings of each and one of its own. A difference of
// two such products has one more, twelve in all, so its error is below 16 e times the sum of the products of
// the permanents. The constants below are larger, 8 and 24, to cover the rounding of the permanents and of the
// bound.
const DOT_ERROR: f64 = 8 * 1.1102230246251565e-16;
const AREA_ERROR: f64 = 24 * 1.1102230246251565e-16;

/**
 * Layout of the scratch memory. First the vectors ab, ac, ap, bp and cp between the corners a, b, c and the
 * point p, three f64 each. Then the six dot products d1 to d6 in Ericson's order. Each of them multiplies one
 * of ab and ac by one of ap, bp and cp. It is stored as its value, its permanent, its expansion (at most six
 * terms) and the number of these terms.
 */
const AB: usize = 0;
const AC: usize = 24;
const AP: usize = 48;
const DOTS: usize = 120;
const DOT_BYTES: usize = 72;
const PERMANENT: usize = 8;
const TERMS: usize = 16;
const COUNT: usize = 64;
const IS_EXACT: usize = DOTS + 6 * DOT_BYTES;
const PRODUCT: usize = IS_EXACT + 8;
const SCALED: usize = PRODUCT + 16;
const SUMS: usize = SCALED + 96;
// The sum of two products, each of at most 6 x 6 x 2 terms.
const SUM_BYTES: usize = 1152;
/** Bytes of the scratch memory. */
export const FEATURE_BYTES: usize = SUMS + 2 * SUM_BYTES;

// Writes p - q to `to`. Returns whether the difference has no rounding error.
function subtract(p: usize, q: usize, to: usize): bool {
  let isExact = true;
  for (let axis: usize = 0; axis < 24; axis += 8) {
    const from = load<f64>(p + axis);
    const other = load<f64>(q + axis);
    const difference = from - other;
    store<f64>(to + axis, difference);
    if (differenceTail(from, other, difference) != 0) isExact = false;
  }
  return isExact;
}

function writeDot(u: usize, v: usize, to: usize): void {
  const x = load<f64>(u) * load<f64>(v);
  const y = load<f64>(u, 8) * load<f64>(v, 8);
  const z = load<f64>(u, 16) * load<f64>(v, 16);
  store<f64>(to, x + y + z);
  store<f64>(to, abs(x) + abs(y) + abs(z), PERMANENT);
  store<i32>(to, -1, COUNT);
}

// Computes the dot product of u and v, whose components are exact, as an expansion.
function expandDot(scratch: usize, u: usize, v: usize, dot: usize): void {
  if (load<i32>(dot, COUNT) >= 0) return;
  let count: i32 = 0;
  let sum = scratch + SUMS;
  let other = sum + 48;
  for (let axis: usize = 0; axis < 24; axis += 8) {
    const product = load<f64>(u + axis) * load<f64>(v + axis);
    const tail = productTail(load<f64>(u + axis), load<f64>(v + axis), product);
    const terms = <i32>((push(push(scratch + PRODUCT, tail), product) - scratch - PRODUCT) >> 3);
    count = addExpansions(sum, count, scratch + PRODUCT, terms, other);
    const swapped = sum;
    sum = other;
    other = swapped;
  }
  memory.copy(dot + TERMS, sum, (<usize>count) << 3);
  store<i32>(dot, count, COUNT);
}

// Returns the address of one of the dot products d1 to d6; which: 0 to 5.
function dotAt(scratch: usize, which: usize): usize {
  return scratch + DOTS + which * DOT_BYTES;
}

// Computes the expansion of dot product `which` (0 to 5), and returns the address of this dot product.
function expand(scratch: usize, which: usize): usize {
  const dot = dotAt(scratch, which);
  expandDot(scratch, scratch + ((which & 1) == 0 ? AB : AC), scratch + AP + (which >> 1) * 24, dot);
  return dot;
}

function signOfDot(scratch: usize, which: usize): i32 {
  const dot = dotAt(scratch, which);
  const value = load<f64>(dot);
  const permanent = load<f64>(dot, PERMANENT);
  if (abs(value) > DOT_ERROR * permanent) return value > 0 ? 1 : -1;
  if (permanent == 0) return 0;
  if (load<u32>(scratch, IS_EXACT) == 0) return UNCERTAIN;
  expand(scratch, which);
  return signOfExpansion(dot + TERMS, load<i32>(dot, COUNT));
}

// Returns the sign of the difference of two dot products.
function compareDots(scratch: usize, first: usize, second: usize): i32 {
  const p = dotAt(scratch, first);
  const q = dotAt(scratch, second);
  const value = load<f64>(p) - load<f64>(q);
  const permanent = load<f64>(p, PERMANENT) + load<f64>(q, PERMANENT);
  if (abs(value) > DOT_ERROR * permanent) return value > 0 ? 1 : -1;
  if (permanent == 0) return 0;
  if (load<u32>(scratch, IS_EXACT) == 0) return UNCERTAIN;
  expand(scratch, first);
  expand(scratch, second);
  const negated = scratch + SUMS;
  const terms = scaleExpansion(q + TERMS, load<i32>(q, COUNT), -1, negated);
  const count = addExpansions(p + TERMS, load<i32>(p, COUNT), negated, terms, negated + 256);
  return signOfExpansion(negated + 256, count);
}

// Returns the sign of dot[a] dot[b] - dot[c] dot[d], where dot[0] to dot[5] are d1 to d6. This difference is
// the doubled area of a part of the triangle, times the doubled area of the triangle.
function signOfArea(scratch: usize, a: usize, b: usize, c: usize, d: usize): i32 {
  const pa = dotAt(scratch, a);
  const pb = dotAt(scratch, b);
  const pc = dotAt(scratch, c);
  const pd = dotAt(scratch, d);
  const value = load<f64>(pa) * load<f64>(pb) - load<f64>(pc) * load<f64>(pd);
  const permanent =
    load<f64>(pa, PERMANENT) * load<f64>(pb, PERMANENT) + load<f64>(pc, PERMANENT) * load<f64>(pd, PERMANENT);
  if (abs(value) > AREA_ERROR * permanent) return value > 0 ? 1 : -1;
  if (permanent == 0) return 0;
  if (load<u32>(scratch, IS_EXACT) == 0) return UNCERTAIN;
  expand(scratch, a);
  expand(scratch, b);
  expand(scratch, c);
  expand(scratch, d);
  let sum = scratch + SUMS;
  let other = sum + SUM_BYTES;
  let count: i32 = 0;
  for (let i: i32 = 0; i < 2; i++) {
    const left = i == 0 ? pa : pc;
    const right = i == 0 ? pb : pd;
    const end = right + TERMS + ((<usize>load<i32>(right, COUNT)) << 3);
    for (let term = right + TERMS; term < end; term += 8) {
      const factor = load<f64>(term);
      const terms = scaleExpansion(
        left + TERMS,
        load<i32>(left, COUNT),
        i == 0 ? factor : -factor,
        scratch + SCALED,
      );
      count = addExpansions(sum, count, scratch + SCALED, terms, other);
      const swapped = sum;
      sum = other;
      other = swapped;
    }
  }
  return signOfExpansion(sum, count);
}

export function areEqual(p: usize, q: usize): bool {
  return (
    load<f64>(p) == load<f64>(q) && load<f64>(p, 8) == load<f64>(q, 8) && load<f64>(p, 16) == load<f64>(q, 16)
  );
}

/**
 * Returns, as bits, the corners of the smallest feature that contains the nearest point of a triangle to the
 * point at p. Returns UNKNOWN_FEATURE if two corners are equal, or if a sign cannot be decided here.
 * corners: nine f64. scratch: FEATURE_BYTES.
 */
export function findNearestFeature(corners: usize, p: usize, scratch: usize): u32 {
  const a = corners;
  const b = corners + 24;
  const c = corners + 48;
  if (areEqual(a, b) || areEqual(b, c) || areEqual(c, a)) return UNKNOWN_FEATURE;
  for (let i: u32 = 0; i < 3; i++) if (areEqual(p, corners + i * 24)) return 1 << i;
  let isExact = subtract(b, a, scratch + AB);
  if (!subtract(c, a, scratch + AC)) isExact = false;
  for (let i: usize = 0; i < 72; i += 24) if (!subtract(p, corners + i, scratch + AP + i)) isExact = false;
  store<u32>(scratch, isExact ? 1 : 0, IS_EXACT);
  for (let i: usize = 0; i < 6; i++)
    writeDot(scratch + ((i & 1) == 0 ? AB : AC), scratch + AP + (i >> 1) * 24, dotAt(scratch, i));
  const d1 = signOfDot(scratch, 0);
  const d2 = signOfDot(scratch, 1);
  if (d1 == UNCERTAIN || d2 == UNCERTAIN) return UNKNOWN_FEATURE;
  if (d1 <= 0 && d2 <= 0) return A;
  const d3 = signOfDot(scratch, 2);
  const d43 = compareDots(scratch, 3, 2);
  if (d3 == UNCERTAIN || d43 == UNCERTAIN) return UNKNOWN_FEATURE;
  if (d3 >= 0 && d43 <= 0) return B;
  const d6 = signOfDot(scratch, 5);
  const d56 = compareDots(scratch, 4, 5);
  if (d6 == UNCERTAIN || d56 == UNCERTAIN) return UNKNOWN_FEATURE;
  if (d6 >= 0 && d56 <= 0) return C;
  const vc = signOfArea(scratch, 0, 3, 2, 1);
  const vb = signOfArea(scratch, 4, 1, 0, 5);
  const va = signOfArea(scratch, 2, 5, 4, 3);
  if (vc == UNCERTAIN || vb == UNCERTAIN || va == UNCERTAIN) return UNKNOWN_FEATURE;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return A | B;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return A | C;
  if (va <= 0 && d43 >= 0 && d56 >= 0) return B | C;
  return A | B | C;
}

/**
 * Returns whether each corner of a feature of the triangle at `own` is also a corner of a feature of `other`.
 */
export function isPartOf(own: usize, feature: u32, other: usize, otherFeature: u32): bool {
  for (let i: usize = 0; i < 3; i++) {
    if ((feature & (1 << (<u32>i))) == 0) continue;
    let isFound = false;
    for (let j: usize = 0; j < 3; j++)
      if ((otherFeature & (1 << (<u32>j))) != 0 && areEqual(own + i * 24, other + j * 24)) isFound = true;
    if (!isFound) return false;
  }
  return true;
}
