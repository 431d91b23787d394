// Encodes the endpoints of boxes on an axis as 64-bit integers that can be sorted. The high word is the
// coordinate. The highest bit of the low word is set for a max endpoint; the other bits are the index of the
// box. At equal coordinates, min endpoints sort before max endpoints, so boxes that touch also overlap.

export const MAX_BIT: u64 = 0x80000000;
const ID_BITS: u64 = 0x7fffffff;

/**
 * Returns the index of an endpoint's box. The index has 31 bits: a box takes 24 bytes, so fewer than 2^31
 * boxes fit in memory.
 */
export function boxOf(endpoint: u64): usize {
  return <usize>(endpoint & ID_BITS);
}

/**
 * Writes the coordinates of a box's min and max endpoint on an axis as two sortable words at `to`. An empty
 * box gets the min +Infinity and the max -Infinity, so it overlaps no other box.
 */
export function writeValues(box: usize, axis: usize, to: usize): void {
  const isEmptyBox = isEmpty(box);
  const at = box + (axis << 2);
  store<u32>(to, sortableBits(isEmptyBox ? Infinity : load<f32>(at)));
  store<u32>(to, sortableBits(isEmptyBox ? -Infinity : load<f32>(at, 12)), 4);
}

/**
 * Returns the endpoint with its coordinate replaced by the current coordinate of its box. values: address of
 * the words that `writeValues` has written for all boxes.
 */
export function withCurrentValue(endpoint: u64, values: usize): u64 {
  const word = <u32>endpoint;
  return ((<u64>load<u32>(values + (<usize>(word << 3) | <usize>((word >> 31) << 2)))) << 32) | word;
}

export function isEmpty(box: usize): bool {
  return (
    load<f32>(box) > load<f32>(box, 12) ||
    load<f32>(box, 4) > load<f32>(box, 16) ||
    load<f32>(box, 8) > load<f32>(box, 20)
  );
}

// Maps floats to unsigned integers in the same order, but never to 0, which is the sentinel of the sort.
// Adding zero turns -0 into 0.
function sortableBits(value: f32): u32 {
  const word = reinterpret<u32>(value + 0);
  return word ^ (<u32>(<i32>word >> 31) | 0x80000000);
}
