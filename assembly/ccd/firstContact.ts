// A Motion -> its SweptFeatures: intervals of time are cleared one after the other, from time 0 on, until
// none is left or what is left is too short. Moments that were looked at and are yet to be reached wait in a
// stack.
import { CLEAR, MOST_MOMENTS, MOST_WAITING, Moment, Motion, NEAR, REACHED, SweptFeatures } from '../records';
import { isClear, thresholdOf } from './isClear';
import { isCrossing } from './isCrossing';
import { isFarApart } from './isFarApart';
import { observe } from './observe';

// Times are multiples of 2^-48.
const STEPS: f64 = 281474976710656;
const STEP: f64 = 1 / 281474976710656;
// What a reach is off by, as part of the extent: 40 half ulps.
const REACH_ERROR: f64 = 4.44089209850063e-15;
// How far before the expected contact the next moment is chosen, as part of the way there: at first, at least
// and at most.
const FIRST_MARGIN: f64 = 0.0625;
const LEAST_MARGIN: f64 = 9.5367431640625e-7;
const MOST_MARGIN: f64 = 0.5;

/**
 * `resolution`: a proven contact is not bounded more closely. `moments`: room for MOST_WAITING + 3 of them.
 * `latest`: contacts after it need not be found.
 */
export function firstContact(
  motion: usize,
  resolution: f64,
  moments: usize,
  result: usize,
  latest: f64,
): void {
  if (isFarApart(motion)) return write(result, 1, 0, CLEAR, 0);
  const threshold = thresholdOf(motion);
  const bottom = moments + Moment.SIZE;
  const top = bottom + <usize>MOST_WAITING * Moment.SIZE;
  // All is clear up to `now`, the last one of the stack; the one below it is to be reached next.
  let now = bottom + Moment.SIZE;
  let count: u32 = 2;
  let margin = FIRST_MARGIN;
  let isTried = false;
  observe(motion, 0, now);
  observe(motion, 1, bottom);
  for (;;) {
    if (isClear(motion, now, now - Moment.SIZE)) {
      now -= Moment.SIZE;
      if (now == bottom || load<f64>(now, Moment.time) > latest) return write(result, 1, 0, CLEAR, count);
      margin = max(LEAST_MARGIN, margin * margin);
      continue;
    }
    const time = load<f64>(now, Moment.time);
    const rest = load<f64>(now - Moment.SIZE, Moment.time) - time;
    const gap = load<f64>(now, Moment.low) - threshold;
    const wait = waitOf(gap, load<f64>(now, Moment.rate));
    if (gap > 0 && 2 * wait <= resolution) {
      isTried = true;
      const ahead = min(1, gridTime(time + max(2 * wait, 0.5 * resolution)));
      observe(motion, ahead, moments);
      count++;
      if (isReached(motion, now, moments)) return write(result, time, ahead - time, REACHED, count);
    }
    // A moment that was chosen so and was not clear was too late.
    if (wait >= rest) margin = min(MOST_MARGIN, sqrt(margin));
    // A contact is proven from a moment that is not too near to it.
    const early = isTried ? wait * margin : max(wait * margin, 0.25 * resolution);
    let middle = gridTime(time + (wait < rest ? wait - early : 0.5 * rest));
    if (middle >= time + rest) middle = gridTime(time + 0.5 * rest);
    if (!(gap > 0) || middle <= time || now >= top || count >= MOST_MOMENTS)
      return writeNear(motion, now, count, result);
    for (let at = now, end = now + Moment.SIZE; at < end; at += 16)
      v128.store(at, v128.load(at), Moment.SIZE);
    observe(motion, middle, now);
    now += Moment.SIZE;
    count++;
  }
}

// Time until the gap closes at the present rate.
function waitOf(gap: f64, rate: f64): f64 {
  return rate < 0 ? gap / -rate : Infinity;
}
function gridTime(time: f64): f64 {
  return floor(time * STEPS) * STEP;
}

// Is there surely a contact at `ahead`, or between `now` and `ahead`?
function isReached(motion: usize, now: usize, ahead: usize): bool {
  return load<f64>(motion, Motion.separation) > 0
    ? isWithin(motion, ahead, 0)
    : isCrossing(motion, now, ahead);
}

// Is the distance surely at most the separation and `more`?
function isWithin(motion: usize, moment: usize, more: f64): bool {
  return (
    load<f64>(moment, Moment.reach) + load<f64>(motion, Motion.extent) * REACH_ERROR <=
    load<f64>(motion, Motion.separation) + more
  );
}

// No further than to `now`: it is near enough, or nothing is known of the rest.
function writeNear(motion: usize, now: usize, count: u32, result: usize): void {
  const time = load<f64>(now, Moment.time);
  if (load<f64>(motion, Motion.separation) > 0 && isWithin(motion, now, 0))
    return write(result, time, 0, REACHED, count);
  write(result, time, isWithin(motion, now, load<f64>(motion, Motion.tolerance)) ? 0 : 1 - time, NEAR, count);
}

function write(result: usize, toi: f64, bound: f64, verdict: u32, count: u32): void {
  store<f64>(result, toi, SweptFeatures.toi);
  store<f64>(result, bound, SweptFeatures.bound);
  store<u32>(result, verdict, SweptFeatures.verdict);
  store<u32>(result, count, SweptFeatures.moments);
}
