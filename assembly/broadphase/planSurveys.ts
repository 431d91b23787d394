// What some slices saw of boxes -> what all are like.
import { BoxPlan, BoxSurvey, NOTHING } from '../records';
import { hasCells, rangeOf } from './slabs';

/** Sizes that are alike: the mean, of the smallest; the mean square, of the mean's square. */
const MOST_MEAN: f64 = 2;
const MOST_SQUARE: f64 = 1.15;

/** BoxSurveys of as many slices -> the BoxPlan. */
export function planSurveys(plan: usize, surveys: usize, sliceCount: u32): void {
  let count: u32 = 0;
  let wild = NOTHING;
  for (
    let survey = surveys, last = surveys + <usize>sliceCount * BoxSurvey.SIZE;
    survey < last;
    survey += BoxSurvey.SIZE
  ) {
    count += load<u32>(survey, BoxSurvey.count);
    wild = min(wild, load<u32>(survey, BoxSurvey.firstWild));
    for (let axis: usize = 0; axis < 3; axis++)
      addAxis(plan + (axis << 3), survey + (axis << 2), survey + (axis << 3), survey == surveys);
  }
  store<u32>(plan, count, BoxPlan.count);
  store<u32>(plan, wild, BoxPlan.firstWild);
  let expected = (<f64>count * <f64>count) / 2;
  let areAlike = true;
  for (let axis: usize = 0; axis < 3; axis++) {
    const at = plan + (axis << 3);
    const size = load<f64>(at, BoxPlan.size) / <f64>max(1, count);
    const square = load<f64>(at, BoxPlan.square) / <f64>max(1, count);
    const range = rangeOf(plan, axis);
    store<f64>(at, size, BoxPlan.size);
    store<f64>(at, square, BoxPlan.square);
    expected *= range > 0 ? min<f64>(1, (2 * size) / range) : 1;
    areAlike =
      areAlike && size <= MOST_MEAN * load<f64>(at, BoxPlan.least) && square <= MOST_SQUARE * size * size;
  }
  store<f64>(plan, expected, BoxPlan.expected);
  orderAxes(plan);
  // What is to be tested against what then grows with the pairs, wherever boxes crowd: slabs are as good as
  // it gets.
  store<u32>(plan, u32(areAlike && hasCells(plan)), BoxPlan.isAlike);
}

// One axis of a slice. floats, doubles: the survey, shifted by the axis.
function addAxis(at: usize, floats: usize, doubles: usize, isFirst: bool): void {
  const low = <f64>load<f32>(floats, BoxSurvey.low);
  const high = <f64>load<f32>(floats, BoxSurvey.high);
  const least = <f64>load<f32>(floats, BoxSurvey.least);
  const size = load<f64>(doubles, BoxSurvey.sumX);
  const square = load<f64>(doubles, BoxSurvey.squareX);
  store<f64>(at, isFirst ? low : min(load<f64>(at, BoxPlan.low), low), BoxPlan.low);
  store<f64>(at, isFirst ? high : max(load<f64>(at, BoxPlan.high), high), BoxPlan.high);
  store<f64>(at, isFirst ? least : min(load<f64>(at, BoxPlan.least), least), BoxPlan.least);
  store<f64>(at, isFirst ? size : load<f64>(at, BoxPlan.size) + size, BoxPlan.size);
  store<f64>(at, isFirst ? square : load<f64>(at, BoxPlan.square) + square, BoxPlan.square);
}

function orderAxes(plan: usize): void {
  const x = spreadOf(plan, 0);
  const y = spreadOf(plan, 1);
  const z = spreadOf(plan, 2);
  const sweep: u32 = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
  const column: u32 = z <= x && z <= y ? 2 : y <= x ? 1 : 0;
  store<u32>(plan, sweep, BoxPlan.sweepAxis);
  store<u32>(plan, 3 - sweep - column, BoxPlan.slabAxis);
  store<u32>(plan, column, BoxPlan.columnAxis);
}

function spreadOf(plan: usize, axis: usize): f64 {
  return rangeOf(plan, axis) / max<f64>(load<f64>(plan + (axis << 3), BoxPlan.size), 1e-300);
}
