// Proves that a ball crosses no triangle, in exact integer arithmetic.

import { cross, dot, type IntegerVector, subtract } from '../../core/integers.js';
import { integerShift, toInteger } from '../gridPoint.js';
import type { Vector } from './piece.js';
import { nearestOnTriangle, SLIVER } from './triangleTree.js';

/** Shares by which the given radius is reduced; they are tried in order until the proof succeeds. */
const SHRINKING = [0, 2 ** -48, 2 ** -40, 2 ** -30, 2 ** -20, 2 ** -10];
/**
 * A triangle is not tested exactly if its distance in doubles exceeds the radius by more than MARGIN times the
 * sum of the radius and the largest coordinate.
 */
const MARGIN = 2 ** -16;

/**
 * Returns a radius for which it is proven that no triangle has a point inside the ball. It is `radius` or, if
 * the proof fails for `radius`, a smaller one of at least (1 - 2^-10) times `radius`. Returns 0 if the proof
 * fails even for the smallest of these.
 * @param corners Nine doubles per triangle.
 */
export function provenRadius(corners: Float64Array, center: Vector, radius: number): number {
  const close = closeTriangles(corners, center, radius);
  for (const share of SHRINKING) {
    const smaller = radius * (1 - share);
    if (close.every(triangle => isFree(triangle, center, smaller))) return smaller;
  }
  return 0;
}

// Returns the triangles that must be tested exactly, because doubles do not prove that they are outside of the
// ball. The distance of a sliver is not accurate in doubles, so only the sliver's box can prove that it is
// outside.
function closeTriangles(corners: Float64Array, center: Vector, radius: number): Float64Array[] {
  const [x, y, z] = center;
  const foot = new Float64Array(3);
  const close: Float64Array[] = [];
  for (let at = 0; at < corners.length; at += 9) {
    const triangle = corners.subarray(at, at + 9);
    let maxCoordinate = Math.max(Math.abs(x), Math.abs(y), Math.abs(z));
    for (const value of triangle) maxCoordinate = Math.max(maxCoordinate, Math.abs(value));
    const far = radius * (1 + MARGIN) + maxCoordinate * MARGIN;
    const isApart = [0, 1, 2].some(
      axis =>
        Math.min(triangle[axis], triangle[3 + axis], triangle[6 + axis]) > center[axis] + far ||
        Math.max(triangle[axis], triangle[3 + axis], triangle[6 + axis]) < center[axis] - far,
    );
    if (isApart || (!isSliver(triangle) && nearestOnTriangle(corners, at, x, y, z, foot) > far * far))
      continue;
    close.push(triangle);
  }
  return close;
}

function isSliver(corners: Float64Array): boolean {
  let [bb, cc, bc] = [0, 0, 0];
  for (let axis = 0; axis < 3; axis++) {
    const b = corners[3 + axis] - corners[axis];
    const c = corners[6 + axis] - corners[axis];
    bb += b * b;
    cc += c * c;
    bc += b * c;
  }
  return !(bb * cc - bc * bc > SLIVER * bb * cc);
}

// Returns whether no point of a triangle is closer to the center than the radius.
function isFree(triangle: Float64Array, center: Vector, radius: number): boolean {
  const shift = Math.max(integerShift(triangle), integerShift(center), integerShift([radius]));
  const vector = (values: ArrayLike<number>, at: number): IntegerVector => [
    toInteger(values[at], shift),
    toInteger(values[at + 1], shift),
    toInteger(values[at + 2], shift),
  ];
  const point = vector(center, 0);
  const squared = toInteger(radius, shift) ** 2n;
  const corners = [0, 3, 6].map(at => vector(triangle, at));
  const normal = cross(subtract(corners[1], corners[0]), subtract(corners[2], corners[0]));
  const edges = [0, 1, 2].map(i => [corners[i], corners[(i + 1) % 3]] as const);
  const size = dot(normal, normal);
  if (
    size > 0n &&
    edges.every(([from, to]) => dot(cross(subtract(to, from), subtract(point, from)), normal) >= 0n)
  ) {
    const height = dot(normal, subtract(point, corners[0]));
    return height * height >= squared * size;
  }
  return edges.every(([from, to]) => {
    const edge = subtract(to, from);
    const out = subtract(point, from);
    const along = dot(edge, out);
    const length = dot(edge, edge);
    if (along <= 0n) return dot(out, out) >= squared;
    if (along >= length) return true;
    return dot(out, out) * length - along * along >= squared * length;
  });
}
