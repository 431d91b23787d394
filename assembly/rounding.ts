// Doubles -> floats, outward.

const MOST_FLOAT: f32 = 3.4028234663852886e38;

/** The greatest float32 that is not above; what lies beyond float32 ends at its end. */
export function roundDown(value: f64): f32 {
  const nearest = <f32>value;
  if (nearest < -MOST_FLOAT) return -MOST_FLOAT;
  if (!(<f64>nearest > value)) return min<f32>(nearest, MOST_FLOAT);
  if (nearest == 0) return -1.401298464324817e-45;
  return reinterpret<f32>(reinterpret<i32>(nearest) + (nearest > 0 ? -1 : 1));
}

/** Of two doubles floats that are not above, and equal where they can be; what lies beyond float32 ends at its end. */
// @ts-ignore: decorator
@inline export function floatsBelow(values: v128): v128 {
  const end = f64x2.splat(MOST_FLOAT), within = f64x2.pmax(f64x2.pmin(values, end), f64x2.neg(end));
  const nearest = f64x2.promote_low_f32x4(f32x4.demote_f64x2_zero(within));
  // A float's next neighbour is not farther than its 2^23rd part, or than the least float.
  const step = f64x2.pmax(f64x2.mul(f64x2.abs(nearest), f64x2.splat(1.1920928955078125e-7)), f64x2.splat(1.401298464324817e-45));
  return f32x4.demote_f64x2_zero(f64x2.pmax(f64x2.sub(nearest, v128.and(f64x2.gt(nearest, within), step)), f64x2.neg(end)));
}
