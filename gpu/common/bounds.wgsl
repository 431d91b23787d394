// What products of vectors may be off by, under any rounding, order and fusion of WGSL. e = 2^-23 is the
// rounding of one operation; what is lost below the least float is far less than 2^-116, which is added
// wherever that could be.

// Of each coordinate of a x b, of vectors whose coordinates are at most A, B and off by errorA, errorB: 2 (EA
// B + A EB + EA EB), three roundings of 2 A B; 3 % and a third more cover what this bound's own rounding
// takes.
fn crossError(sizeA: f32, errorA: f32, sizeB: f32, errorB: f32) -> f32 {
  return 2.0625 * (errorA * sizeB + (sizeA + errorA) * errorB) + 0x1p-20 * (sizeA * sizeB) + 0x1p-116;
}

// Of a . b: 3 (EA B + A EB + EA EB). Sums of four such products are added up in any order, and their bounds
// are: each of twelve terms goes through at most 13 roundings, 39 e A B for each product; 64 are counted.
fn dotError(sizeA: f32, errorA: f32, sizeB: f32, errorB: f32) -> f32 {
  return 3.0625 * (errorA * sizeB + (sizeA + errorA) * errorB) + 0x1p-17 * (sizeA * sizeB) + 0x1p-116;
}

// Bit 0: surely more than 0; bit 1: surely less.
fn signOf(value: f32, bound: f32) -> u32 { return select(0u, 1u, value > bound) | select(0u, 2u, value < -bound); }
