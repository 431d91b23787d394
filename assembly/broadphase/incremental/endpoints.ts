// Endpoints of boxes on an axis as sortable 64-bit integers: the coordinate in the high word, then a bit that
// is set for a max endpoint, then the box. At equal coordinates min sorts before max, so touching boxes
// overlap.

export const MAX_BIT: u64 = 0x80000000;
const ID_BITS: u64 = 0x7fffffff;

/** Returns the box of an endpoint. Boxes take 24 bytes each, so fewer than 2^31 fit in memory. */
export function boxOf(endpoint: u64): usize {
  return <usize>(endpoint & ID_BITS);
}

/**
 * Writes the sortable values of both endpoints as two words at `to`. An empty box ends before all others
 * start and starts after all others end, so it overlaps nothing.
 */
export function writeValues(box: usize, axis: usize, to: usize): void {
  const isEmptyBox = isEmpty(box);
  const at = box + (axis << 2);
  store<u32>(to, sortableBits(isEmptyBox ? Infinity : load<f32>(at)));
  store<u32>(to, sortableBits(isEmptyBox ? -Infinity : load<f32>(at, 12)), 4);
}

/** Returns the endpoint with its coordinate replaced by the current one from `values`. */
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

// Maps floats to unsigned integers in the same order, never to 0. Adding zero turns -0 into 0.
function sortableBits(value: f32): u32 {
  const word = reinterpret<u32>(value + 0);
  return word ^ (<u32>(<i32>word >> 31) | 0x80000000);
}
