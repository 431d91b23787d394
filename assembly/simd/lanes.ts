// Short names for f32x4 instructions: four floats at a time.

export function splat(x: f32): v128 {
  return f32x4.splat(x);
}
export function load4(at: usize, offset: usize = 0): v128 {
  return v128.load(at + offset);
}
export function add(a: v128, b: v128): v128 {
  return f32x4.add(a, b);
}
export function sub(a: v128, b: v128): v128 {
  return f32x4.sub(a, b);
}
export function mul(a: v128, b: v128): v128 {
  return f32x4.mul(a, b);
}
export function abs(a: v128): v128 {
  return f32x4.abs(a);
}
export function neg(a: v128): v128 {
  return f32x4.neg(a);
}
export function le(a: v128, b: v128): v128 {
  return f32x4.le(a, b);
}
export function gt(a: v128, b: v128): v128 {
  return f32x4.gt(a, b);
}
export function lt(a: v128, b: v128): v128 {
  return f32x4.lt(a, b);
}
export function and(a: v128, b: v128): v128 {
  return v128.and(a, b);
}
export function or(a: v128, b: v128): v128 {
  return v128.or(a, b);
}
export function ge(a: v128, b: v128): v128 {
  return f32x4.ge(a, b);
}
// pmin and pmax return the first operand if either operand is NaN. Unlike min and max, they are one
// instruction on x86.
export function min4(a: v128, b: v128): v128 {
  return f32x4.pmin(a, b);
}
export function max4(a: v128, b: v128): v128 {
  return f32x4.pmax(a, b);
}
export function maskBits(a: v128): i32 {
  return i32x4.bitmask(a);
}
/** Loads the float at `at + offset` into all lanes. */
export function splatAt(at: usize, offset: usize): v128 {
  return v128.load32_splat(at + offset);
}
/** Copies one lane to all four. */
export function lane0(v: v128): v128 {
  return v128.shuffle<u32>(v, v, 0, 0, 0, 0);
}
export function lane1(v: v128): v128 {
  return v128.shuffle<u32>(v, v, 1, 1, 1, 1);
}
export function lane2(v: v128): v128 {
  return v128.shuffle<u32>(v, v, 2, 2, 2, 2);
}
export function lane3(v: v128): v128 {
  return v128.shuffle<u32>(v, v, 3, 3, 3, 3);
}
/** Returns the maximum of the four lanes, in all lanes. */
export function splatMax(v: v128): v128 {
  const w = max4(v, v128.shuffle<u32>(v, v, 2, 3, 0, 1));
  return max4(w, v128.shuffle<u32>(w, w, 1, 0, 3, 2));
}
/** Returns a vector in which lane i has all bits set if bit i of the mask is set, and is 0 otherwise. */
export function laneMask(mask: i32): v128 {
  return i32x4.ne(v128.and(i32x4.splat(mask), i32x4(1, 2, 4, 8)), i32x4.splat(0));
}
/** Packs four masks of four lanes each into one mask of sixteen bytes, in the order a, b, c, d. */
export function narrowMasks(a: v128, b: v128, c: v128, d: v128): v128 {
  return i8x16.narrow_i16x8_s(i16x8.narrow_i32x4_s(a, b), i16x8.narrow_i32x4_s(c, d));
}
