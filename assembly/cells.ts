// A coordinate -> the number of the slab, bucket or column that it lies in. Never falls as the coordinate rises, so that boxes
// which overlap share the cell in which the later of them starts.

/** Halves cannot overflow where the whole range might; no scale: everything lies in cell 0. */
// @ts-ignore: decorator
@inline export function cellOf(x: f32, origin: f32, scale: f32, count: u32): u32 {
  return min(<u32>max<i32>(<i32>((x * 0.5 - origin) * scale), 0), count - 1);
}

/** Cells a unit of half the range; 0 where there is no range. Finite, so that no product is NaN. */
// @ts-ignore: decorator
@inline export function scaleOf(low: f32, high: f32, count: u32): f32 {
  const half = high * 0.5 - low * 0.5;
  return half > 0 ? min<f32>(<f32>count / half, MOST_SCALE) : 0;
}

const MOST_SCALE: f32 = 1e38;
