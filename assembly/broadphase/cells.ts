// Coordinates -> the numbers of the slabs, buckets or columns that they lie in. A number never falls as its
// coordinate rises, so boxes that overlap share the cell in which the later of them starts.
import { add, and, mul, splat, sub } from '../simd/lanes';

// Adding 2^23 leaves the nearest whole number in the low bits.
const WHOLE: f32 = 8388608;

/** Halves cannot overflow where the range from `origin` might; origin and scale are of halves. */
export function cells4(x: v128, origin: v128, scale: v128): v128 {
  return and(add(mul(sub(mul(x, splat(0.5)), origin), scale), splat(WHOLE)), i32x4.splat(0x7fffff));
}

/**
 * From half a range to the number of its last cell; 0 where there is no range. Finite, so that no product is
 * NaN.
 */
export function scaleOf(low: f32, high: f32, count: u32): f32 {
  const half: f32 = high * 0.5 - low * 0.5;
  return half > 0 ? min<f32>(<f32>(count - 1) / half, 1e38) : 0;
}
