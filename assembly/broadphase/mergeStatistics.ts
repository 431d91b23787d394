// Merges the box statistics of all slices into one BoxPlan: the bounds and sizes of the boxes, the axes for
// sweep and prune, and the expected number of pairs.
import { BoxPlan, BoxStatistics, NOTHING } from '../records';
import { rangeOf, slabsSuffice } from './slabs';

/**
 * Boxes count as similar in size if two conditions hold on each axis: the mean size is at most MAX_MEAN times
 * the smallest size, and the mean of the squared sizes is at most MAX_SQUARE times the square of the mean
 * size.
 */
const MAX_MEAN: f64 = 2;
const MAX_SQUARE: f64 = 1.15;

/** Merges the BoxStatistics of `sliceCount` slices into the BoxPlan. */
export function mergeStatistics(plan: usize, all: usize, sliceCount: u32): void {
  let count: u32 = 0;
  let nonFinite = NOTHING;
  for (
    let statistics = all, last = all + <usize>sliceCount * BoxStatistics.SIZE;
    statistics < last;
    statistics += BoxStatistics.SIZE
  ) {
    count += load<u32>(statistics, BoxStatistics.count);
    nonFinite = min(nonFinite, load<u32>(statistics, BoxStatistics.firstNonFinite));
    for (let axis: usize = 0; axis < 3; axis++)
      addAxis(plan + (axis << 3), statistics + (axis << 2), statistics + (axis << 3), statistics == all);
  }
  store<u32>(plan, count, BoxPlan.count);
  store<u32>(plan, nonFinite, BoxPlan.firstNonFinite);
  let expected = (<f64>count * <f64>count) / 2;
  let areAlike = true;
  for (let axis: usize = 0; axis < 3; axis++) {
    const at = plan + (axis << 3);
    const size = load<f64>(at, BoxPlan.meanSize) / <f64>max(1, count);
    const square = load<f64>(at, BoxPlan.meanSquare) / <f64>max(1, count);
    const range = rangeOf(plan, axis);
    store<f64>(at, size, BoxPlan.meanSize);
    store<f64>(at, square, BoxPlan.meanSquare);
    expected *= range > 0 ? min<f64>(1, (2 * size) / range) : 1;
    areAlike =
      areAlike && size <= MAX_MEAN * load<f64>(at, BoxPlan.minSize) && square <= MAX_SQUARE * size * size;
  }
  store<f64>(plan, expected, BoxPlan.expected);
  orderAxes(plan);
  // If the boxes have similar sizes, and slabs and columns can be as narrow as these sizes require, the
  // number of tests is proportional to the number of pairs, even in dense regions. Sweeping slabs is then the
  // best method.
  store<u32>(plan, u32(areAlike && slabsSuffice(plan)), BoxPlan.hasSimilarSizes);
}

// Adds one axis of a slice's statistics to the plan. at: address of the plan plus the byte offset of the
// axis. floats: address of the slice's statistics plus the byte offset of the axis in an array of f32.
// doubles: the same with the byte offset in an array of f64.
function addAxis(at: usize, floats: usize, doubles: usize, isFirst: bool): void {
  const low = <f64>load<f32>(floats, BoxStatistics.low);
  const high = <f64>load<f32>(floats, BoxStatistics.high);
  const minSize = <f64>load<f32>(floats, BoxStatistics.minSize);
  const size = load<f64>(doubles, BoxStatistics.sumX);
  const square = load<f64>(doubles, BoxStatistics.squareX);
  store<f64>(at, isFirst ? low : min(load<f64>(at, BoxPlan.low), low), BoxPlan.low);
  store<f64>(at, isFirst ? high : max(load<f64>(at, BoxPlan.high), high), BoxPlan.high);
  store<f64>(at, isFirst ? minSize : min(load<f64>(at, BoxPlan.minSize), minSize), BoxPlan.minSize);
  store<f64>(at, isFirst ? size : load<f64>(at, BoxPlan.meanSize) + size, BoxPlan.meanSize);
  store<f64>(at, isFirst ? square : load<f64>(at, BoxPlan.meanSquare) + square, BoxPlan.meanSquare);
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
  return rangeOf(plan, axis) / max<f64>(load<f64>(plan + (axis << 3), BoxPlan.meanSize), 1e-300);
}
