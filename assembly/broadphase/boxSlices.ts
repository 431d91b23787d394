// Splits boxes into slices for threads, and computes the flags that exclude pairs.
import { FIRST_SET, NOTHING, PASSIVE, SECOND_SET } from '../records';

/** Returns the first box of a slice, where boxes first <= i < last are divided into sliceCount slices. */
export function sliceStart(first: u32, last: u32, sliceCount: u32, slice: u64): u32 {
  return first + <u32>((slice * (last - first)) / sliceCount);
}

/**
 * Returns a box's flags: two boxes that share a flag are not reported as a pair. Passive boxes form no pairs
 * among themselves; with two sets, a passive box of the first set forms no pairs at all.
 */
export function flagsOf(id: u32, secondFrom: u32, passiveFrom: u32): u32 {
  const isPassive = id >= passiveFrom;
  if (secondFrom == NOTHING) return isPassive ? PASSIVE : 0;
  return id >= secondFrom ? SECOND_SET : isPassive ? FIRST_SET | SECOND_SET : FIRST_SET;
}

/** Returns the first index i, first < i <= end, at which the flags may change. */
export function sameFlagsUntil(first: u32, end: u32, secondFrom: u32, passiveFrom: u32): u32 {
  return min(end, min(secondFrom > first ? secondFrom : end, passiveFrom > first ? passiveFrom : end));
}
