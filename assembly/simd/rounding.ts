// Rounds doubles to floats, toward minus infinity.

const MAX_FLOAT: f32 = 3.4028234663852886e38;

/** Returns the largest float32 that is not greater than the value, clamped to the range of float32. */
export function roundDown(value: f64): f32 {
  const nearest = <f32>value;
  if (nearest < -MAX_FLOAT) return -MAX_FLOAT;
  if (!(<f64>nearest > max(value, -(<f64>MAX_FLOAT)))) return min<f32>(nearest, MAX_FLOAT);
  if (nearest == 0) return -1.401298464324817e-45;
  return reinterpret<f32>(reinterpret<i32>(nearest) + (nearest > 0 ? -1 : 1));
}

/** Like roundDown, for two doubles at once and without a branch. */
export function roundDown2(values: v128): v128 {
  const limit = f64x2.splat(MAX_FLOAT);
  const within = f64x2.pmax(f64x2.pmin(values, limit), f64x2.neg(limit));
  const nearest = f32x4.demote_f64x2_zero(within);
  const above = f64x2.gt(f64x2.promote_low_f32x4(nearest), within);
  // To get the next lower float, subtract 1 from the float's bits as an integer, or add 1 if the float is
  // negative. A negative number that was rounded to zero is -0, which counts as negative.
  const step = v128.or(i32x4.shr_s(nearest, 31), i32x4.splat(1));
  return i32x4.sub(nearest, v128.and(v128.shuffle<i32>(above, above, 0, 2, 0, 2), step));
}
