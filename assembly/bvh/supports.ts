// Tests whether a plane separates two bodies, with the tables of support values of their meshes.

import { BodyRecord, SUPPORT_CELLS, SUPPORT_EDGE, SUPPORT_ENTRIES, SUPPORT_OCTANT } from '../records';
import { abs2, add2, highLane, lowLane, mul2, splat2, sub2, sumOfProducts } from '../simd/doubles';

// Relative error bound: far more than all rounding errors in doubles. A gap outside MIN_GAP..MAX_GAP proves
// nothing: a sum may have overflowed, or a product underflowed.
const ROUNDING: f64 = 9.094947017729282e-13;
const MAX_GAP: f64 = 1e300;
const MIN_GAP: f64 = 1e-290;
/**
 * The search ends if the gap of the bodies along a normal is below this fraction of the distance between
 * their centers. The gap is negative if the bodies overlap along the normal. If they overlap this much,
 * another plane hardly ever separates them.
 */
const MAX_OVERLAP: f64 = -0.125;
/** Maximum number of planes to try. */
const PLANES: u32 = 4;

/**
 * Returns true if a plane certainly separates two bodies; false if none was found, or if a mesh has no table.
 * The first normal is along the line between the centers. Each further normal is the previous one, reflected
 * in a plane that is perpendicular to the line between the support points of the two bodies (Chung and Wang
 * 1996). Everything is computed for both bodies at once: lane 0 for a, lane 1 for b.
 */
export function areSeparated(a: usize, b: usize): bool {
  const tableA: usize = load<u32>(a, BodyRecord.supportsAt);
  const tableB: usize = load<u32>(b, BodyRecord.supportsAt);
  if (tableA == 0 || tableB == 0) return false;
  const xx = ofBoth(a, b, 0);
  const xy = ofBoth(a, b, 32);
  const xz = ofBoth(a, b, 64);
  const yx = ofBoth(a, b, 8);
  const yy = ofBoth(a, b, 40);
  const yz = ofBoth(a, b, 72);
  const zx = ofBoth(a, b, 16);
  const zy = ofBoth(a, b, 48);
  const zz = ofBoth(a, b, 80);
  const shiftX = shift(a, b, 24);
  const shiftY = shift(a, b, 56);
  const shiftZ = shift(a, b, 88);
  const slack = ROUNDING * (load<f64>(a, BodyRecord.size) + load<f64>(b, BodyRecord.size));
  const tableError = entries(tableA, tableB, (<usize>SUPPORT_ENTRIES) << 2);
  const signBit = i64x2.splat(i64.MIN_VALUE);
  const cell = splat2(1 / <f64>SUPPORT_CELLS);
  let x = load<f64>(b, BodyRecord.center) - load<f64>(a, BodyRecord.center);
  let y = load<f64>(b, BodyRecord.center + 8) - load<f64>(a, BodyRecord.center + 8);
  let z = load<f64>(b, BodyRecord.center + 16) - load<f64>(a, BodyRecord.center + 16);
  for (let left = PLANES; ; left--) {
    // The normal in each body's own coordinate frame, pointing to the other body, and its position (u, v) on
    // the grid of directions.
    const ofX = f64x2(x, -x);
    const ofY = f64x2(y, -y);
    const ofZ = f64x2(z, -z);
    const ownX = sumOfProducts(xx, ofX, xy, ofY, xz, ofZ);
    const ownY = sumOfProducts(yx, ofX, yy, ofY, yz, ofZ);
    const ownZ = sumOfProducts(zx, ofX, zy, ofY, zz, ofZ);
    const sum = mul2(add2(add2(abs2(ownX), abs2(ownY)), abs2(ownZ)), cell);
    const inverse = f64x2.div(splat2(1), sum);
    const u = mul2(abs2(ownX), inverse);
    const v = mul2(abs2(ownY), inverse);
    const i = cellOf(u);
    const j = cellOf(v);
    const shareU = sub2(u, f64x2.convert_low_i32x4_s(i));
    const shareV = sub2(v, f64x2.convert_low_i32x4_s(j));
    const octants = i64x2.bitmask(ownX) | (i64x2.bitmask(ownY) << 2) | (i64x2.bitmask(ownZ) << 4);
    const atA = tableA + (entryOf(octants, i32x4.extract_lane(i, 0), i32x4.extract_lane(j, 0)) << 2);
    const atB = tableB + (entryOf(octants >> 1, i32x4.extract_lane(i, 1), i32x4.extract_lane(j, 1)) << 2);
    const low0 = entries(atA, atB, 0);
    const low1 = entries(atA, atB, 4);
    const high0 = entries(atA, atB, (<usize>SUPPORT_EDGE) << 2);
    const high1 = entries(atA, atB, ((<usize>SUPPORT_EDGE) << 2) + 4);
    const slopeLow = sub2(low1, low0);
    const slopeHigh = sub2(high1, high0);
    const low = add2(low0, mul2(slopeLow, shareV));
    const high = add2(high0, mul2(slopeHigh, shareV));
    const slopeU = sub2(high, low);
    const value = add2(low, mul2(slopeU, shareU));
    const reach = mul2(add2(value, tableError), sum);
    const gap = x * shiftX + y * shiftY + z * shiftZ - lowLane(reach) - highLane(reach);
    if (gap > slack * (abs(x) + abs(y) + abs(z)) && gap > MIN_GAP && gap < MAX_GAP) return true;
    if (left == 1 || !(gap > MAX_OVERLAP * (x * x + y * y + z * z))) break;
    // The gradient of the support function with respect to the direction is the support point.
    const slopeV = add2(slopeLow, mul2(sub2(slopeHigh, slopeLow), shareU));
    const rest = mul2(sub2(sub2(value, mul2(u, slopeU)), mul2(v, slopeV)), cell);
    const pointX = signed(add2(rest, slopeU), ownX, signBit);
    const pointY = signed(add2(rest, slopeV), ownY, signBit);
    const pointZ = signed(rest, ownZ, signBit);
    const betweenX = shiftX + laneDifference(sumOfProducts(xx, pointX, yx, pointY, zx, pointZ));
    const betweenY = shiftY + laneDifference(sumOfProducts(xy, pointX, yy, pointY, zy, pointZ));
    const betweenZ = shiftZ + laneDifference(sumOfProducts(xz, pointX, yz, pointY, zz, pointZ));
    const fraction =
      (2 * (x * betweenX + y * betweenY + z * betweenZ)) /
      (betweenX * betweenX + betweenY * betweenY + betweenZ * betweenZ);
    x -= fraction * betweenX;
    y -= fraction * betweenY;
    z -= fraction * betweenZ;
  }
  return false;
}

