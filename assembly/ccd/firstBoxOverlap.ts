// Computes when the boxes of two moving features first come close enough for a contact.
import { Motion } from '../records';
import { lowLane, swapLanes } from '../simd/doubles';
import { HEIGHT_ERROR, LENGTH_FACTOR } from './isClear';

/**
 * Bounds on the rounding errors of a time. TIME_FACTOR: relative bound for all errors of a quotient.
 * TIME_SLACK: absolute bound, eight times 2^-48. (Times are multiples of 2^-48.)
 */
const TIME_FACTOR: f64 = 1.7763568394002505e-15;
const TIME_SLACK: f64 = 2.842170943040401e-14;

/**
 * Considers only times from `time` on. Returns a lower bound of the first time at which the boxes of both
 * features are at most the separation plus the tolerance apart on each axis. The lower bound is at least
 * `time`. Returns Infinity if the boxes stay farther apart until the end of the step. Uses the box around the
 * differences of the features' points: the differences move linearly, so the box that is interpolated between
 * both ends contains them.
 */
export function firstBoxOverlap(motion: usize, time: f64): f64 {
  const reach =
    load<f64>(motion, Motion.separation) * LENGTH_FACTOR +
    load<f64>(motion, Motion.tolerance) +
    load<f64>(motion, Motion.extent) * HEIGHT_ERROR;
  let enter = time;
  let exit: f64 = 1;
  for (let at = motion, end = motion + 96; at < end; at += 32) {
    const start = smallest(at, Motion.start);
    const stop = smallest(at, Motion.end);
    for (let side = 0; side < 2; side++) {
      const from = side == 0 ? lowLane(start) - reach : lowLane(swapLanes(start)) - reach;
      const to = side == 0 ? lowLane(stop) - reach : lowLane(swapLanes(stop)) - reach;
      if (from > 0 && to > 0) return Infinity;
      if (from > 0) enter = max(enter, (from / (from - to)) * (1 - TIME_FACTOR) - TIME_SLACK);
      else if (to > 0) exit = min(exit, (from / (from - to)) * (1 + TIME_FACTOR) + TIME_SLACK);
    }
  }
  return enter <= exit ? enter : Infinity;
}

// Returns the smallest of four numbers, and the smallest of their negated values.
function smallest(at: usize, offset: usize): v128 {
  const a = v128.load(at + offset);
  const b = v128.load(at + offset, 16);
  const low = f64x2.pmin(a, b);
  const high = f64x2.neg(f64x2.pmax(a, b));
  return v128.shuffle<f64>(f64x2.pmin(low, swapLanes(low)), f64x2.pmin(high, swapLanes(high)), 0, 2);
}
