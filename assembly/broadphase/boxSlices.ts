// Splits boxes into slices for threads, and computes the flags of boxes. Flags exclude pairs: for example,
// passive boxes are tested only against boxes that are not passive.
import { FIRST_SET, NOTHING, PASSIVE, SECOND_SET } from '../records';

/**
 * Divides the boxes from `first` to last - 1 into sliceCount slices. Returns the index of the first box of a
 * slice.
 */
export function sliceStart(first: u32, last: u32, sliceCount: u32, slice: u64): u32 {
  return first + <u32>((slice * (last - first)) / sliceCount);
}

/**
 * Returns the flags of a box. Two boxes with a common flag are not reported as a pair. If there is one set of
 * boxes, two passive boxes form no pair. If there are two sets, two boxes of the same set form no pair, and a
 * passive box of the first set forms no pair at all.
 */
export function flagsOf(id: u32, secondFrom: u32, passiveFrom: u32): u32 {
  const isPassive = id >= passiveFrom;
  if (secondFrom == NOTHING) return isPassive ? PASSIVE : 0;
  return id >= secondFrom ? SECOND_SET : isPassive ? FIRST_SET | SECOND_SET : FIRST_SET;
}

/**
 * Returns an index i, first < i <= end, such that the boxes from `first` to i - 1 all have the same flags.
 */
export function sameFlagsUntil(first: u32, end: u32, secondFrom: u32, passiveFrom: u32): u32 {
  return min(end, min(secondFrom > first ? secondFrom : end, passiveFrom > first ? passiveFrom : end));
}
