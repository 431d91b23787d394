// Extracts the contact curve of two meshes from the result of a query with `want: 'segments'`.
import type { ContactSegments } from 'pfront';

/** Returns x, y, z of both ends of each segment in which two triangles intersect. */
export function curveOf({ count, kind, kinds, pointsAt, points }: ContactSegments): Float64Array {
  const curve = new Float64Array(6 * count);
  let end = 0;
  for (let i = 0; i < count; i++) {
    if (kind[i] !== kinds.CROSS && kind[i] !== kinds.TOUCH_SEGMENT) continue;
    const from = 3 * pointsAt[i]!;
    curve.set(points.subarray(from, from + 6), end);
    end += 6;
  }
  return curve.subarray(0, end);
}

/** Returns the total length of the segments. */
export function lengthOf(curve: Float64Array): number {
  let length = 0;
  for (let at = 0; at < curve.length; at += 6)
    length += Math.hypot(
      curve[at + 3]! - curve[at]!,
      curve[at + 4]! - curve[at + 1]!,
      curve[at + 5]! - curve[at + 2]!,
    );
  return length;
}
