// Sorts triangle boxes by centroid into 8 or 16 bins on each axis, for the surface area heuristic.
import { add, load4, max4, min4, mul, splat, sub } from '../simd/lanes';

export const BIN_COUNT: u32 = 16;
const SMALL_COUNT: u32 = 48;
const SMALL_BIN_COUNT: u32 = 8;

// Layout of a bin, which occupies one cache line: its box, then its triangle count at byte offset COUNT.
export const BIN_SHIFT: usize = 6;
export const BIN_BYTES: usize = 64;
export const COUNT: usize = 32;
export const AXIS_BYTES: usize = 1024;
/** Offset of the end of the bins of all three axes, where the memory of `chooseSplit` (splits.ts) begins. */
export const BINS_END: usize = 3072;

// Adding 2^23 rounds a small non-negative float to an integer, which is then in the low bits of the float.
const ROUNDING_OFFSET: f32 = 8388608;
const MIN_EXTENT: f32 = 7.888609052210118e-31;

/**
 * Returns the number of bins for a range. Small ranges, which are the majority, use fewer bins, because fewer
 * bins are faster to search.
 */
export function binsFor(count: u32): u32 {
  return count > SMALL_COUNT ? BIN_COUNT : SMALL_BIN_COUNT;
}

/**
 * Returns a factor for each axis: a doubled centroid (min + max of a box) minus `low`, multiplied by this
 * factor and rounded, gives the number of the bin. low, high: bounds of all doubled centroids. On an axis on
 * which these bounds are (nearly) equal, the factor is zero.
 */
export function binScale(low: v128, high: v128, binCount: u32): v128 {
  // The last lane holds triangle numbers, which are denormal floats: dividing by them would be slow.
  const extent = f32x4.replace_lane(sub(high, low), 3, 1);
  const scale = f32x4.div(splat(<f32>(binCount - 1)), extent);
  return v128.and(scale, f32x4.gt(extent, splat(MIN_EXTENT)));
}

/**
 * Returns the bins of the box from `low` to `high` on the three axes, as ROUNDING_OFFSET + bin. offset: the
 * minimum doubled centroid on each axis. scale: the result of `binScale`. top: the number of the last bin.
 */
export function binsOf(low: v128, high: v128, offset: v128, scale: v128, top: v128): v128 {
  const place = mul(sub(add(low, high), offset), scale);
  return add(min4(max4(splat(0), place), top), splat(ROUNDING_OFFSET));
}

/**
 * Returns limits for the values of `binsOf`: ROUNDING_OFFSET + `bin` on `axis`, and a value below every bin on
 * the other axes. A box is on the left side of the split just below `bin` if, on any axis, its value is less
 * than the limit of that axis. This is possible only on `axis`.
 */
export function binLimit(axis: u32, bin: u32): v128 {
  const limit = ROUNDING_OFFSET + <f32>bin;
  let lanes = splat(-1);
  if (axis == 0) lanes = f32x4.replace_lane(lanes, 0, limit);
  else if (axis == 1) lanes = f32x4.replace_lane(lanes, 1, limit);
  else lanes = f32x4.replace_lane(lanes, 2, limit);
  return lanes;
}

function clearAxis(at: usize, bytes: usize): void {
  const low = splat(Infinity);
  const high = splat(-Infinity);
  for (const last = at + bytes; at < last; at += BIN_BYTES) {
    v128.store(at, low);
    v128.store(at, high, 16);
    store<u32>(at, 0, COUNT);
  }
}

export function clearBins(bins: usize, binCount: u32): void {
  for (let axis: usize = 0; axis < 3; axis++)
    clearAxis(bins + axis * AXIS_BYTES, (<usize>binCount) << BIN_SHIFT);
}

function addToBin(axisBins: usize, number: u32, low: v128, high: v128): void {
  const bin = axisBins + ((<usize>(number & (BIN_COUNT - 1))) << BIN_SHIFT);
  v128.store(bin, min4(load4(bin), low));
  v128.store(bin, max4(load4(bin, 16), high), 16);
  store<u32>(bin, load<u32>(bin, COUNT) + 1, COUNT);
}

/**
 * Adds the records from `at` up to `last` (exclusive), 32 bytes each, to the bins of all three axes. offset:
 * the minimum doubled centroid on each axis. scale: the result of `binScale`.
 */
