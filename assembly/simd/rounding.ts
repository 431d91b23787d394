// Doubles -> floats, outward.

const MOST_FLOAT: f32 = 3.4028234663852886e38;

/** The greatest float32 that is not above; what lies beyond float32 ends at its end. */
export function roundDown(value: f64): f32 {
  const nearest = <f32>value;
  if (nearest < -MOST_FLOAT) return -MOST_FLOAT;
  if (!(<f64>nearest > max(value, -(<f64>MOST_FLOAT)))) return min<f32>(nearest, MOST_FLOAT);
  if (nearest == 0) return -1.401298464324817e-45;
  return reinterpret<f32>(reinterpret<i32>(nearest) + (nearest > 0 ? -1 : 1));
}

/** The same of two doubles, without a branch. */
export function floatsBelow(values: v128): v128 {
  const end = f64x2.splat(MOST_FLOAT);
  const within = f64x2.pmax(f64x2.pmin(values, end), f64x2.neg(end));
  const nearest = f32x4.demote_f64x2_zero(within);
  const above = f64x2.gt(f64x2.promote_low_f32x4(nearest), within);
  // To a float's lower neighbour: its bits less 1, or more where it is below 0; so is a 0 that a smaller
  // number was rounded to.
  const step = v128.or(i32x4.shr_s(nearest, 31), i32x4.splat(1));
  return i32x4.sub(nearest, v128.and(v128.shuffle<i32>(above, above, 0, 2, 0, 2), step));
}
