// Evaluates a Motion (the differences of the points of two moving features) at one time. Writes a Moment: the
// differences at that time, and the direction from the origin to the nearest point of their convex hull. The
// direction need not be exact: a proof that there is no contact (see isClear.ts) is valid with any direction,
// so rounding only affects how quickly the search proceeds.
import { Moment, Motion } from '../records';
import { setFromFace } from './setFromFace';
import { setFromNearestEdge } from './setFromNearestEdge';

/** Writes the Moment. Times are multiples of 2^-48, so that 1 - time is exact. */
export function evaluateMoment(motion: usize, time: f64, moment: usize): void {
  const toEnd = f64x2.splat(time);
  const toStart = f64x2.splat(1 - time);
  for (let at: usize = 0; at < 96; at += 16) {
    v128.store(
      moment + at,
      f64x2.add(
        f64x2.mul(v128.load(motion + at, Motion.start), toStart),
        f64x2.mul(v128.load(motion + at, Motion.end), toEnd),
      ),
      Moment.points,
    );
  }
  store<f64>(moment, time, Moment.time);
  const isInside = setFromFace(motion, moment);
  // The normal of (nearly) collinear points is mostly rounding error. So it is kept only if `low` is at least
  // half of `high` and half of `reach`. Otherwise the nearest edge may give a better direction.
  if (
    isInside &&
    2 * load<f64>(moment, Moment.low) >= max(load<f64>(moment, Moment.high), load<f64>(moment, Moment.reach))
  )
    return;
  const low = load<f64>(moment, Moment.low);
  const high = load<f64>(moment, Moment.high);
  const reach = load<f64>(moment, Moment.reach);
  const rate = load<f64>(moment, Moment.rate);
  const x = load<f64>(moment, Moment.normal);
  const y = load<f64>(moment, Moment.normal + 8);
  const z = load<f64>(moment, Moment.normal + 16);
  setFromNearestEdge(motion, moment);
  if (!isInside || load<f64>(moment, Moment.low) >= low) return;
  store<f64>(moment, x, Moment.normal);
  store<f64>(moment, y, Moment.normal + 8);
  store<f64>(moment, z, Moment.normal + 16);
  store<f64>(moment, low, Moment.low);
  store<f64>(moment, high, Moment.high);
  store<f64>(moment, min(reach, load<f64>(moment, Moment.reach)), Moment.reach);
  store<f64>(moment, rate, Moment.rate);
}