export function fillBins(
  bins: usize,
  at: usize,
  last: usize,
  offset: v128,
  scale: v128,
  binCount: u32,
): void {
  const top = splat(<f32>(binCount - 1));
  const binsY = bins + AXIS_BYTES;
  const binsZ = bins + 2 * AXIS_BYTES;
  for (; at < last; at += 32) {
    const low = load4(at);
    const high = load4(at, 16);
    const numbers = binsOf(low, high, offset, scale, top);
    addToBin(bins, i32x4.extract_lane(numbers, 0), low, high);
    addToBin(binsY, i32x4.extract_lane(numbers, 1), low, high);
    addToBin(binsZ, i32x4.extract_lane(numbers, 2), low, high);
  }
}

/**
 * Adds the records to the bins of one axis. The bins of the other axes must be clear: the bins of one other
 * axis are used as temporary memory, and cleared again.
 */
export function fillAxisBins(
  bins: usize,
  at: usize,
  last: usize,
  offset: v128,
  scale: v128,
  binCount: u32,
  axis: u32,
): void {
  const top = splat(<f32>(binCount - 1));
  const lane = (<usize>axis) << 2;
  store<f32>(bins, laneOf(offset, axis), BINS_END);
  store<f32>(bins, laneOf(scale, axis), BINS_END + 4);
  const from = v128.load32_splat(bins, BINS_END);
  const factor = v128.load32_splat(bins, BINS_END + 4);
  // Consecutive records often fall into the same bin. Odd records use a second set of bins, so that the
  // update of a bin need not wait for the store of the previous update.
  const axisBins = bins + <usize>axis * AXIS_BYTES;
  const spare = bins + <usize>(axis == 0 ? 1 : 0) * AXIS_BYTES;
  for (; at + 32 < last; at += 64) {
    const even = binsOf(v128.load32_splat(at + lane), v128.load32_splat(at + lane, 16), from, factor, top);
    const odd = binsOf(v128.load32_splat(at + lane, 32), v128.load32_splat(at + lane, 48), from, factor, top);
    addToBin(axisBins, i32x4.extract_lane(even, 0), load4(at), load4(at, 16));
    addToBin(spare, i32x4.extract_lane(odd, 0), load4(at, 32), load4(at, 48));
  }
  if (at < last) {
    const number = binsOf(v128.load32_splat(at + lane), v128.load32_splat(at + lane, 16), from, factor, top);
    addToBin(axisBins, i32x4.extract_lane(number, 0), load4(at), load4(at, 16));
  }
  const binBytes = (<usize>binCount) << BIN_SHIFT;
  mergeBins(axisBins, spare, binBytes);
  clearAxis(spare, binBytes);
}

function laneOf(x: v128, lane: u32): f32 {
  return lane == 0
    ? f32x4.extract_lane(x, 0)
    : lane == 1
      ? f32x4.extract_lane(x, 1)
      : f32x4.extract_lane(x, 2);
}

/** Returns the axis with the largest extent. */
export function widestAxis(low: v128, high: v128): u32 {
  const extent = sub(high, low);
  const x = f32x4.extract_lane(extent, 0);
  const y = f32x4.extract_lane(extent, 1);
  const z = f32x4.extract_lane(extent, 2);
  return x >= y ? (x >= z ? 0 : 2) : y >= z ? 1 : 2;
}

/** Adds the bins at `from` to the bins at `bins`. */
export function mergeBins(bins: usize, from: usize, bytes: usize = 3 * AXIS_BYTES): void {
  for (const last = bins + bytes; bins < last; bins += BIN_BYTES, from += BIN_BYTES) {
    v128.store(bins, min4(load4(bins), load4(from)));
    v128.store(bins, max4(load4(bins, 16), load4(from, 16)), 16);
    store<u32>(bins, load<u32>(bins, COUNT) + load<u32>(from, COUNT), COUNT);
  }
}

/** Returns the number of records in the bins below `bin` on `axis`. */
export function countBelow(bins: usize, axis: u32, bin: u32): u32 {
  let count: u32 = 0;
  for (
    let at = bins + <usize>axis * AXIS_BYTES, last = at + ((<usize>bin) << BIN_SHIFT);
    at < last;
    at += BIN_BYTES
  )
    count += load<u32>(at, COUNT);
  return count;
}
