// Error bounds of vector products for any rounding, order and fusion that WGSL allows. e = 2^-23 is the
// relative rounding error of one operation. Flushing loses far less than 2^-116, which is added to every
// bound.

// Returns an error bound for each coordinate of a x b. The coordinates of a and b are at most A = sizeA and
// B = sizeB, and their errors are at most EA = errorA and EB = errorB. The error is 2 (EA B + A EB + EA EB),
// plus three roundings of 2 A B. The first term is enlarged by 3 %, and the second by a third, to cover the
// rounding of the bound itself.
fn crossError(sizeA: f32, errorA: f32, sizeB: f32, errorB: f32) -> f32 {
  return 2.0625 * (errorA * sizeB + (sizeA + errorA) * errorB) + 0x1p-20 * (sizeA * sizeB) + 0x1p-116;
}

// Returns an error bound for a . b: 3 (EA B + A EB + EA EB), plus the roundings. Callers add up to four such
// products in any order, and add their bounds as well. Each of the twelve terms goes through at most 13
// roundings. That is 39 e A B per product; the bound uses 64 e A B.
fn dotError(sizeA: f32, errorA: f32, sizeB: f32, errorB: f32) -> f32 {
  return 3.0625 * (errorA * sizeB + (sizeA + errorA) * errorB) + 0x1p-17 * (sizeA * sizeB) + 0x1p-116;
}

// Returns the sign of a value whose error is at most `bound`. Bit 0: certainly positive. Bit 1: certainly
// negative. Neither bit: uncertain.
fn signOf(value: f32, bound: f32) -> u32 { return select(0u, 1u, value > bound) | select(0u, 2u, value < -bound); }
