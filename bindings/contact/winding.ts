// Computes the exact winding number of a placed mesh around a point: the sum of the signed crossings of a ray
// along an axis.
import type { GridPoint } from './gridPoint.js';
import { orient2dAt, projectionAxes, sideAt } from './orientation.js';
import type { Surface } from './surface.js';

/**
 * Number of outward minus inward crossings of the ray that starts at a point and follows an axis in its
 * positive direction. `beyond`: crossings beyond the point. `at`: crossings at the point itself.
 */
export interface Crossings {
  beyond: number;
  at: number;
}

/** Returns the winding number of a closed mesh just beyond the start of the ray, in the ray's direction. */
export const windingBeyond = ({ beyond }: Crossings): number => beyond;
/**
 * Returns the winding number of a closed mesh at a point just before the start of the ray: the start, moved a
 * little in the direction opposite to that of the ray.
 */
export const windingBefore = ({ beyond, at }: Crossings): number => beyond + at;

const corners = new Float64Array(9);

/**
 * Counts the crossings of the ray. A ray that hits an edge or a corner is perturbed symbolically: it is moved
 * by an infinitesimal distance along the next axis, and by a smaller infinitesimal distance along the axis
 * after that. Each crossing of a closed mesh is therefore counted once.
 * @param coplanar Triangles in whose planes the point is known to lie.
 */
export function countCrossings(
  surface: Surface,
  point: GridPoint,
  axis: number,
  coplanar?: readonly number[],
): Crossings {
  const found = { beyond: 0, at: 0 };
  surface.forEachAlongRay(point, axis, triangle => {
    surface.writeCorners(triangle, corners, 0);
    const windingSign = windingSignOf(corners, point, axis);
    if (windingSign === 0) return;
    const side = coplanar?.includes(triangle) ? 0 : sideAt(corners, 0, point) * windingSign;
    if (side < 0) found.beyond += windingSign;
    else if (side === 0) found.at += windingSign;
  });
  return found;
}

// Returns 1 if the triangle, projected along the axis, winds counterclockwise around the perturbed point, -1
// if it winds clockwise, and 0 if the perturbed point is outside the triangle.
function windingSignOf(p: Float64Array, point: GridPoint, axis: number): number {
  const [u, v] = projectionAxes(axis);
  const { near, rest } = point;
  const isBelow = (at: number): boolean => p[at + v] < near[v] || (p[at + v] === near[v] && rest[v] >= 0);
  const below = [isBelow(0), isBelow(3), isBelow(6)];
  if (below[0] === below[1] && below[1] === below[2]) return 0;
  const min = Math.min(p[u], p[3 + u], p[6 + u]);
  const max = Math.max(p[u], p[3 + u], p[6 + u]);
  if (near[u] < min || near[u] > max) return 0;
  let winds = 0;
  for (let i = 0; i < 3; i++) {
    const j = i === 2 ? 0 : i + 1;
    if (below[i] === below[j]) continue;
    const orientation = orient2dAt(p, 3 * i, 3 * j, point, axis);
    // A point on an edge is perturbed in the direction +u. It is then to the right of an edge that goes
    // toward +v, and to the left of an edge that goes toward -v.
    if (below[i] ? orientation > 0 : orientation < 0) winds += below[i] ? 1 : -1;
  }
  return winds;
}
