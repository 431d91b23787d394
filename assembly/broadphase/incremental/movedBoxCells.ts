// Computes the cells of boxes in the hash grid of moved boxes. A box counts as small if it is at most as large
// as the job's `reach` on each axis. The cell of a small box is the cell that contains its min corner. The
// cells of a moved box are all cells in which a small box that overlaps it may have its min corner. Also hashes
// and marks cells.

import { EMPTY_BOX, LARGE_BOX, MovedHashJob } from '../../records';
import { gt, load4, maskBits, max4, mul, splat, sub } from '../../simd/lanes';
import { isNonEmpty, maxCornerOf, minCornerOf } from '../boxLoad';
import { cells4 } from '../cells';

// The exact size of a box is at most this factor times its rounded size.
export const ROUNDING_FACTOR: f32 = 1.000001;
const HASH: u32 = 0x9e3779b1;

/** Returns, for each axis, the lowest index of the cells of the moved box at address `box`. */
export function firstCells(job: usize, box: usize): v128 {
  const reach = mul(load4(job, MovedHashJob.reach), splat(ROUNDING_FACTOR));
  return cells4(
    max4(sub(minCornerOf(box), reach), load4(job, MovedHashJob.low)),
    load4(job, MovedHashJob.origin),
    load4(job, MovedHashJob.scale),
  );
}
/** Returns, for each axis, the highest index of the cells of the moved box at address `box`. */
export function lastCells(job: usize, box: usize): v128 {
  return cells4(maxCornerOf(box), load4(job, MovedHashJob.origin), load4(job, MovedHashJob.scale));
}

/**
 * Returns the cell of the box at address `box`, LARGE_BOX if the box is not small, or EMPTY_BOX if the box is
 * empty.
 */
export function cellOfBox(job: usize, box: usize): u32 {
  const low = minCornerOf(box);
  const high = maxCornerOf(box);
  if (!isNonEmpty(low, high)) return EMPTY_BOX;
  if ((maskBits(gt(sub(high, low), load4(job, MovedHashJob.reach))) & 7) != 0) return LARGE_BOX;
  const cells = cells4(low, load4(job, MovedHashJob.origin), load4(job, MovedHashJob.scale));
  return cellOf(i32x4.extract_lane(cells, 0), i32x4.extract_lane(cells, 1), i32x4.extract_lane(cells, 2));
}

/** Packs the indices of a cell on the three axes into one number. An axis has at most 2^10 cells. */
export function cellOf(x: u32, y: u32, z: u32): u32 {
  return (x << 20) | (y << 10) | z;
}
/** Returns the address of a cell's bucket. */
export function bucketOf(buckets: usize, cell: u32, hashShift: u32): usize {
  return buckets + ((<usize>((cell * HASH) >> hashShift)) << 2);
}

/** Marks a cell that has entries. There are two bits per bucket, so few cells share a mark. */
export function mark(marks: usize, cell: u32, hashShift: u32): void {
  const at = (cell * HASH) >> (hashShift - 1);
  const byte = marks + <usize>(at >> 3);
  store<u8>(byte, <u8>(<u32>load<u8>(byte) | ((<u32>1) << (at & 7))));
}
/**
 * Returns 1 if a cell may have entries, or 0 if it has none. The result may be 1 for a cell without entries,
 * because another cell can share its mark.
 */
export function isMarked(marks: usize, cell: u32, hashShift: u32): u32 {
  const at = (cell * HASH) >> (hashShift - 1);
  return (<u32>load<u8>(marks + <usize>(at >> 3)) >> (at & 7)) & 1;
}
