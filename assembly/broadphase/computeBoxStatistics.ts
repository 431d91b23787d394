// Computes statistics of boxes while another thread is still copying the boxes into the engine's memory. The
// statistics are the number of nonempty boxes, their bounds and min sizes, the sums of their sizes and of the
// squares of these sizes, and the index of the first non-finite value.

import { BoxStatistics, BoxStatisticsJob, NOTHING } from '../records';
import { add, load4, maskBits, max4, min4, splat, sub } from '../simd/lanes';
import { isNonEmpty, maxCornerOf, minCornerOf } from './boxLoad';

/** Number of boxes that a thread takes at a time. */
const BLOCK: u32 = 2048;
/**
 * Max number of times that a thread checks whether the next block has been copied. After that (a few dozen
 * microseconds), the thread leaves the remaining blocks to the other threads.
 */
const MAX_POLLS: u32 = 16384;

/**
 * Computes the statistics of each slice. A slice has no fixed range of boxes: its statistics cover the blocks
 * that its thread takes. `ready` is the number of boxes copied so far. The copying thread runs this kernel
 * only after it has copied all boxes. A box is empty if min > max on an axis. Empty boxes are left out of the
 * statistics. They may contain infinities, but a NaN in any box is reported as `firstNonFinite`.
 */
export function computeBoxStatistics(jobAt: usize, begin: u32, end: u32): void {
  const boxes: usize = load<u32>(jobAt, BoxStatisticsJob.boxesAt);
  const count = load<u32>(jobAt, BoxStatisticsJob.boxCount);
  for (let slice = begin; slice < end; slice++) {
    const statistics =
      <usize>load<u32>(jobAt, BoxStatisticsJob.statisticsAt) + <usize>slice * BoxStatistics.SIZE;
    clearStatistics(statistics);
    for (let first = takeBlock(jobAt, count); first < count; first = takeBlock(jobAt, count))
      addBoxes(boxes, first, min(first + BLOCK, count), statistics);
  }
}

// Takes the next block and returns its first box. Returns `count` if no block is left, or if the next block
// is not copied in time. Polling is limited, because a polling thread may occupy the core that the copying
// thread needs.
function takeBlock(jobAt: usize, count: u32): u32 {
  for (let polls: u32 = 0; polls < MAX_POLLS; polls++) {
    const first = atomic.load<u32>(jobAt, BoxStatisticsJob.cursor);
    if (first >= count) break;
    if (atomic.load<u32>(jobAt, BoxStatisticsJob.ready) < min(first + BLOCK, count)) continue;
    if (atomic.cmpxchg<u32>(jobAt, first, first + BLOCK, BoxStatisticsJob.cursor) == first) return first;
  }
  return count;
}

/** Initializes the statistics, as for zero boxes. */
export function clearStatistics(statistics: usize): void {
  memory.fill(statistics, 0, BoxStatistics.SIZE);
  v128.store(statistics, splat(Infinity), BoxStatistics.low);
  v128.store(statistics, splat(-Infinity), BoxStatistics.high);
  v128.store(statistics, splat(Infinity), BoxStatistics.minSize);
  store<u32>(statistics, NOTHING, BoxStatistics.firstNonFinite);
}

/** Adds boxes first <= i < last to the statistics. Boxes are added in ascending order. */
export function addBoxes(boxes: usize, first: u32, last: u32, statistics: usize): void {
  let low = load4(statistics, BoxStatistics.low);
  let high = load4(statistics, BoxStatistics.high);
  let minSize = load4(statistics, BoxStatistics.minSize);
  let nonFinite = splat(0);
  let sumXY = load4(statistics, BoxStatistics.sumX);
  let sumZ = f64x2.splat(load<f64>(statistics, BoxStatistics.sumZ));
  let squareXY = load4(statistics, BoxStatistics.squareX);
  let squareZ = f64x2.splat(load<f64>(statistics, BoxStatistics.squareZ));
  let count = load<u32>(statistics, BoxStatistics.count);
  for (let i = first; i < last; i++) {
    const at = boxes + <usize>i * 24;
    const from = minCornerOf(at);
    const to = maxCornerOf(at);
    // x - x is 0 only if x is finite.
    nonFinite = add(nonFinite, add(sub(from, from), sub(to, to)));
    if (!isNonEmpty(from, to)) continue;
    count++;
    low = min4(low, from);
    high = max4(high, to);
    const size = sub(to, from);
    minSize = min4(minSize, size);
    const xy = f64x2.promote_low_f32x4(size);
    const z = f64x2.promote_low_f32x4(v128.shuffle<f32>(size, size, 2, 2, 2, 2));
    sumXY = f64x2.add(sumXY, xy);
    sumZ = f64x2.add(sumZ, z);
    squareXY = f64x2.add(squareXY, f64x2.mul(xy, xy));
    squareZ = f64x2.add(squareZ, f64x2.mul(z, z));
  }
  v128.store(statistics, low, BoxStatistics.low);
  v128.store(statistics, high, BoxStatistics.high);
  v128.store(statistics, minSize, BoxStatistics.minSize);
  v128.store(statistics, sumXY, BoxStatistics.sumX);
  store<f64>(statistics, f64x2.extract_lane(sumZ, 0), BoxStatistics.sumZ);
  v128.store(statistics, squareXY, BoxStatistics.squareX);
  store<f64>(statistics, f64x2.extract_lane(squareZ, 0), BoxStatistics.squareZ);
  store<u32>(statistics, count, BoxStatistics.count);
  if (maskBits(f32x4.eq(nonFinite, splat(0))) != 15)
    store<u32>(
      statistics,
      min(load<u32>(statistics, BoxStatistics.firstNonFinite), findNonFinite(boxes, first, last)),
      BoxStatistics.firstNonFinite,
    );
}

// Returns the index of the first invalid value in the array of boxes, which has six values per box. A value is
// invalid if it is NaN, or infinite in a box that is not empty. Returns NOTHING if all values are valid.
function findNonFinite(boxes: usize, first: u32, last: u32): u32 {
  for (let i = first; i < last; i++) {
    const at = boxes + <usize>i * 24;
    let isEmpty = false;
    for (let axis: usize = 0; axis < 12; axis += 4)
      isEmpty = isEmpty || load<f32>(at + axis) > load<f32>(at + axis, 12);
    for (let k: u32 = 0; k < 6; k++) {
      const value = load<f32>(at + ((<usize>k) << 2));
      if (value != value || (!isEmpty && value - value != 0)) return i * 6 + k;
    }
  }
  return NOTHING;
}
