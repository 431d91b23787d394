// Proves that two moving features have no contact from the time of one Moment to the time of another, both
// times included.
import { Moment, Motion } from '../records';
import { projections } from './direction';

const HALF_ULP: f64 = 1.1102230246251565e-16;
// Error bound of normal . point, relative to the extent, in half ulps: 1 for the difference, 2 for the
// interpolation between two differences, 3 for products and sums, and 1 for the sum of two results. The total
// is 7. A component of a normal exceeds 1 by at most 5 half ulps, which hardly changes the total. The eighth
// half ulp is far larger than this change plus the errors from underflow in scaling and in products.
export const HEIGHT_ERROR: f64 = 8 * HALF_ULP;
// The length of a normal differs from 1 by up to 5 half ulps. The rounding of the product with the separation
// and of the sum in `thresholdOf` adds up to 2 more.
export const LENGTH_FACTOR: f64 = 1 + 8 * HALF_ULP;

/**
 * Returns the value that a computed normal . point must exceed so that its exact value proves the separation.
 */
export function thresholdOf(motion: usize): f64 {
  return (
    load<f64>(motion, Motion.separation) * LENGTH_FACTOR + load<f64>(motion, Motion.extent) * HEIGHT_ERROR
  );
}

/**
 * Returns whether the interval from one Moment to the other is provably clear. The normal and each point are
 * interpolated linearly, so normal . point is quadratic in time. It is at least the smallest of its three
 * Bernstein coefficients. Suppose that all three exceed the separation times the length of the longer normal.
 * Then at every time in the interval, a plane perpendicular to the normal separates the origin from all points
 * by more than the separation.
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
  const first = f64x2.add(
    projections(to + Moment.points, ax, ay, az),
    projections(from + Moment.points, bx, by, bz),
  );
  const last = f64x2.add(
    projections(to + Moment.points + 16, ax, ay, az),
    projections(from + Moment.points + 16, bx, by, bz),
  );
  const limit = f64x2.splat(2 * threshold);
  return i64x2.bitmask(v128.and(f64x2.gt(first, limit), f64x2.gt(last, limit))) == 3;
}
