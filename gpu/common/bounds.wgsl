// Error bounds of vector products for any rounding, order and fusion that WGSL allows. e = 2^-23 is the
// rounding of one operation. Flushing loses far less than 2^-116, which is added wherever it may occur.

// Bound for each coordinate of a x b. The coordinates of the vectors are at most A and B, with errors errorA
// and errorB: 2 (EA B + A EB + EA EB), plus three roundings of 2 A B. 3 % and a third more cover the rounding
// of the bound itself.
fn crossError(sizeA: f32, errorA: f32, sizeB: f32, errorB: f32) -> f32 {
  return 2.0625 * (errorA * sizeB + (sizeA + errorA) * errorB) + 0x1p-20 * (sizeA * sizeB) + 0x1p-116;
}

// Bound for a . b: 3 (EA B + A EB + EA EB). Callers add four such products in any order, and add their bounds
// as well. Each of the twelve terms goes through at most 13 roundings, 39 e A B per product; 64 are counted.
fn dotError(sizeA: f32, errorA: f32, sizeB: f32, errorB: f32) -> f32 {
  return 3.0625 * (errorA * sizeB + (sizeA + errorA) * errorB) + 0x1p-17 * (sizeA * sizeB) + 0x1p-116;
}

// Bit 0: certainly positive. Bit 1: certainly negative.
fn signOf(value: f32, bound: f32) -> u32 { return select(0u, 1u, value > bound) | select(0u, 2u, value < -bound); }
