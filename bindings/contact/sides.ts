// Computes exactly on which side of a plane the corners of a triangle lie, and chooses the axis along which a
// triangle is projected.
import { orient2d, side } from './orientation.js';

/**
 * Tests the corners of the triangle at offset d against the plane of the triangle at offset a. Writes the
 * side of each corner, 1, -1 or 0 (see `side`), to sides[to], sides[to + 1] and sides[to + 2]. p: coordinates.
 */
export function sidesOf(p: Float64Array, a: number, d: number, sides: Int8Array, to: number): void {
  for (let corner = 0; corner < 3; corner++) sides[to + corner] = side(p, a, a + 3, a + 6, d + 3 * corner);
}

/**
 * Returns the axis along which the projection of the triangle at offset a has the largest area, up to rounding.
 * An exact test ensures that the projection has area. Returns -1 if the triangle has no area. p: coordinates.
 */
export function dominantAxis(p: Float64Array, a: number): number {
  const size = (axis: number): number => {
    const u = (axis + 1) % 3;
    const v = (axis + 2) % 3;
    return Math.abs(
      (p[a + 3 + u] - p[a + u]) * (p[a + 6 + v] - p[a + v]) -
        (p[a + 3 + v] - p[a + v]) * (p[a + 6 + u] - p[a + u]),
    );
  };
  const best = [0, 1, 2].sort((left, right) => size(right) - size(left) || left - right);
  return best.find(axis => orient2d(p, a, a + 3, a + 6, axis) !== 0) ?? -1;
}

/** Returns exactly whether a point lies in a triangle that has area. Both are given by their coordinates. */
export function triangleContains(triangle: Float64Array, point: Float64Array): boolean {
  const p = Float64Array.of(...triangle, ...point);
  if (side(p, 0, 3, 6, 9) !== 0) return false;
  const axis = dominantAxis(p, 0);
  if (axis < 0) return false;
  const around = [orient2d(p, 0, 3, 9, axis), orient2d(p, 3, 6, 9, axis), orient2d(p, 6, 0, 9, axis)];
  return around.every(sign => sign >= 0) || around.every(sign => sign <= 0);
}
