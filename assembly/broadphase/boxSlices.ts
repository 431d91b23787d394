// Which boxes a slice has, and which pairs of them are wanted: the same for slabs and for octants.
import { BYSTANDER, FIRST_SET, NOTHING, SECOND_SET } from '../records';

/** First box of a slice, of first <= i < last dealt over sliceCount slices. */
export function sliceStart(first: u32, last: u32, sliceCount: u32, slice: u64): u32 {
  return first + <u32>((slice * (last - first)) / sliceCount);
}

/**
 * A box's flags: two boxes that share one are no pair. Of two sets a bystander of the first is out of both.
 */
export function flagsOf(id: u32, secondFrom: u32, bystandersFrom: u32): u32 {
  const isBystander = id >= bystandersFrom;
  if (secondFrom == NOTHING) return isBystander ? BYSTANDER : 0;
  return id >= secondFrom ? SECOND_SET : isBystander ? FIRST_SET | SECOND_SET : FIRST_SET;
}

/** The first of first < i <= end whose flags may be others than those of `first`. */
export function sameFlagsUntil(first: u32, end: u32, secondFrom: u32, bystandersFrom: u32): u32 {
  return min(end, min(secondFrom > first ? secondFrom : end, bystandersFrom > first ? bystandersFrom : end));
}
