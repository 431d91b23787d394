// A user's box, six floats in a row -> its least and greatest corner as vectors.
import { bits, le, load4 } from '../simd/lanes';

/** x, y, z of the least corner; the last lane repeats z. Both loads stay within the box. */
export function lowOf(box: usize): v128 {
  const head = load4(box);
  return v128.shuffle<f32>(head, head, 0, 1, 2, 2);
}
export function highOf(box: usize): v128 {
  const tail = load4(box, 8);
  return v128.shuffle<f32>(tail, tail, 1, 2, 3, 3);
}
/** A box to another place, by two stores that overlap. */
export function copyBox(from: usize, to: usize): void {
  v128.store(to, load4(from));
  v128.store(to, load4(from, 8), 8);
}
/** Is no least above its greatest? */
export function isBox(low: v128, high: v128): bool {
  return bits(le(low, high)) == 15;
}
