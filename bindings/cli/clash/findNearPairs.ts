// Finds pairs of parts that may be at most the clearance apart, by comparing their axis-aligned boxes.

import { exactVerticesOf, type Part } from '../../formats/part.js';
import type { ClashEngine } from '../clashEngine.js';

/** x, y, z of the min corner, then of the max corner. */
type Box = Float64Array;

/** The limit to which bounds of boxes are clamped: slightly less than the largest float32 number. */
const MAX_BOUND = 3.4e38;

/**
 * Returns pairs a < b of indices of `parts`, sorted by a, then b. The result has every pair of parts that are
 * at most the clearance apart, and may also have pairs that are farther apart.
 */
export function findNearPairs(
  engine: ClashEngine,
  parts: readonly Part[],
  clearance: number,
): { a: number; b: number }[] {
  const floats = new Float32Array(6 * parts.length);
  parts.forEach((part, number) =>
    floats.set(
      boxOf(part).map((value, i) => widen(value, clearance / 2, i < 3 ? -1 : 1)),
      6 * number,
    ),
  );
  const { count, a, b } = engine.boxPairs(floats);
  return Array.from({ length: count }, (_, i) => ({ a: a[i], b: b[i] }));
}

/** Returns the axis-aligned box of a part in the scene. */
export function boxOf(part: Part): Box {
  const { indices } = part;
  const { positions, transform: m } = exactVerticesOf(part);
  const box = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
  for (const vertex of indices) {
    const x = positions[3 * vertex];
    const y = positions[3 * vertex + 1];
    const z = positions[3 * vertex + 2];
    for (let axis = 0; axis < 3; axis++) {
      const value = m[axis] * x + m[axis + 4] * y + m[axis + 8] * z + m[axis + 12];
      if (value < box[axis]) box[axis] = value;
      if (value > box[axis + 3]) box[axis + 3] = value;
    }
  }
  return box;
}

/**
 * Moves a bound outward by `by` plus a margin. The margin allows for the error of the conversion to float32,
 * and for the difference between `boxOf` and code that sums the same products in another order.
 *
 * @param sign -1 for a minimum, 1 for a maximum.
 */
export function widen(value: number, by: number, sign: -1 | 1): number {
  const widened = value + sign * by;
  const outward = widened + sign * (Math.abs(widened) * 2 ** -22 + 2 ** -140);
  return Math.max(-MAX_BOUND, Math.min(MAX_BOUND, outward));
}
