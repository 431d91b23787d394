// Pushes pairs of boxes onto a stack, without a branch in the code. A box is given by its number: a handle, a
// slot or a record number. The stack consists of two arrays: one for the first number of each pair, and one for
// the second.
import { BATCH } from '../records';

/**
 * Byte offsets in a batch of box pairs. The numbers (handles or slots) of the first boxes begin at offset 0,
 * the numbers of the second boxes at BATCH_B, and the masks of overlapping children at BATCH_MASK.
 */
export const BATCH_B: usize = 4 * <usize>BATCH;
export const BATCH_MASK: usize = 8 * <usize>BATCH;

/**
 * Pushes one pair for each lane of `handles` that `mask` selects: the lane and `other`. The lanes go to the
 * first array, whose top is at `top`, and copies of `other` to the second array, whose top is at
 * `top + stride`. Always overwrites 16 bytes of each array. table: for each mask, a shuffle of 16 bytes that
 * moves the selected lanes to the front. Returns the new top of the first array.
 */
export function push(table: usize, mask: i32, top: usize, stride: usize, handles: v128, other: u32): usize {
  v128.store(top, i8x16.swizzle(handles, v128.load(table + ((<usize>mask) << 4))));
  v128.store(top + stride, i32x4.splat(other));
  return top + ((<usize>popcnt(mask)) << 2);
}

/** Like push with the arrays exchanged: `other` goes to the first array and the lanes to the second. */
export function pushSwapped(
  table: usize,
  mask: i32,
  top: usize,
  stride: usize,
  other: u32,
  handles: v128,
): usize {
  v128.store(top, i32x4.splat(other));
  v128.store(top + stride, i8x16.swizzle(handles, v128.load(table + ((<usize>mask) << 4))));
  return top + ((<usize>popcnt(mask)) << 2);
}
