// Triangle boxes -> 16 bins on each of three axes by centroid -> the cheapest place to split (surface area heuristic).
// A leaf holds four triangles, so a side of n costs area * ceil(n / 4).
import { add, least, load4, lt, most, mul, splat, sub } from '../lanes';

export const BIN_COUNT: u32 = 16;
const SOME: u32 = 48;
const SOME_BINS: u32 = 8;

// A bin: box, then count, one cache line.
const BIN_SHIFT: usize = 6;
const BIN_BYTES: usize = 64;
const COUNT: usize = 32;
const AXIS_BYTES: usize = 1024;
const RIGHT_COSTS: usize = 3072;
/** Where `chooseSplit` leaves its choice: axis, bin, triangles on the left; then the four child boxes' vectors. */
const CHOICE: usize = 3328;

// Adding 2^23 rounds a small positive number to an integer that stands in the low bits.
const MAGIC: f32 = 8388608;
const SMALLEST_EXTENT: f32 = 7.888609052210118e-31;

/** Few triangles need few bins, and few bins are quick to search: most ranges are small. */
export function binsFor(count: u32): u32 { return count > SOME ? BIN_COUNT : SOME_BINS; }

/** Factor from doubled centroid to bin; zero where all centroids are as good as equal. */
export function binScale(low: v128, high: v128, binCount: u32): v128 {
  // The last lane holds numbers of triangles, denormal as floats, and a division by one of those takes long.
  const extent = f32x4.replace_lane(sub(high, low), 3, 1);
  const scale = f32x4.div(splat(<f32>(binCount - 1)), extent);
  return v128.and(scale, f32x4.gt(extent, splat(SMALLEST_EXTENT)));
}

/** The bins of a box on three axes, as MAGIC + bin. */
// @ts-ignore: decorator
@inline export function binsOf(low: v128, high: v128, offset: v128, scale: v128, top: v128): v128 {
  const place = mul(sub(add(low, high), offset), scale);
  return add(least(most(splat(0), place), top), splat(MAGIC));
}

/** What binsOf gives at `bin` on `axis`, and below every value on the others: lanes less than it lie left of the split. */
export function binLimit(axis: u32, bin: u32): v128 {
  const limit = MAGIC + <f32>bin;
  let lanes = splat(-1);
  if (axis == 0) lanes = f32x4.replace_lane(lanes, 0, limit);
  else if (axis == 1) lanes = f32x4.replace_lane(lanes, 1, limit);
  else lanes = f32x4.replace_lane(lanes, 2, limit);
  return lanes;
}

// @ts-ignore: decorator
@inline function clearAxis(at: usize, bytes: usize): void {
  const low = splat(Infinity), high = splat(-Infinity);
  for (const last = at + bytes; at < last; at += BIN_BYTES) {
    v128.store(at, low);
    v128.store(at, high, 16);
    store<u32>(at, 0, COUNT);
  }
}

export function clearBins(bins: usize, binCount: u32): void {
  for (let axis: usize = 0; axis < 3; axis++) clearAxis(bins + axis * AXIS_BYTES, <usize>binCount << BIN_SHIFT);
}

// @ts-ignore: decorator
@inline function addToBin(axisBins: usize, number: u32, low: v128, high: v128): void {
  const bin = axisBins + (<usize>(number & (BIN_COUNT - 1)) << BIN_SHIFT);
  v128.store(bin, least(load4(bin), low));
  v128.store(bin, most(load4(bin, 16), high), 16);
  store<u32>(bin, load<u32>(bin, COUNT) + 1, COUNT);
}

/** Adds the records from `at` up to `last`, 32 bytes each. */
export function fillBins(bins: usize, at: usize, last: usize, offset: v128, scale: v128, binCount: u32): void {
  const top = splat(<f32>(binCount - 1));
  const binsY = bins + AXIS_BYTES, binsZ = bins + 2 * AXIS_BYTES;
  for (; at < last; at += 32) {
    const low = load4(at), high = load4(at, 16);
    const numbers = binsOf(low, high, offset, scale, top);
    addToBin(bins, i32x4.extract_lane(numbers, 0), low, high);
    addToBin(binsY, i32x4.extract_lane(numbers, 1), low, high);
    addToBin(binsZ, i32x4.extract_lane(numbers, 2), low, high);
  }
}

/** As fillBins, on one axis; the bins of the others must be clear, and are again. */
export function fillAxisBins(bins: usize, at: usize, last: usize, offset: v128, scale: v128, binCount: u32, axis: u32): void {
  const top = splat(<f32>(binCount - 1)), lane = <usize>axis << 2;
  store<f32>(bins, laneOf(offset, axis), CHOICE);
  store<f32>(bins, laneOf(scale, axis), CHOICE + 4);
  const from = v128.load32_splat(bins, CHOICE), factor = v128.load32_splat(bins, CHOICE + 4);
  // Neighbours share bins: every other record goes to bins of its own, so that one need not wait for the other's.
  const axisBins = bins + <usize>axis * AXIS_BYTES, spare = bins + <usize>(axis == 0 ? 1 : 0) * AXIS_BYTES;
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
  const binBytes = <usize>binCount << BIN_SHIFT;
  mergeBins(axisBins, spare, binBytes);
  clearAxis(spare, binBytes);
}

