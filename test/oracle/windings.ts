// Computes, in integers without rounding, how often a triangle soup winds around a point with rational
// coordinates. Sums the signs of all crossings of triangles with a ray that starts at the point.

import { cross, dot, type RationalPoint, signOf, subtract, type Vector } from './fractions.js';

/**
 * Triangles with integer coordinates, and the boxes of the triangles in the original doubles. An integer
 * coordinate is the original double times `unit`.
 */
export interface Soup {
  triangles: (readonly [Vector, Vector, Vector])[];
  boxes: Float64Array;
  unit: number;
}

// Slopes of the rays that are tried. It is unlikely that a ray with one of these slopes passes exactly
// through an edge.
const slopes = [
  [17n, 29n],
  [-31n, 13n],
  [23n, -7n],
  [-5n, -41n],
  [37n, 3n],
  [2n, -19n],
  [-43n, 11n],
  [1n, 47n],
] as const;
const LONG = 1n << 20n;

/**
 * Returns the sum of the signed crossings of a ray that starts at the point and is almost parallel to the
 * axis. way: 1 for the positive direction of the axis, -1 for the negative direction. Triangles that
 * contain the point itself do not count. If the soup is closed, the sum is the winding number of the soup
 * just beyond the point on the ray.
 */
export function windingBeyond(soup: Soup, point: RationalPoint, axis: number, way: 1n | -1n): number {
  for (const [u, v] of slopes) {
    const parts = [0n, 0n, 0n];
    parts[axis] = way * LONG;
    parts[(axis + 1) % 3] = u;
    parts[(axis + 2) % 3] = v;
    const winding = along(soup, point, parts as unknown as Vector, axis, Number(way));
    if (winding !== undefined) return winding;
  }
  throw new Error('every ray intersects an edge');
}

function along(
  { triangles, boxes, unit }: Soup,
  { at, under }: RationalPoint,
  ray: Vector,
  axis: number,
  way: number,
): number | undefined {
  const near = at.map(part => toNumber(part, under) / unit);
  let winding = 0;
  for (const [i, triangle] of triangles.entries()) {
    if (isFar(boxes, 6 * i, near, axis, way)) continue;
    // The corners relative to the point, multiplied by `under` so that they are integers.
    const [a, b, c] = triangle.map(corner =>
      subtract([corner[0] * under, corner[1] * under, corner[2] * under], at),
    );
    const orientations = [
      [a, b],
      [b, c],
      [c, a],
    ].map(([from, to]) => signOf(dot(ray, cross(from!, to!))));
    if (orientations.includes(1) && orientations.includes(-1)) continue;
    const normal = cross(subtract(b, a), subtract(c, a));
    const faces = signOf(dot(normal, ray));
    const height = signOf(dot(normal, a));
    if (faces === 0) {
      if (orientations.every(sign => sign === 0) && height === 0 && normal.some(part => part !== 0n))
        return undefined;
      continue;
    }
    if (height === 0) {
      if (!orientations.includes(0)) continue;
      else return undefined;
    }
    if (height * faces < 0) continue;
    if (orientations.includes(0)) return undefined;
    winding += faces;
  }
  return winding;
}

// Returns over / under as a double. If the denominator is long, only its first 61 to 64 bits are used.
function toNumber(over: bigint, under: bigint): number {
  const spare = BigInt(Math.max(0, under.toString(16).length * 4 - 64));
  const whole = over / under;
  const rest = over - whole * under;
  return Number(whole) + Number(rest >> spare) / Number(under >> spare);
}

// Returns true only if a triangle certainly lies beside the ray or behind its start. Computes in doubles,
// with a margin that covers the slope of the ray (at most 1 in 10,000) and all rounding errors.
function isFar(boxes: Float64Array, at: number, near: number[], axis: number, way: number): boolean {
  const reach = Math.max(
    Math.abs(boxes[at + axis] - near[axis]),
    Math.abs(boxes[at + 3 + axis] - near[axis]),
  );
  const margin = reach * 1e-4 + Math.max(...near.map(Math.abs)) * 1e-12;
  const farthest = way > 0 ? boxes[at + 3 + axis] - near[axis] : near[axis] - boxes[at + axis];
  if (farthest < -margin) return true;
  return [1, 2].some(step => {
    const other = (axis + step) % 3;
    return boxes[at + other] > near[other] + margin || boxes[at + 3 + other] < near[other] - margin;
  });
}