// Returns one number of each body's placement: a in lane 0, b in lane 1. at: byte offset in BodyRecord.rows.
function ofBoth(a: usize, b: usize, at: usize): v128 {
  return v128.load64_lane(b + at + BodyRecord.rows, v128.load64_zero(a + at + BodyRecord.rows), 1);
}
// Returns the difference of the bodies' origins on an axis. axis: byte offset of the origin's coordinate.
function shift(a: usize, b: usize, axis: usize): f64 {
  return load<f64>(b + axis, BodyRecord.rows) - load<f64>(a + axis, BodyRecord.rows);
}
// Returns one entry of each table: a in lane 0, b in lane 1.
function entries(a: usize, b: usize, at: usize): v128 {
  return f64x2.promote_low_f32x4(v128.load32_lane(b + at, v128.load32_zero(a + at), 1));
}
function cellOf(place: v128): v128 {
  return i32x4.min_s(i32x4.trunc_sat_f64x2_s_zero(place), i32x4.splat(SUPPORT_CELLS - 1));
}
// Returns the index of a table entry. octants: bits 0, 2 and 4 are the signs of the direction's x, y and z in
// the body's coordinate frame.
function entryOf(octants: i32, i: i32, j: i32): usize {
  const octant = (octants & 1) | ((octants >> 1) & 2) | ((octants >> 2) & 4);
  return <usize>octant * SUPPORT_OCTANT + <usize>i * SUPPORT_EDGE + <usize>j;
}
function signed(value: v128, own: v128, signBit: v128): v128 {
  return v128.xor(value, v128.and(own, signBit));
}
function laneDifference(v: v128): f64 {
  return highLane(v) - lowLane(v);
}