function laneOf(x: v128, lane: u32): f32 {
  return lane == 0 ? f32x4.extract_lane(x, 0) : lane == 1 ? f32x4.extract_lane(x, 1) : f32x4.extract_lane(x, 2);
}

/** The axis on which two corners are furthest apart. */
export function widestAxis(low: v128, high: v128): u32 {
  const extent = sub(high, low);
  const x = f32x4.extract_lane(extent, 0), y = f32x4.extract_lane(extent, 1), z = f32x4.extract_lane(extent, 2);
  return x >= y ? (x >= z ? 0 : 2) : (y >= z ? 1 : 2);
}

/** Adds the bins at `from` to those at `bins`. */
export function mergeBins(bins: usize, from: usize, bytes: usize = 3 * AXIS_BYTES): void {
  for (const last = bins + bytes; bins < last; bins += BIN_BYTES, from += BIN_BYTES) {
    v128.store(bins, least(load4(bins), load4(from)));
    v128.store(bins, most(load4(bins, 16), load4(from, 16)), 16);
    store<u32>(bins, load<u32>(bins, COUNT) + load<u32>(from, COUNT), COUNT);
  }
}

/** Records in bins below `bin` on `axis`. */
export function countBelow(bins: usize, axis: u32, bin: u32): u32 {
  let count: u32 = 0;
  for (let at = bins + <usize>axis * AXIS_BYTES, last = at + (<usize>bin << BIN_SHIFT); at < last; at += BIN_BYTES) count += load<u32>(at, COUNT);
  return count;
}

/** Half the surface of a box whose extents are each a little enlarged, so that a line has one too. */
// @ts-ignore: decorator
@inline export function halfArea(low: v128, high: v128, margin: v128): f32 {
  const extent = add(sub(high, low), margin);
  const products = mul(extent, v128.shuffle<f32>(extent, extent, 1, 2, 0, 3));
  return f32x4.extract_lane(products, 0) + f32x4.extract_lane(products, 1) + f32x4.extract_lane(products, 2);
}

/** A 512th of the greatest extent of a box. */
export function marginOf(low: v128, high: v128): v128 {
  const extent = sub(high, low);
  const greatest = max(f32x4.extract_lane(extent, 0), max(f32x4.extract_lane(extent, 1), f32x4.extract_lane(extent, 2)));
  return splat(greatest * 0.001953125);
}

// Of four sides at once.
// @ts-ignore: decorator
@inline function leavesFor(counts: v128): v128 { return f32x4.convert_i32x4_s(i32x4.shr_s(i32x4.add(counts, i32x4.splat(3)), 2)); }

// Counts of the bins at `at` on the three axes; the last lane repeats.
// @ts-ignore: decorator
@inline function countsOf(at: usize): v128 {
  const z = v128.load32_splat(at, COUNT + 2 * AXIS_BYTES);
  return v128.load_lane<u32>(at, v128.load_lane<u32>(at, z, 0, COUNT), 1, COUNT + AXIS_BYTES);
}

// Extents xyz_ of a box on each of three axes -> their halfAreas; the last lane repeats.
// @ts-ignore: decorator
@inline function halfAreas(ex: v128, ey: v128, ez: v128): v128 {
  const first = v128.shuffle<f32>(ex, ey, 0, 4, 1, 5), last = v128.shuffle<f32>(ez, ez, 0, 4, 1, 5);
  const x = v128.shuffle<f32>(first, last, 0, 1, 4, 5), y = v128.shuffle<f32>(first, last, 2, 3, 6, 7);
  const z = v128.shuffle<f32>(v128.shuffle<f32>(ex, ey, 2, 6, 3, 7), v128.shuffle<f32>(ez, ez, 2, 6, 3, 7), 0, 1, 4, 5);
  return add(add(mul(x, y), mul(y, z)), mul(z, x));
}

// @ts-ignore: decorator
@inline function extentOf(low: v128, high: v128, margin: v128): v128 { return add(sub(high, low), margin); }

// What the right sides of splits below each bin cost, on three axes.
function weighRight(bins: usize, binCount: u32, margin: v128): void {
  let xLow = splat(Infinity), yLow = xLow, zLow = xLow, xHigh = splat(-Infinity), yHigh = xHigh, zHigh = xHigh;
  let counts = i32x4.splat(0);
  for (let at = bins + (<usize>(binCount - 1) << BIN_SHIFT), to = bins + RIGHT_COSTS + (<usize>(binCount - 1) << 4); at > bins; at -= BIN_BYTES, to -= 16) {
    xLow = least(xLow, load4(at)); xHigh = most(xHigh, load4(at, 16));
    yLow = least(yLow, load4(at, AXIS_BYTES)); yHigh = most(yHigh, load4(at, AXIS_BYTES + 16));
    zLow = least(zLow, load4(at, 2 * AXIS_BYTES)); zHigh = most(zHigh, load4(at, 2 * AXIS_BYTES + 16));
    counts = i32x4.add(counts, countsOf(at));
    v128.store(to, mul(halfAreas(extentOf(xLow, xHigh, margin), extentOf(yLow, yHigh, margin), extentOf(zLow, zHigh, margin)), leavesFor(counts)));
  }
}

