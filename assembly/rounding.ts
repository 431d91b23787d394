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
