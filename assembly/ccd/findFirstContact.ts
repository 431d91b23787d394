// Finds the first contact of two moving features by conservative advancement. From time 0 on, proves for one
// interval of time after another that there is no contact. Ends when the whole step is clear, when a contact is
// proven, or when the next interval gets too short. Moments (states of the motion at one time) that were
// evaluated too far ahead are kept on a stack for later.
import { CLEAR, MAX_MOMENTS, MAX_WAITING, Moment, Motion, NEAR, REACHED, SweptFeatures } from '../records';
import { evaluateMoment } from './evaluateMoment';
import { firstBoxOverlap } from './firstBoxOverlap';
import { isClear, thresholdOf } from './isClear';
import { isCrossing } from './isCrossing';
import { isFarApart } from './isFarApart';

// Times are multiples of 2^-48.
const STEPS: f64 = 281474976710656;
const STEP: f64 = 1 / 281474976710656;
// Error bound of Moment.reach, relative to Motion.extent: 40 half ulps. (The reach is an upper bound of the
// distance between the features at the Moment's time.)
const REACH_ERROR: f64 = 4.44089209850063e-15;
// The next moment is placed before the expected contact by a fraction of the remaining time. These are the
// initial value, the minimum and the maximum of this fraction.
const FIRST_MARGIN: f64 = 0.0625;
const MIN_MARGIN: f64 = 9.5367431640625e-7;
const MAX_MARGIN: f64 = 0.5;

/**
 * Writes the SweptFeatures of a Motion to `result`. resolution: the maximum length of the time interval in
 * which a contact is proven. moments: space for MAX_WAITING + 3 Moments. latest: contacts after this time
 * need not be found.
 */
export function findFirstContact(
  motion: usize,
  resolution: f64,
  moments: usize,
  result: usize,
  latest: f64,
): void {
  if (isFarApart(motion)) return writeResult(result, 1, 0, CLEAR, 0);
  // A contact may begin after its toi, by at most the resolution.
  if (latest < 1 && firstBoxOverlap(motion, 0) > latest + resolution)
    return writeResult(result, 1, 0, CLEAR, 0);
  const threshold = thresholdOf(motion);
  const bottom = moments + Moment.SIZE;
  const top = bottom + <usize>MAX_WAITING * Moment.SIZE;
  // `current` is the top of the stack. Up to its time, there is provably no contact. The moment below it on
  // the stack is the next moment to reach.
  let current = bottom + Moment.SIZE;
  let count: u32 = 2;
  let margin = FIRST_MARGIN;
  let isTried = false;
  evaluateMoment(motion, 0, current);
  evaluateMoment(motion, 1, bottom);
  for (;;) {
    if (isClear(motion, current, current - Moment.SIZE)) {
      current -= Moment.SIZE;
      if (current == bottom || load<f64>(current, Moment.time) > latest)
        return writeResult(result, 1, 0, CLEAR, count);
      margin = max(MIN_MARGIN, margin * margin);
      continue;
    }
    const time = load<f64>(current, Moment.time);
    const rest = load<f64>(current - Moment.SIZE, Moment.time) - time;
    const gap = load<f64>(current, Moment.low) - threshold;
    const timeLeft = timeToContact(gap, load<f64>(current, Moment.rate));
    if (gap > 0 && 2 * timeLeft <= resolution) {
      isTried = true;
      const ahead = min(1, gridTime(time + max(2 * timeLeft, 0.5 * resolution)));
      evaluateMoment(motion, ahead, moments);
      count++;
      if (isReached(motion, current, moments)) return writeResult(result, time, ahead - time, REACHED, count);
    }
    // The interval up to the next moment could not be proven clear, although the next moment is not after the
    // expected contact. So the next moment was too close to the contact: increase the margin.
    if (timeLeft >= rest) margin = min(MAX_MARGIN, sqrt(margin));
    // A crossing can only be proven from a moment that is not too close to the contact. So until a proof has
    // been tried, the lead is at least a quarter of the resolution.
    const lead = isTried ? timeLeft * margin : max(timeLeft * margin, 0.25 * resolution);
    let middle = gridTime(time + (timeLeft < rest ? timeLeft - lead : 0.5 * rest));
    if (middle >= time + rest) middle = gridTime(time + 0.5 * rest);
    if (!(gap > 0) || middle <= time || current >= top || count >= MAX_MOMENTS)
      return writeNear(motion, current, count, result);
    for (let at = current, end = current + Moment.SIZE; at < end; at += 16)
      v128.store(at, v128.load(at), Moment.SIZE);
    evaluateMoment(motion, middle, current);
    current += Moment.SIZE;
    count++;
  }
}

// Returns the time until the gap closes at the current rate.
function timeToContact(gap: f64, rate: f64): f64 {
  return rate < 0 ? gap / -rate : Infinity;
}
function gridTime(time: f64): f64 {
  return floor(time * STEPS) * STEP;
}

// Returns whether a contact is proven. With a separation > 0, tests the time of the Moment `ahead`;
// otherwise, tests the interval between the Moments `current` and `ahead`.
function isReached(motion: usize, current: usize, ahead: usize): bool {
  return load<f64>(motion, Motion.separation) > 0
    ? isWithin(motion, ahead, 0)
    : isCrossing(motion, current, ahead);
}

// Returns whether the distance at a Moment's time is provably at most the separation plus `extra`.
function isWithin(motion: usize, moment: usize, extra: f64): bool {
  return (
    load<f64>(moment, Moment.reach) + load<f64>(motion, Motion.extent) * REACH_ERROR <=
    load<f64>(motion, Motion.separation) + extra
  );
}

// Writes the result of a search that ends at the Moment `current` without a proof for the rest of the step. If
// the distance at the Moment's time is provably at most a separation > 0, the verdict is REACHED. If it is
// provably at most the separation plus the tolerance, the verdict is NEAR, with the bound 0. In both cases, toi
// is the Moment's time. Otherwise, if the boxes of the features never come close after this time, the verdict
// is CLEAR. If they do, the verdict is NEAR, toi is a lower bound of the time at which they come close, and the
// bound is the rest of the step, about which nothing is known (0 if toi is 1).
function writeNear(motion: usize, current: usize, count: u32, result: usize): void {
  const time = load<f64>(current, Moment.time);
  if (load<f64>(motion, Motion.separation) > 0 && isWithin(motion, current, 0))
    return writeResult(result, time, 0, REACHED, count);
  if (isWithin(motion, current, load<f64>(motion, Motion.tolerance)))
    return writeResult(result, time, 0, NEAR, count);
  const overlap = firstBoxOverlap(motion, time);
  if (overlap == Infinity) return writeResult(result, 1, 0, CLEAR, count);
  const toi = max(time, gridTime(overlap));
  writeResult(result, toi, 1 - toi, NEAR, count);
}

function writeResult(result: usize, toi: f64, bound: f64, verdict: u32, count: u32): void {
  store<f64>(result, toi, SweptFeatures.toi);
  store<f64>(result, bound, SweptFeatures.bound);
  store<u32>(result, verdict, SweptFeatures.verdict);
  store<u32>(result, count, SweptFeatures.moments);
}
