// The f32x4 vocabulary: four floats at a time, named so that SIMD reads like arithmetic.

// @ts-ignore: decorator
@inline export function splat(x: f32): v128 { return f32x4.splat(x); }
// @ts-ignore: decorator
@inline export function load4(at: usize, offset: usize = 0): v128 { return v128.load(at + offset); }
// @ts-ignore: decorator
@inline export function add(a: v128, b: v128): v128 { return f32x4.add(a, b); }
// @ts-ignore: decorator
@inline export function sub(a: v128, b: v128): v128 { return f32x4.sub(a, b); }
// @ts-ignore: decorator
@inline export function mul(a: v128, b: v128): v128 { return f32x4.mul(a, b); }
// @ts-ignore: decorator
@inline export function abs(a: v128): v128 { return f32x4.abs(a); }
// @ts-ignore: decorator
@inline export function neg(a: v128): v128 { return f32x4.neg(a); }
// @ts-ignore: decorator
@inline export function le(a: v128, b: v128): v128 { return f32x4.le(a, b); }
// @ts-ignore: decorator
@inline export function gt(a: v128, b: v128): v128 { return f32x4.gt(a, b); }
// @ts-ignore: decorator
@inline export function lt(a: v128, b: v128): v128 { return f32x4.lt(a, b); }
// @ts-ignore: decorator
@inline export function and(a: v128, b: v128): v128 { return v128.and(a, b); }
// @ts-ignore: decorator
@inline export function or(a: v128, b: v128): v128 { return v128.or(a, b); }
// @ts-ignore: decorator
@inline export function ge(a: v128, b: v128): v128 { return f32x4.ge(a, b); }
// pmin/pmax keep the first operand where the second is NaN, and are one instruction on x86.
// @ts-ignore: decorator
@inline export function least(a: v128, b: v128): v128 { return f32x4.pmin(a, b); }
// @ts-ignore: decorator
@inline export function most(a: v128, b: v128): v128 { return f32x4.pmax(a, b); }
// @ts-ignore: decorator
@inline export function bits(a: v128): i32 { return i32x4.bitmask(a); }
/** The float at `at + offset` in all lanes. */
// @ts-ignore: decorator
@inline export function splatAt(at: usize, offset: usize): v128 { return v128.load32_splat(at + offset); }
/** One lane in all four. */
// @ts-ignore: decorator
@inline export function lane0(v: v128): v128 { return v128.shuffle<u32>(v, v, 0, 0, 0, 0); }
// @ts-ignore: decorator
@inline export function lane1(v: v128): v128 { return v128.shuffle<u32>(v, v, 1, 1, 1, 1); }
// @ts-ignore: decorator
@inline export function lane2(v: v128): v128 { return v128.shuffle<u32>(v, v, 2, 2, 2, 2); }
// @ts-ignore: decorator
@inline export function lane3(v: v128): v128 { return v128.shuffle<u32>(v, v, 3, 3, 3, 3); }
/** The greatest of the four, in all lanes. */
// @ts-ignore: decorator
@inline export function greatest(v: v128): v128 {
  const w = most(v, v128.shuffle<u32>(v, v, 2, 3, 0, 1));
  return most(w, v128.shuffle<u32>(w, w, 1, 0, 3, 2));
}
/** All bits of the lanes whose mask bits are set. */
// @ts-ignore: decorator
@inline export function lanesOf(mask: i32): v128 { return i32x4.ne(v128.and(i32x4.splat(mask), i32x4(1, 2, 4, 8)), i32x4.splat(0)); }
/** Masks of four lanes each -> of sixteen bytes, in this order. */
// @ts-ignore: decorator
@inline export function bytesOf(a: v128, b: v128, c: v128, d: v128): v128 { return i8x16.narrow_i16x8_s(i16x8.narrow_i32x4_s(a, b), i16x8.narrow_i32x4_s(c, d)); }
