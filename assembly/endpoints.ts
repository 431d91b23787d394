// A box and an axis -> its two endpoints as whole numbers that sort as they lie: by value, at equal values least before
// greatest, so that touching counts; then by box.

export const MAX_BIT: u64 = 0x80000000;
const ID_BITS: u64 = 0x7fffffff;

/** The box of an endpoint. Boxes of 24 bytes are fewer than 2^31. */
// @ts-ignore: decorator
@inline export function boxOf(endpoint: u64): usize { return <usize>(endpoint & ID_BITS); }

/** An empty box ends before all others begin, and begins behind them: it overlaps nothing. */
// @ts-ignore: decorator
@inline export function endpointOf(box: usize, id: u32, axis: usize, maxBit: u64): u64 {
  const least: f32 = isEmpty(box) ? Infinity : load<f32>(box + (axis << 2)), greatest: f32 = isEmpty(box) ? -Infinity : load<f32>(box + (axis << 2), 12);
  return (<u64>orderOf(maxBit == 0 ? least : greatest) << 32) | maxBit | id;
}

// @ts-ignore: decorator
@inline export function isEmpty(box: usize): bool {
  return load<f32>(box) > load<f32>(box, 12) || load<f32>(box, 4) > load<f32>(box, 16) || load<f32>(box, 8) > load<f32>(box, 20);
}

// Unsigned numbers in the order of the floats; never 0. Adding zero makes -0 and 0 one.
// @ts-ignore: decorator
@inline function orderOf(value: f32): u32 {
  const word = reinterpret<u32>(value + 0);
  return word ^ (<u32>(<i32>word >> 31) | 0x80000000);
}
