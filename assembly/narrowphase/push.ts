// Pushes the lanes of a vector that a mask selects onto a stack of two arrays, without a branch.
import { BATCH } from '../records';

/**
 * Byte offsets in a batch of box pairs. The numbers (handles or slots) of the first boxes begin at 0, those
 * of the second boxes at BATCH_B, and the masks at BATCH_MASK.
 */
export const BATCH_B: usize = 4 * <usize>BATCH;
export const BATCH_MASK: usize = 8 * <usize>BATCH;

/**
 * Stores the lanes of `handles` that `mask` selects, one after the other, from `top` on. Stores as many
 * copies of `other` from `top + stride` on, where the second array has its top. Overwrites 16 bytes of each
 * array. table: a shuffle of 16 bytes for each mask. Returns the new top of the first array.
 */
export function push(table: usize, mask: i32, top: usize, stride: usize, handles: v128, other: u32): usize {
  v128.store(top, i8x16.swizzle(handles, v128.load(table + ((<usize>mask) << 4))));
  v128.store(top + stride, i32x4.splat(other));
  return top + ((<usize>popcnt(mask)) << 2);
}

/** The same as push with the arrays exchanged. */
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