/**
 * Left count of the cheapest split, of equal ones the evenest, 0 where all centroids share a bin on every axis (an axis
 * without records is none). Then splitAxis, splitBin and the boxes of both sides can be read.
 */
export function chooseSplit(bins: usize, binCount: u32, count: u32, margin: v128): u32 {
  weighRight(bins, binCount, margin);
  let xLow = splat(Infinity), yLow = xLow, zLow = xLow, xHigh = splat(-Infinity), yHigh = xHigh, zHigh = xHigh;
  let counts = i32x4.splat(0), best = splat(Infinity), unevenness = i32x4.splat(count), bestLeft = counts, bestBin = counts;
  for (let bin: u32 = 1; bin < binCount; bin++) {
    const at = bins + (<usize>(bin - 1) << BIN_SHIFT);
    xLow = least(xLow, load4(at)); xHigh = most(xHigh, load4(at, 16));
    yLow = least(yLow, load4(at, AXIS_BYTES)); yHigh = most(yHigh, load4(at, AXIS_BYTES + 16));
    zLow = least(zLow, load4(at, 2 * AXIS_BYTES)); zHigh = most(zHigh, load4(at, 2 * AXIS_BYTES + 16));
    counts = i32x4.add(counts, countsOf(at));
    const areas = halfAreas(extentOf(xLow, xHigh, margin), extentOf(yLow, yHigh, margin), extentOf(zLow, zHigh, margin));
    // An empty side makes this NaN (infinite extent times no leaves), which is never less.
    const cost = add(mul(areas, leavesFor(counts)), load4(bins + (<usize>bin << 4), RIGHT_COSTS));
    const uneven = i32x4.abs(i32x4.sub(i32x4.add(counts, counts), i32x4.splat(count)));
    const isBetter = v128.or(lt(cost, best), v128.and(f32x4.eq(cost, best), i32x4.lt_s(uneven, unevenness)));
    best = v128.bitselect(cost, best, isBetter);
    unevenness = v128.bitselect(uneven, unevenness, isBetter);
    bestLeft = v128.bitselect(counts, bestLeft, isBetter);
    bestBin = v128.bitselect(i32x4.splat(bin), bestBin, isBetter);
  }
  let axis: u32 = 0, bin = <u32>i32x4.extract_lane(bestBin, 0), left = <u32>i32x4.extract_lane(bestLeft, 0);
  let cost = f32x4.extract_lane(best, 0), uneven = i32x4.extract_lane(unevenness, 0);
  const yCost = f32x4.extract_lane(best, 1), yUneven = i32x4.extract_lane(unevenness, 1);
  if (yCost < cost || (yCost == cost && yUneven < uneven)) {
    axis = 1; bin = i32x4.extract_lane(bestBin, 1); left = i32x4.extract_lane(bestLeft, 1); cost = yCost; uneven = yUneven;
  }
  const zCost = f32x4.extract_lane(best, 2);
  if (zCost < cost || (zCost == cost && i32x4.extract_lane(unevenness, 2) < uneven)) {
    axis = 2; bin = i32x4.extract_lane(bestBin, 2); left = i32x4.extract_lane(bestLeft, 2);
  }
  store<u32>(bins, axis, CHOICE);
  store<u32>(bins, bin, CHOICE + 4);
  joinBins(bins + <usize>axis * AXIS_BYTES, 0, bin, bins + CHOICE + 16);
  joinBins(bins + <usize>axis * AXIS_BYTES, bin, binCount, bins + CHOICE + 48);
  return left;
}

function joinBins(axisBins: usize, begin: u32, end: u32, to: usize): void {
  let low = splat(Infinity), high = splat(-Infinity);
  for (let bin = begin; bin < end; bin++) {
    low = least(low, load4(axisBins + (<usize>bin << BIN_SHIFT)));
    high = most(high, load4(axisBins + (<usize>bin << BIN_SHIFT), 16));
  }
  v128.store(to, low);
  v128.store(to, high, 16);
}

export function splitAxis(bins: usize): u32 { return load<u32>(bins, CHOICE); }
export function splitBin(bins: usize): u32 { return load<u32>(bins, CHOICE + 4); }
export function leftLow(bins: usize): v128 { return load4(bins, CHOICE + 16); }
export function leftHigh(bins: usize): v128 { return load4(bins, CHOICE + 32); }
export function rightLow(bins: usize): v128 { return load4(bins, CHOICE + 48); }
export function rightHigh(bins: usize): v128 { return load4(bins, CHOICE + 64); }
