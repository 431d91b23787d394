// A box -> the octants that hold it, by direct calculation: the finest level at which it reaches at most two cells an axis
// (Lucchesi s6.2, where the thesis searches a tree).
import { isBox, highOf, lowOf } from './boxLoad';
import { sliceStart } from './boxSlices';
import { OCTREE_CELLS, OCTREE_LEVELS, OctreeJob } from './layout';

const STARTS_BYTES: usize = 4 * (<usize>OCTREE_CELLS + 1);

/** Cells of the least and the greatest corner, 10 bits an axis, x lowest. */
export function cellsOf(job: usize, corner: usize): u32 {
  return cellOf(job, corner, 0) | (cellOf(job, corner, 1) << 10) | (cellOf(job, corner, 2) << 20);
}

/** The finest cell that a coordinate lies in: the last whose start is not above it. */
function cellOf(job: usize, corner: usize, axis: usize): u32 {
  const starts = <usize>load<u32>(job, OctreeJob.startsAt) + axis * STARTS_BYTES;
  const x = load<f32>(corner + (axis << 2));
  const guess = <i32>((<f64>x - <f64>load<f32>(starts)) * <f64>load<f32>(job + (axis << 2), OctreeJob.scale));
  let at = starts + (<usize>max(0, min(guess, <i32>OCTREE_CELLS - 1)) << 2);
  // The last start is infinite, the first is the least of all coordinates.
  while (x < load<f32>(at)) at -= 4;
  while (x >= load<f32>(at, 4)) at += 4;
  return <u32>((at - starts) >> 2);
}

/** Levels above the finest at which a box of these cells reaches at most two an axis. */
// @ts-ignore: decorator
@inline export function rise(low: u32, high: u32): u32 {
  const widest = max((high & 1023) - (low & 1023), max(((high >> 10) & 1023) - ((low >> 10) & 1023), (high >> 20) - (low >> 20)));
  return widest <= 1 ? 0 : 32 - clz(widest - 1);
}

/** 1 for each axis on which the box reaches a second cell at that level: bit 0 for x. */
// @ts-ignore: decorator
@inline export function second(low: u32, high: u32, up: u32): u32 {
  const x = ((high & 1023) >> up) - ((low & 1023) >> up), y = (((high >> 10) & 1023) >> up) - (((low >> 10) & 1023) >> up), z = (high >> 20 >> up) - (low >> 20 >> up);
  return x | (y << 1) | (z << 2);
}

// Bits 0 to 8 -> every third bit.
// @ts-ignore: decorator
@inline function spread(x: u32): u32 {
  x = (x | (x << 16)) & 0x030000ff;
  x = (x | (x << 8)) & 0x0300f00f;
  x = (x | (x << 4)) & 0x030c30c3;
  return (x | (x << 2)) & 0x09249249;
}

/** The octal code of the cell x, y, z of level `up` above the finest, in finest cells; below it the level, the root least: sorted, codes are the pre-order walk. */
// @ts-ignore: decorator
@inline export function keyOf(x: u32, y: u32, z: u32, up: u32): u32 {
  return (((spread(x << up) << 2) | (spread(y << up) << 1) | spread(z << up)) << 4) | (OCTREE_LEVELS - up);
}

/** Is it a box at all? */
// @ts-ignore: decorator
@inline export function isThere(box: usize): bool { return isBox(lowOf(box), highOf(box)); }

/** First box of a slice. */
// @ts-ignore: decorator
@inline export function sliceFrom(job: usize, slice: u64): u32 {
  return sliceStart(load<u32>(job, OctreeJob.first), load<u32>(job, OctreeJob.last), load<u32>(job, OctreeJob.sliceCount), slice);
}
