// Computes the cells of a moved box: the grid cells that may contain the min corner of a small box that
// overlaps the moved box. A box counts as small if it is at most as large as the job's `reach` on each axis.
// Also hashes and marks cells.

import { MovedHashJob } from '../../records';
import { load4, max4, mul, splat, sub } from '../../simd/lanes';
import { maxCornerOf, minCornerOf } from '../boxLoad';
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
