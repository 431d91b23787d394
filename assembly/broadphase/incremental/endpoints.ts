// A box and an axis -> the values of its two endpoints as whole numbers that sort as they lie. An endpoint is
// such a value, then which of both it is, then the box: at equal values least stands before greatest, so that
// touching counts.

export const MAX_BIT: u64 = 0x80000000;
const ID_BITS: u64 = 0x7fffffff;

/** The box of an endpoint. Boxes of 24 bytes are fewer than 2^31. */
export function boxOf(endpoint: u64): usize {
  return <usize>(endpoint & ID_BITS);
}

/**
 * Two words at `to`. An empty box ends before all others begin, and begins behind them: it overlaps nothing.
 */
export function putValues(box: usize, axis: usize, to: usize): void {
  const isNone = isEmpty(box);
  const at = box + (axis << 2);
  store<u32>(to, orderOf(isNone ? Infinity : load<f32>(at)));
  store<u32>(to, orderOf(isNone ? -Infinity : load<f32>(at, 12)), 4);
}

/** The same endpoint at the value it has in `values` now. */
export function renewed(endpoint: u64, values: usize): u64 {
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

// Unsigned numbers in the order of the floats; never 0. Adding zero makes -0 and 0 one.
function orderOf(value: f32): u32 {
  const word = reinterpret<u32>(value + 0);
  return word ^ (<u32>(<i32>word >> 31) | 0x80000000);
}
