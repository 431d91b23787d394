// Boxes -> a slice's bounds, sums of sizes and of their squares, and the first value that is not finite.
import { highOf, isBox, lowOf } from '../boxLoad';
import { BoxSurvey, NOTHING, SurveyBoxesJob } from '../layout';
import { add, bits, least, most, splat, sub } from '../lanes';

/** A box is empty when a least is above its greatest; empty boxes are left out, whatever else they hold. */
export function surveyBoxes(jobAt: usize, begin: u32, end: u32): void {
  const boxes: usize = load<u32>(jobAt, SurveyBoxesJob.boxesAt), sliceCount: u64 = load<u32>(jobAt, SurveyBoxesJob.sliceCount);
  const boxCount: u64 = load<u32>(jobAt, SurveyBoxesJob.boxCount);
  for (let slice: u64 = begin; slice < end; slice++) {
    surveySlice(boxes, <u32>(slice * boxCount / sliceCount), <u32>((slice + 1) * boxCount / sliceCount),
      <usize>load<u32>(jobAt, SurveyBoxesJob.surveysAt) + <usize>slice * BoxSurvey.SIZE);
  }
}

/** Boxes first <= i < last. */
export function surveySlice(boxes: usize, first: u32, last: u32, survey: usize): void {
  let low = splat(Infinity), high = splat(-Infinity), wild = splat(0);
  let sumXY = f64x2.splat(0), sumZ = f64x2.splat(0), squareXY = f64x2.splat(0), squareZ = f64x2.splat(0);
  let count: u32 = 0;
  for (let i = first; i < last; i++) {
    const at = boxes + <usize>i * 24;
    const from = lowOf(at), to = highOf(at);
    // What is not finite is not 0 when taken from itself.
    wild = add(wild, add(sub(from, from), sub(to, to)));
    if (!isBox(from, to)) continue;
    count++;
    low = least(low, from);
    high = most(high, to);
    const size = sub(to, from);
    const xy = f64x2.promote_low_f32x4(size), z = f64x2.promote_low_f32x4(v128.shuffle<f32>(size, size, 2, 2, 2, 2));
    sumXY = f64x2.add(sumXY, xy);
    sumZ = f64x2.add(sumZ, z);
    squareXY = f64x2.add(squareXY, f64x2.mul(xy, xy));
    squareZ = f64x2.add(squareZ, f64x2.mul(z, z));
  }
  v128.store(survey, low, BoxSurvey.low);
  v128.store(survey, high, BoxSurvey.high);
  v128.store(survey, sumXY, BoxSurvey.sumX);
  store<f64>(survey, f64x2.extract_lane(sumZ, 0), BoxSurvey.sumZ);
  v128.store(survey, squareXY, BoxSurvey.squareX);
  store<f64>(survey, f64x2.extract_lane(squareZ, 0), BoxSurvey.squareZ);
  store<u32>(survey, count, BoxSurvey.count);
  store<u32>(survey, bits(f32x4.eq(wild, splat(0))) == 15 ? NOTHING : firstWild(boxes, first, last), BoxSurvey.firstWild);
}

// Index of the first value that is not finite, except in empty boxes, of which only NaN is refused.
function firstWild(boxes: usize, first: u32, last: u32): u32 {
  for (let i = first; i < last; i++) {
    const at = boxes + <usize>i * 24;
    let isEmpty = false;
    for (let axis: usize = 0; axis < 12; axis += 4) isEmpty = isEmpty || load<f32>(at + axis) > load<f32>(at + axis, 12);
    for (let k: u32 = 0; k < 6; k++) {
      const value = load<f32>(at + (<usize>k << 2));
      if (value != value || (!isEmpty && value - value != 0)) return i * 6 + k;
    }
  }
  return NOTHING;
}
