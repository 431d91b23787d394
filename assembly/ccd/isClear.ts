// Two Moments of a Motion -> is there surely no contact from the one to the other, both included?
import { Moment, Motion } from '../records';
import { heights } from './direction';

const HALF_ULP: f64 = 1.1102230246251565e-16;
// Of normal . point: a difference is off by 1 half ulp, what is mixed of two by 2 more, products and sums by
// 3; the sum of two of them by 1 more: 7 half ulps of the extent, since no component of a normal is beyond 1
// by more than 5 of them. What scaling and products lose below the least double is far less than the eighth.
export const HEIGHT_ERROR: f64 = 8 * HALF_ULP;
// A normal's length is 1 but for 5 half ulps; the separation is multiplied and added: 2 more.
export const LENGTHENED: f64 = 1 + 8 * HALF_ULP;

/** What normal . point must be beyond, so that its exact value proves the separation. */
export function thresholdOf(motion: usize): f64 {
  return load<f64>(motion, Motion.separation) * LENGTHENED + load<f64>(motion, Motion.extent) * HEIGHT_ERROR;
}

/**
 * The normal goes linearly from the one to the other, as each point does: normal . point is quadratic, and at
 * least the least of its three Bernstein coefficients. Where these are beyond the separation times the length
 * of the longer normal, a plane upright on the normal lies between the origin and all points, farther away
 * than the separation, at any time between.
 */
export function isClear(motion: usize, from: usize, to: usize): bool {
  const threshold = thresholdOf(motion);
  if (!(u32(load<f64>(from, Moment.low) > threshold) & u32(load<f64>(to, Moment.low) > threshold)))
    return false;
  const ax = v128.load64_splat(from, Moment.normal);
  const ay = v128.load64_splat(from, Moment.normal + 8);
  const az = v128.load64_splat(from, Moment.normal + 16);
  const bx = v128.load64_splat(to, Moment.normal);
  const by = v128.load64_splat(to, Moment.normal + 8);
  const bz = v128.load64_splat(to, Moment.normal + 16);
  const first = f64x2.add(heights(to + Moment.points, ax, ay, az), heights(from + Moment.points, bx, by, bz));
  const last = f64x2.add(
    heights(to + Moment.points + 16, ax, ay, az),
    heights(from + Moment.points + 16, bx, by, bz),
  );
  const limit = f64x2.splat(2 * threshold);
  return i64x2.bitmask(v128.and(f64x2.gt(first, limit), f64x2.gt(last, limit))) == 3;
}
