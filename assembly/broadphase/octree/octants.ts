// A box -> the octants that hold it, by direct calculation: the finest level at which it reaches at most two
// cells an axis (Lucchesi s6.2, where the thesis searches a tree).

import { LEVEL_BITS, OCTREE_CELLS, OCTREE_LEVELS, OctreeJob } from '../../records';
import { highOf, isBox, lowOf } from '../boxLoad';
import { sliceStart } from '../boxSlices';

export const STARTS_BYTES: usize = 4 * (<usize>OCTREE_CELLS + 1);
/** Greater than every key, also as a signed number. */
export const AFTER_ALL: u32 = 0x7fffffff;
// A cell of 10 bits on each of three axes.
const EVERY_AXIS: u32 = 1 | (1 << 10) | (1 << 20);
const IS_THERE: u32 = 128;

/**
 * A box's octants: cells of the least at its level, 10 bits an axis, x lowest; in the high word how far the
 * level is above the finest, 1 << (4 + axis) where there is a second cell. An empty box: 0.
 */
export function octantsOf(job: usize, box: usize): u64 {
  if (!isThere(box)) return 0;
  const low = cellsOf(job, box);
  const high = cellsOf(job, box + 12);
  const up = rise(low, high);
  return (
    <u64>((low >> up) & ((1023 >> up) * EVERY_AXIS)) |
    ((<u64>(up | (second(low, high, up) << 4) | IS_THERE)) << 32)
  );
}

/** How far a box's octants are above the finest, and on which axes there is a second cell. */
export function upOf(octants: u64): u32 {
  return <u32>(octants >> 32) & 15;
}
export function secondOf(octants: u64): u32 {
  return (<u32>(octants >> 32) >> 4) & 7;
}
export function octantCountOf(octants: u64): u32 {
  return octants == 0 ? 0 : 1 << popcnt(secondOf(octants));
}

// Cells of a corner, 10 bits an axis, x lowest.
function cellsOf(job: usize, corner: usize): u32 {
  return cellOf(job, corner, 0) | (cellOf(job, corner, 1) << 10) | (cellOf(job, corner, 2) << 20);
}

// The finest cell that a coordinate lies in: the last whose start is not above it. What lies outside of the
// grid is in a cell at its border.
function cellOf(job: usize, corner: usize, axis: usize): u32 {
  const starts = <usize>load<u32>(job, OctreeJob.startsAt) + axis * STARTS_BYTES;
  const x = load<f32>(corner + (axis << 2));
  const guess =
    (<f64>x - <f64>load<f32>(job + (axis << 2), OctreeJob.origin)) *
    <f64>load<f32>(job + (axis << 2), OctreeJob.scale);
  let at = starts + ((<usize>max(0, min(guess, <f64>OCTREE_CELLS - 1))) << 2);
  // The first start and the last are infinite.
  while (x < load<f32>(at)) at -= 4;
  while (x >= load<f32>(at, 4)) at += 4;
  return <u32>((at - starts) >> 2);
}

// Levels above the finest at which a box of these cells reaches at most two an axis.
function rise(low: u32, high: u32): u32 {
  const widest = max(
    (high & 1023) - (low & 1023),
    max(((high >> 10) & 1023) - ((low >> 10) & 1023), (high >> 20) - (low >> 20)),
  );
  return widest <= 1 ? 0 : 32 - clz(widest - 1);
}

// 1 for each axis on which the box reaches a second cell at that level: bit 0 for x.
function second(low: u32, high: u32, up: u32): u32 {
  const x = ((high & 1023) >> up) - ((low & 1023) >> up);
  const y = (((high >> 10) & 1023) >> up) - (((low >> 10) & 1023) >> up);
  const z = ((high >> 20) >> up) - ((low >> 20) >> up);
  return x | (y << 1) | (z << 2);
}

// Bits 0 to 8 -> every third bit.
function spread(x: u32): u32 {
  x = (x | (x << 16)) & 0x030000ff;
  x = (x | (x << 8)) & 0x0300f00f;
  x = (x | (x << 4)) & 0x030c30c3;
  return (x | (x << 2)) & 0x09249249;
}

/**
 * The octal code of the cell x, y, z of level `up` above the finest, in finest cells; below it the level, the
 * root least: sorted, codes are the pre-order walk.
 */
export function keyOf(x: u32, y: u32, z: u32, up: u32): u32 {
  return (((spread(x << up) << 2) | (spread(y << up) << 1) | spread(z << up)) << 4) | (OCTREE_LEVELS - up);
}

/** The greatest number that may be a key of an octant's descendants; less than AFTER_ALL. */
export function endOf(key: u32): u32 {
  return (
    (((key >> LEVEL_BITS) + (1 << (3 * (OCTREE_LEVELS - (key & ((1 << LEVEL_BITS) - 1)))))) << LEVEL_BITS) - 2
  );
}

// Is it a box at all?
function isThere(box: usize): bool {
  return isBox(lowOf(box), highOf(box));
}

/** First box of a slice. */
export function sliceFrom(job: usize, slice: u64): u32 {
  return sliceStart(
    load<u32>(job, OctreeJob.first),
    load<u32>(job, OctreeJob.last),
    load<u32>(job, OctreeJob.sliceCount),
    slice,
  );
}

/** First octant of a slice of the sorted ones. */
export function octantFrom(job: usize, slice: u64): u32 {
  return sliceStart(0, load<u32>(job, OctreeJob.octantCount), load<u32>(job, OctreeJob.sliceCount), slice);
}
