// Proves that two moving features have no contact during the whole step, if one constant direction separates
// them. Tries the coordinate axes (if the separation is 0), and the direction from the origin to the center of
// all points of the Motion. These points are the differences between points of the two features, at both ends
// of the step.
import { Motion } from '../records';
import { projections } from './direction';
import { HEIGHT_ERROR, LENGTH_FACTOR } from './isClear';

// If the sum of the points is shorter than this, it is not a useful direction, and its products could
// underflow.
const MIN_SUM: f64 = 9.5367431640625e-7;

// Returns the sum of one coordinate of all points at both ends. `at`: the address of the Motion, plus 32
// times the number of the axis.
function sumOn(at: usize): f64 {
  const sum = f64x2.add(
    f64x2.add(v128.load(at, Motion.start), v128.load(at, Motion.start + 16)),
    f64x2.add(v128.load(at, Motion.end), v128.load(at, Motion.end + 16)),
  );
  return f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1);
}

// For a separation of 0: returns whether all differences have the same sign on an axis, which proves that
// there is no contact. Signs are exact.
function areOnOneSide(at: usize): bool {
  const a = v128.load(at, Motion.start);
  const b = v128.load(at, Motion.start + 16);
  const c = v128.load(at, Motion.end);
  const d = v128.load(at, Motion.end + 16);
  const low = f64x2.pmin(f64x2.pmin(a, b), f64x2.pmin(c, d));
  const high = f64x2.pmax(f64x2.pmax(a, b), f64x2.pmax(c, d));
  const zero = f64x2.splat(0);
  return (i64x2.bitmask(f64x2.gt(low, zero)) == 3) | (i64x2.bitmask(f64x2.lt(high, zero)) == 3);
}

/**
 * Returns whether the whole step of a Motion is provably clear. The direction is constant, so direction . point
 * is linear in time, and it is enough to test both ends of the step.
 */
export function isFarApart(motion: usize): bool {
  if (
    load<f64>(motion, Motion.separation) == 0 &&
    areOnOneSide(motion) | areOnOneSide(motion + 32) | areOnOneSide(motion + 64)
  )
    return true;
  const x = sumOn(motion);
  const y = sumOn(motion + 32);
  const z = sumOn(motion + 64);
  const maxSum = max(abs(x), max(abs(y), abs(z)));
  if (!(maxSum > MIN_SUM)) return false;
  const xs = f64x2.splat(x);
  const ys = f64x2.splat(y);
  const zs = f64x2.splat(z);
  const start = motion + Motion.start;
  const end = motion + Motion.end;
  const low = f64x2.pmin(
    f64x2.pmin(projections(start, xs, ys, zs), projections(start + 16, xs, ys, zs)),
    f64x2.pmin(projections(end, xs, ys, zs), projections(end + 16, xs, ys, zs)),
  );
  const separation = load<f64>(motion, Motion.separation);
  const error = load<f64>(motion, Motion.extent) * HEIGHT_ERROR * maxSum;
  const threshold = separation > 0 ? separation * LENGTH_FACTOR * sqrt(x * x + y * y + z * z) + error : error;
  return f64x2.extract_lane(low, 0) > threshold && f64x2.extract_lane(low, 1) > threshold;
}
