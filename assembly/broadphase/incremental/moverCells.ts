// A box that moved -> the cells in which a box may start that overlaps it and is no larger than `reach`.

import { MeetJob } from '../../records';
import { load4, most, mul, splat, sub } from '../../simd/lanes';
import { highOf, lowOf } from '../boxLoad';
import { cells4 } from '../cells';

// A box's true size is at most this much more than its rounded one.
export const ROUNDED: f32 = 1.000001;
const HASH: u32 = 0x9e3779b1;

/** Numbers of the first cell on each axis, and of the last. */
export function firstCells(job: usize, box: usize): v128 {
  const reach = mul(load4(job, MeetJob.reach), splat(ROUNDED));
  return cells4(
    most(sub(lowOf(box), reach), load4(job, MeetJob.low)),
    load4(job, MeetJob.origin),
    load4(job, MeetJob.scale),
  );
}
export function lastCells(job: usize, box: usize): v128 {
  return cells4(highOf(box), load4(job, MeetJob.origin), load4(job, MeetJob.scale));
}

/** A cell as one number; there are 2^10 an axis at most. */
export function cellOf(x: u32, y: u32, z: u32): u32 {
  return (x << 20) | (y << 10) | z;
}
/** Address of a cell's bucket. */
export function bucketOf(buckets: usize, cell: u32, hashShift: u32): usize {
  return buckets + ((<usize>((cell * HASH) >> hashShift)) << 2);
}

/** Two marks a bucket: a cell shares one with few others. */
export function mark(marks: usize, cell: u32, hashShift: u32): void {
  const at = (cell * HASH) >> (hashShift - 1);
  const byte = marks + <usize>(at >> 3);
  store<u8>(byte, <u8>(<u32>load<u8>(byte) | ((<u32>1) << (at & 7))));
}
export function isMarked(marks: usize, cell: u32, hashShift: u32): u32 {
  const at = (cell * HASH) >> (hashShift - 1);
  return (<u32>load<u8>(marks + <usize>(at >> 3)) >> (at & 7)) & 1;
}
