// Computes the octants (octree cells) of a box from its corners. All octants of a box are at one level of the
// octree. Let n be the largest number of cells of the finest level that the box spans on an axis. The level of
// the octants is the finest level at which a box that spans n of these cells on every axis overlaps at most two
// cells per axis, wherever it starts. (Lucchesi, section 6.2, searches a tree instead.)

import { LEVEL_BITS, OCTREE_CELLS, OCTREE_LEVELS, OctreeJob } from '../../records';
import { isNonEmpty, maxCornerOf, minCornerOf } from '../boxLoad';
import { sliceStart } from '../boxSlices';

export const STARTS_BYTES: usize = 4 * (<usize>OCTREE_CELLS + 1);
/** Greater than every key, in unsigned and in signed comparisons. */
export const AFTER_ALL: u32 = 0x7fffffff;
// Multiplying a number of at most 10 bits by this factor copies the number to the 10 bits of each axis.
const EVERY_AXIS: u32 = 1 | (1 << 10) | (1 << 20);
const NON_EMPTY_BIT: u32 = 128;

/**
 * Returns a box's octants packed into one number, or 0 for an empty box. Low word: the cell numbers of the
 * first octant at its level, 10 bits per axis, x in the lowest bits. High word: bits 0 to 3 hold how many
 * levels the octants are above the finest level; bit 4 + axis is set if the box reaches a second cell on that
 * axis; bit 7 is always set.
 */
export function octantsOf(job: usize, box: usize): u64 {
  if (!isNonEmptyBox(box)) return 0;
  const low = cellsOf(job, box);
  const high = cellsOf(job, box + 12);
  const up = levelsUp(low, high);
  return (
    <u64>((low >> up) & ((1023 >> up) * EVERY_AXIS)) |
    ((<u64>(up | (second(low, high, up) << 4) | NON_EMPTY_BIT)) << 32)
  );
}

/** Returns how many levels a box's octants are above the finest level. */
export function levelsUpOf(octants: u64): u32 {
  return <u32>(octants >> 32) & 15;
}
/** Returns a bit for each axis on which a box reaches a second cell: bit 0 for x. */
export function secondCellAxesOf(octants: u64): u32 {
  return (<u32>(octants >> 32) >> 4) & 7;
}
export function octantCountOf(octants: u64): u32 {
  return octants == 0 ? 0 : 1 << popcnt(secondCellAxesOf(octants));
}

// Returns the numbers of the finest cell that contains a corner: 10 bits per axis, x in the lowest bits.
function cellsOf(job: usize, corner: usize): u32 {
  return cellOf(job, corner, 0) | (cellOf(job, corner, 1) << 10) | (cellOf(job, corner, 2) << 20);
}

// Returns the number of the finest cell that contains a coordinate: the last cell whose start is at most the
// coordinate. Coordinates outside the grid belong to the first or the last cell.
function cellOf(job: usize, corner: usize, axis: usize): u32 {
  const starts = <usize>load<u32>(job, OctreeJob.startsAt) + axis * STARTS_BYTES;
  const x = load<f32>(corner + (axis << 2));
  const estimate =
    (<f64>x - <f64>load<f32>(job + (axis << 2), OctreeJob.origin)) *
    <f64>load<f32>(job + (axis << 2), OctreeJob.scale);
  let at = starts + ((<usize>max(0, min(estimate, <f64>OCTREE_CELLS - 1))) << 2);
  // Terminates, since the first and the last start are infinite.
  while (x < load<f32>(at)) at -= 4;
  while (x >= load<f32>(at, 4)) at += 4;
  return <u32>((at - starts) >> 2);
}

// Returns how many levels a box's octants are above the finest level: the smallest number for which a box of
// this width overlaps at most two cells per axis, wherever it starts. low, high: the finest cells of the box's
// corners. Only the differences between them matter.
function levelsUp(low: u32, high: u32): u32 {
  const widest = max(
    (high & 1023) - (low & 1023),
    max(((high >> 10) & 1023) - ((low >> 10) & 1023), (high >> 20) - (low >> 20)),
  );
  return widest <= 1 ? 0 : 32 - clz(widest - 1);
}

// Returns a bit for each axis on which the box reaches a second cell of the level that is `up` levels above
// the finest: bit 0 for x.
function second(low: u32, high: u32, up: u32): u32 {
  const x = ((high & 1023) >> up) - ((low & 1023) >> up);
  const y = (((high >> 10) & 1023) >> up) - (((low >> 10) & 1023) >> up);
  const z = ((high >> 20) >> up) - ((low >> 20) >> up);
  return x | (y << 1) | (z << 2);
}

// Moves bits 0 to 8 to bits 0, 3, 6, ..., 24.
function spread(x: u32): u32 {
  x = (x | (x << 16)) & 0x030000ff;
  x = (x | (x << 8)) & 0x0300f00f;
  x = (x | (x << 4)) & 0x030c30c3;
  return (x | (x << 2)) & 0x09249249;
}

/**
 * Returns the sort key of the octree cell (x, y, z) at the level that is `up` levels above the finest. The
 * lowest four bits of the key hold the cell's level, counted from 0 at the root. The bits above them hold the
 * Morton code of the first of the finest cells inside this cell. Sorting by key puts the cells in pre-order.
 */
export function keyOf(x: u32, y: u32, z: u32, up: u32): u32 {
  return (((spread(x << up) << 2) | (spread(y << up) << 1) | spread(z << up)) << 4) | (OCTREE_LEVELS - up);
}

/**
 * Returns an upper bound of the keys of an octant and its descendants. The bound is less than AFTER_ALL, and
 * less than the key of any octant that follows them in the sorted order.
 */
export function maxKeyWithin(key: u32): u32 {
  return (
    (((key >> LEVEL_BITS) + (1 << (3 * (OCTREE_LEVELS - (key & ((1 << LEVEL_BITS) - 1)))))) << LEVEL_BITS) - 2
  );
}

// Returns whether a box is not empty.
function isNonEmptyBox(box: usize): bool {
  return isNonEmpty(minCornerOf(box), maxCornerOf(box));
}

/** Returns the first box of a slice. */
export function sliceFrom(job: usize, slice: u64): u32 {
  return sliceStart(
    load<u32>(job, OctreeJob.first),
    load<u32>(job, OctreeJob.last),
    load<u32>(job, OctreeJob.sliceCount),
    slice,
  );
}

/** Returns the index of the first sorted octant of a slice. */
export function octantFrom(job: usize, slice: u64): u32 {
  return sliceStart(0, load<u32>(job, OctreeJob.octantCount), load<u32>(job, OctreeJob.sliceCount), slice);
}
