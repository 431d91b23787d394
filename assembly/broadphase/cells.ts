// Computes the cells of coordinates on a uniform grid. A larger coordinate never has a smaller cell index,
// even with rounding. If two boxes overlap on an axis, the cell that contains the larger of their two min
// coordinates is therefore a cell of both boxes.
import { add, and, mul, splat, sub } from '../simd/lanes';

// Adding 2^23 to a float rounds it to the nearest integer, which is then in the low bits of the sum.
const ROUNDING_OFFSET: f32 = 8388608;

/**
 * Returns the cells of four coordinates. Coordinates are halved so that their distance from `origin` cannot
 * overflow; `origin` and `scale` are for halved coordinates.
 */
export function cells4(x: v128, origin: v128, scale: v128): v128 {
  return and(add(mul(sub(mul(x, splat(0.5)), origin), scale), splat(ROUNDING_OFFSET)), i32x4.splat(0x7fffff));
}

/**
 * Returns the scale that maps halved coordinates in low/2..high/2 to `count` cells, or 0 if high <= low. The
 * scale is always finite, so multiplying it by 0 does not give NaN.
 */
export function scaleOf(low: f32, high: f32, count: u32): f32 {
  const half: f32 = high * 0.5 - low * 0.5;
  return half > 0 ? min<f32>(<f32>(count - 1) / half, 1e38) : 0;
}
