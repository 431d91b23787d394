// Finds the cheapest split of binned triangles by the surface area heuristic. A leaf holds four triangles, so
// a side with n triangles costs area * ceil(n / 4).

import { add, load4, lt, max4, min4, mul, splat, sub } from '../simd/lanes';
import { AXIS_BYTES, BIN_BYTES, BIN_COUNT, BIN_SHIFT, BINS_END, COUNT } from './bins';

const RIGHT_COSTS: usize = BINS_END;
/**
 * Offset of the result of `chooseSplit`: the axis and the bin, then the boxes of both sides, which begin at
 * byte 16.
 */
const CHOICE: usize = RIGHT_COSTS + <usize>BIN_COUNT * 16;

/**
 * Returns half the surface area of a box. A margin is added to each extent, so that even a line has an area.
 */
export function halfArea(low: v128, high: v128, margin: v128): f32 {
  const extent = add(sub(high, low), margin);
  const products = mul(extent, v128.shuffle<f32>(extent, extent, 1, 2, 0, 3));
  return f32x4.extract_lane(products, 0) + f32x4.extract_lane(products, 1) + f32x4.extract_lane(products, 2);
}

/** Returns 1/512 of the largest extent of a box, in all lanes: the margin of `halfArea`. */
export function marginOf(low: v128, high: v128): v128 {
  const extent = sub(high, low);
  const maxExtent = max(
    f32x4.extract_lane(extent, 0),
    max(f32x4.extract_lane(extent, 1), f32x4.extract_lane(extent, 2)),
  );
  return splat(maxExtent * 0.001953125);
}

// For each lane, returns the number of leaves that a side with this count of triangles needs.
function leavesFor(counts: v128): v128 {
  return f32x4.convert_i32x4_s(i32x4.shr_s(i32x4.add(counts, i32x4.splat(3)), 2));
}

// Returns the counts of three bins, one per axis: the bin at `at` and the bins with the same number on the y
// and z axes. The last lane repeats z.
function countsOf(at: usize): v128 {
  const z = v128.load32_splat(at, COUNT + 2 * AXIS_BYTES);
  return v128.load_lane<u32>(at, v128.load_lane<u32>(at, z, 0, COUNT), 1, COUNT + AXIS_BYTES);
}

// Returns the half areas of three boxes in lanes 0 to 2. Each box bounds bins of one axis. ex, ey, ez: the
// extents of the boxes for the x, y and z axes; the lanes of each vector are x, y, z and an unused lane. The
// last lane of the result repeats lane 2.
function halfAreas(ex: v128, ey: v128, ez: v128): v128 {
  const first = v128.shuffle<f32>(ex, ey, 0, 4, 1, 5);
  const last = v128.shuffle<f32>(ez, ez, 0, 4, 1, 5);
  const x = v128.shuffle<f32>(first, last, 0, 1, 4, 5);
  const y = v128.shuffle<f32>(first, last, 2, 3, 6, 7);
  const z = v128.shuffle<f32>(
    v128.shuffle<f32>(ex, ey, 2, 6, 3, 7),
    v128.shuffle<f32>(ez, ez, 2, 6, 3, 7),
    0,
    1,
    4,
    5,
  );
  return add(add(mul(x, y), mul(y, z)), mul(z, x));
}

function extentOf(low: v128, high: v128, margin: v128): v128 {
  return add(sub(high, low), margin);
}

// For each axis and each of its bins except bin 0, computes the cost of the right side of a split just below
// the bin.
function computeRightCosts(bins: usize, binCount: u32, margin: v128): void {
  let xLow = splat(Infinity);
  let yLow = xLow;
  let zLow = xLow;
  let xHigh = splat(-Infinity);
  let yHigh = xHigh;
  let zHigh = xHigh;
  let counts = i32x4.splat(0);
  for (
    let at = bins + ((<usize>(binCount - 1)) << BIN_SHIFT),
      to = bins + RIGHT_COSTS + ((<usize>(binCount - 1)) << 4);
    at > bins;
    at -= BIN_BYTES, to -= 16
  ) {
    xLow = min4(xLow, load4(at));
    xHigh = max4(xHigh, load4(at, 16));
    yLow = min4(yLow, load4(at, AXIS_BYTES));
    yHigh = max4(yHigh, load4(at, AXIS_BYTES + 16));
    zLow = min4(zLow, load4(at, 2 * AXIS_BYTES));
    zHigh = max4(zHigh, load4(at, 2 * AXIS_BYTES + 16));
    counts = i32x4.add(counts, countsOf(at));
    v128.store(
      to,
      mul(
        halfAreas(
          extentOf(xLow, xHigh, margin),
          extentOf(yLow, yHigh, margin),
          extentOf(zLow, zHigh, margin),
        ),
        leavesFor(counts),
      ),
    );
  }
}

