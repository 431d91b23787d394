// A direction and four points -> the Moment's normal and how far the points reach along it.

import { Moment } from '../records';
import { exchanged, first } from '../simd/doubles';

/**
 * normal . point of the first or last two points of the record whose `x` lie at `at`: y and z follow 32 and
 * 64 bytes on.
 */
export function heights(at: usize, x: v128, y: v128, z: v128): v128 {
  return f64x2.add(
    f64x2.add(f64x2.mul(x, v128.load(at)), f64x2.mul(y, v128.load(at, 32))),
    f64x2.mul(z, v128.load(at, 64)),
  );
}

/** Squared length below which a vector's own digits are in danger: 2^-600. */
export const LEAST_SQUARE: f64 = 2.409919865102884e-181;

/** Sets normal, low and high. The vector is of length 1, but for rounding. */
export function setNormal(moment: usize, x: f64, y: f64, z: f64): void {
  store<f64>(moment, x, Moment.normal);
  store<f64>(moment, y, Moment.normal + 8);
  store<f64>(moment, z, Moment.normal + 16);
  const xs = f64x2.splat(x);
  const ys = f64x2.splat(y);
  const zs = f64x2.splat(z);
  const a = heights(moment + Moment.points, xs, ys, zs);
  const b = heights(moment + Moment.points + 16, xs, ys, zs);
  const low = f64x2.pmin(a, b);
  const high = f64x2.pmax(a, b);
  // Vectors have a minimum without a branch.
  store<f64>(moment, first(f64x2.pmin(low, exchanged(low))), Moment.low);
  store<f64>(moment, first(f64x2.pmax(high, exchanged(high))), Moment.high);
}
