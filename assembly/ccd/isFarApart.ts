// A Motion -> does one direction, an axis or that to the middle of all that the points pass, show that there
// is no contact in the whole step?
import { Motion } from '../records';
import { heights } from './direction';
import { HEIGHT_ERROR, LENGTHENED } from './isClear';

// A shorter sum is no direction worth trying, and its products could be lost below the least double.
const LEAST_SUM: f64 = 9.5367431640625e-7;

// Sum of a coordinate of all points at both times, 32 bytes an axis.
function sumOn(at: usize): f64 {
  const sum = f64x2.add(
    f64x2.add(v128.load(at, Motion.start), v128.load(at, Motion.start + 16)),
    f64x2.add(v128.load(at, Motion.end), v128.load(at, Motion.end + 16)),
  );
  return f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1);
}

// Without a separation, have all differences one sign on an axis? Signs are not rounded.
function areOnOneSide(at: usize): bool {
  const a = v128.load(at, Motion.start);
  const b = v128.load(at, Motion.start + 16);
  const c = v128.load(at, Motion.end);
  const d = v128.load(at, Motion.end + 16);
  const low = f64x2.pmin(f64x2.pmin(a, b), f64x2.pmin(c, d));
  const high = f64x2.pmax(f64x2.pmax(a, b), f64x2.pmax(c, d));
  const none = f64x2.splat(0);
  return (i64x2.bitmask(f64x2.gt(low, none)) == 3) | (i64x2.bitmask(f64x2.lt(high, none)) == 3);
}

/** A constant direction: normal . point is linear in time, so that both ends of the step tell. */
export function isFarApart(motion: usize): bool {
  if (
    load<f64>(motion, Motion.separation) == 0 &&
    areOnOneSide(motion) | areOnOneSide(motion + 32) | areOnOneSide(motion + 64)
  )
    return true;
  const x = sumOn(motion);
  const y = sumOn(motion + 32);
  const z = sumOn(motion + 64);
  const greatest = max(abs(x), max(abs(y), abs(z)));
  if (!(greatest > LEAST_SUM)) return false;
  const xs = f64x2.splat(x);
  const ys = f64x2.splat(y);
  const zs = f64x2.splat(z);
  const start = motion + Motion.start;
  const end = motion + Motion.end;
  const low = f64x2.pmin(
    f64x2.pmin(heights(start, xs, ys, zs), heights(start + 16, xs, ys, zs)),
    f64x2.pmin(heights(end, xs, ys, zs), heights(end + 16, xs, ys, zs)),
  );
  const separation = load<f64>(motion, Motion.separation);
  const error = load<f64>(motion, Motion.extent) * HEIGHT_ERROR * greatest;
  const threshold = separation > 0 ? separation * LENGTHENED * sqrt(x * x + y * y + z * z) + error : error;
  return f64x2.extract_lane(low, 0) > threshold && f64x2.extract_lane(low, 1) > threshold;
}