/**
 * Chooses the cheapest split. If several splits are equally cheap, chooses the most balanced. An axis whose
 * bins are empty is never chosen. Returns the number of triangles on the left side of the split, or 0 if there
 * is no axis on which the triangles are in more than one bin. Afterward, splitAxis, splitBin, leftLow,
 * leftHigh, rightLow and rightHigh return the data of the chosen split.
 */
export function chooseSplit(bins: usize, binCount: u32, count: u32, margin: v128): u32 {
  computeRightCosts(bins, binCount, margin);
  let xLow = splat(Infinity);
  let yLow = xLow;
  let zLow = xLow;
  let xHigh = splat(-Infinity);
  let yHigh = xHigh;
  let zHigh = xHigh;
  let counts = i32x4.splat(0);
  let best = splat(Infinity);
  let bestImbalance = i32x4.splat(count);
  let bestLeft = counts;
  let bestBin = counts;
  for (let bin: u32 = 1; bin < binCount; bin++) {
    const at = bins + ((<usize>(bin - 1)) << BIN_SHIFT);
    xLow = min4(xLow, load4(at));
    xHigh = max4(xHigh, load4(at, 16));
    yLow = min4(yLow, load4(at, AXIS_BYTES));
    yHigh = max4(yHigh, load4(at, AXIS_BYTES + 16));
    zLow = min4(zLow, load4(at, 2 * AXIS_BYTES));
    zHigh = max4(zHigh, load4(at, 2 * AXIS_BYTES + 16));
    counts = i32x4.add(counts, countsOf(at));
    const areas = halfAreas(
      extentOf(xLow, xHigh, margin),
      extentOf(yLow, yHigh, margin),
      extentOf(zLow, zHigh, margin),
    );
    // The cost is NaN if a side is empty (infinite extent times zero leaves). NaN is never less than `best`.
    const cost = add(mul(areas, leavesFor(counts)), load4(bins + ((<usize>bin) << 4), RIGHT_COSTS));
    const imbalance = i32x4.abs(i32x4.sub(i32x4.add(counts, counts), i32x4.splat(count)));
    const isBetter = v128.or(
      lt(cost, best),
      v128.and(f32x4.eq(cost, best), i32x4.lt_s(imbalance, bestImbalance)),
    );
    best = v128.bitselect(cost, best, isBetter);
    bestImbalance = v128.bitselect(imbalance, bestImbalance, isBetter);
    bestLeft = v128.bitselect(counts, bestLeft, isBetter);
    bestBin = v128.bitselect(i32x4.splat(bin), bestBin, isBetter);
  }
  let axis: u32 = 0;
  let bin = <u32>i32x4.extract_lane(bestBin, 0);
  let left = <u32>i32x4.extract_lane(bestLeft, 0);
  let cost = f32x4.extract_lane(best, 0);
  let imbalance = i32x4.extract_lane(bestImbalance, 0);
  const yCost = f32x4.extract_lane(best, 1);
  const yImbalance = i32x4.extract_lane(bestImbalance, 1);
  if (yCost < cost || (yCost == cost && yImbalance < imbalance)) {
    axis = 1;
    bin = i32x4.extract_lane(bestBin, 1);
    left = i32x4.extract_lane(bestLeft, 1);
    cost = yCost;
    imbalance = yImbalance;
  }
  const zCost = f32x4.extract_lane(best, 2);
  if (zCost < cost || (zCost == cost && i32x4.extract_lane(bestImbalance, 2) < imbalance)) {
    axis = 2;
    bin = i32x4.extract_lane(bestBin, 2);
    left = i32x4.extract_lane(bestLeft, 2);
  }
  store<u32>(bins, axis, CHOICE);
  store<u32>(bins, bin, CHOICE + 4);
  joinBins(bins + <usize>axis * AXIS_BYTES, 0, bin, bins + CHOICE + 16);
  joinBins(bins + <usize>axis * AXIS_BYTES, bin, binCount, bins + CHOICE + 48);
  return left;
}

function joinBins(axisBins: usize, begin: u32, end: u32, to: usize): void {
  let low = splat(Infinity);
  let high = splat(-Infinity);
  for (let bin = begin; bin < end; bin++) {
    low = min4(low, load4(axisBins + ((<usize>bin) << BIN_SHIFT)));
    high = max4(high, load4(axisBins + ((<usize>bin) << BIN_SHIFT), 16));
  }
  v128.store(to, low);
  v128.store(to, high, 16);
}

export function splitAxis(bins: usize): u32 {
  return load<u32>(bins, CHOICE);
}
export function splitBin(bins: usize): u32 {
  return load<u32>(bins, CHOICE + 4);
}
export function leftLow(bins: usize): v128 {
  return load4(bins, CHOICE + 16);
}
export function leftHigh(bins: usize): v128 {
  return load4(bins, CHOICE + 32);
}
export function rightLow(bins: usize): v128 {
  return load4(bins, CHOICE + 48);
}
export function rightHigh(bins: usize): v128 {
  return load4(bins, CHOICE + 64);
}
