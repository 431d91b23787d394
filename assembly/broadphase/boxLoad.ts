// Loads and copies boxes of six consecutive floats: min x, y, z, then max x, y, z.
import { le, load4, maskBits } from '../simd/lanes';

/** Returns x, y, z of the min corner; the last lane repeats z. The load stays within the box. */
export function minCornerOf(box: usize): v128 {
  const head = load4(box);
  return v128.shuffle<f32>(head, head, 0, 1, 2, 2);
}
/** Returns x, y, z of the max corner; the last lane repeats z. The load stays within the box. */
export function maxCornerOf(box: usize): v128 {
  const tail = load4(box, 8);
  return v128.shuffle<f32>(tail, tail, 1, 2, 3, 3);
}
/** Copies a box with two overlapping stores. */
export function copyBox(from: usize, to: usize): void {
  v128.store(to, load4(from));
  v128.store(to, load4(from, 8), 8);
}
/** Returns whether the box is not empty: min <= max on each axis. Returns false if a coordinate is NaN. */
export function isNonEmpty(low: v128, high: v128): bool {
  return maskBits(le(low, high)) == 15;
}
