// Short names for f64x2 instructions: two doubles at a time. A point takes two vectors: the first holds x
// and y; the second holds z in its first lane and any value in its second lane.

export function splat2(x: f64): v128 {
  return f64x2.splat(x);
}
/** Loads the double at `at + offset` into both lanes. */
export function splat2At(at: usize, offset: usize): v128 {
  return v128.load64_splat(at + offset);
}
export function add2(a: v128, b: v128): v128 {
  return f64x2.add(a, b);
}
export function sub2(a: v128, b: v128): v128 {
  return f64x2.sub(a, b);
}
export function mul2(a: v128, b: v128): v128 {
  return f64x2.mul(a, b);
}
export function abs2(a: v128): v128 {
  return f64x2.abs(a);
}
export function lowLane(a: v128): f64 {
  return f64x2.extract_lane(a, 0);
}
export function highLane(a: v128): f64 {
  return f64x2.extract_lane(a, 1);
}
/**
 * Shuffles. lowLanes: the first lanes of both vectors. highLanes: the second lanes. highLow: the second lane
 * of a and the first lane of b. swapLanes: both lanes of one vector, swapped.
 */
export function lowLanes(a: v128, b: v128): v128 {
  return v128.shuffle<f64>(a, b, 0, 2);
}
export function highLanes(a: v128, b: v128): v128 {
  return v128.shuffle<f64>(a, b, 1, 3);
}
export function highLow(a: v128, b: v128): v128 {
  return v128.shuffle<f64>(a, b, 1, 2);
}
export function swapLanes(a: v128): v128 {
  return v128.shuffle<f64>(a, a, 1, 0);
}
/** Returns a x + b y + c z. */
export function sumOfProducts(a: v128, x: v128, b: v128, y: v128, c: v128, z: v128): v128 {
  return f64x2.add(f64x2.add(f64x2.mul(a, x), f64x2.mul(b, y)), f64x2.mul(c, z));
}
/**
 * Returns the maximum of x, y and z, or NaN if any of them is NaN. This function uses no branches, because the
 * outcome of a comparison of unrelated doubles cannot be predicted.
 */
export function maxOf3(xy: v128, z: v128): f64 {
  return lowLane(f64x2.max(f64x2.max(xy, swapLanes(xy)), z));
}
/** Converts four doubles to four floats. */
export function toFloats(a: v128, b: v128): v128 {
  return v128.shuffle<u64>(f32x4.demote_f64x2_zero(a), f32x4.demote_f64x2_zero(b), 0, 2);
}
