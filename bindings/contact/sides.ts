// A triangle's corners and a plane -> exact signs; the axis that a triangle faces.
import { side, turn } from './orientation.js';

/**
 * Sides of three corners from number d on against the plane of those from number a on, at `to`, to + 1, to +
 * 2.
 */
export function sidesOf(p: Float64Array, a: number, d: number, sides: Int8Array, to: number): void {
  for (let corner = 0; corner < 3; corner++) sides[to + corner] = side(p, a, a + 3, a + 6, d + 3 * corner);
}

/** An axis that the triangle from number a on faces, or -1 for one without area. */
export function facedAxis(p: Float64Array, a: number): number {
  const size = (axis: number): number => {
    const u = (axis + 1) % 3;
    const v = (axis + 2) % 3;
    return Math.abs(
      (p[a + 3 + u] - p[a + u]) * (p[a + 6 + v] - p[a + v]) -
        (p[a + 3 + v] - p[a + v]) * (p[a + 6 + u] - p[a + u]),
    );
  };
  const best = [0, 1, 2].sort((left, right) => size(right) - size(left) || left - right);
  return best.find(axis => turn(p, a, a + 3, a + 6, axis) !== 0) ?? -1;
}
