// Sets the normal of a Moment, and the range of the Moment's points along this normal. The points of a Moment
// are the differences of two moving features at one time.

import { Moment } from '../records';
import { lowLane, swapLanes } from '../simd/doubles';

/**
 * Returns two dot products: of the direction (x, y, z) with each of two points. `at`: address of the points' x
 * coordinates; y and z follow 32 and 64 bytes later.
 */
export function projections(at: usize, x: v128, y: v128, z: v128): v128 {
  return f64x2.add(
    f64x2.add(f64x2.mul(x, v128.load(at)), f64x2.mul(y, v128.load(at, 32))),
    f64x2.mul(z, v128.load(at, 64)),
  );
}

/** 2^-600: a vector whose squared length is below this may have lost digits to underflow. */
export const MIN_SQUARE: f64 = 2.409919865102884e-181;

/**
 * Sets the Moment's normal to (x, y, z), which must have length 1 up to rounding. Sets low and high to the
 * range of the points along the normal.
 */
export function setNormal(moment: usize, x: f64, y: f64, z: f64): void {
  store<f64>(moment, x, Moment.normal);
  store<f64>(moment, y, Moment.normal + 8);
  store<f64>(moment, z, Moment.normal + 16);
  const xs = f64x2.splat(x);
  const ys = f64x2.splat(y);
  const zs = f64x2.splat(z);
  const a = projections(moment + Moment.points, xs, ys, zs);
  const b = projections(moment + Moment.points + 16, xs, ys, zs);
  const low = f64x2.pmin(a, b);
  const high = f64x2.pmax(a, b);
  // SIMD min and max need no branch.
  store<f64>(moment, lowLane(f64x2.pmin(low, swapLanes(low))), Moment.low);
  store<f64>(moment, lowLane(f64x2.pmax(high, swapLanes(high))), Moment.high);
}
