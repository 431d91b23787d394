// Decides with BigInt arithmetic whether a capsule or a box overlaps a triangle. Used if doubles cannot decide.

import { cross, dot, type IntegerVector, isZero, subtract } from '../core/integers.js';
import { toExactIntegers } from '../mesh/trianglesIntersectExact.js';
import type { ShapeNumbers } from './shapes.js';

type Triangle = readonly [IntegerVector, IntegerVector, IntegerVector];

const SIDES = [
  [0, 1],
  [1, 2],
  [2, 0],
] as const;

/** Returns whether the closed shape and the closed triangle share a point. corners: nine doubles. */
export function overlapExactly(shape: ShapeNumbers, corners: Float64Array): boolean {
  const { kind, start, end, radius, axes } = shape;
  // Scaling all numbers by one factor does not change the answer.
  const numbers = toExactIntegers(Float64Array.of(...start, ...end, ...axes, radius, ...corners));
  const vector = (i: number): IntegerVector => [numbers[i], numbers[i + 1], numbers[i + 2]];
  const origin = vector(0);
  const triangle: Triangle = [
    subtract(vector(16), origin),
    subtract(vector(19), origin),
    subtract(vector(22), origin),
  ];
  return kind === 'box'
    ? boxOverlaps([vector(6), vector(9), vector(12)], triangle)
    : capsuleOverlaps(subtract(vector(3), origin), numbers[15], triangle);
}

// Returns whether the distance of the triangle from the segment is at most the radius. The segment runs from
// the origin to `end`. Tests the distances of all pairs of features, because the nearest points lie on one of
// these pairs. Each tested distance is between a point of the segment and a point of the triangle, so it is
// never less than the distance of the two.
function capsuleOverlaps(end: IntegerVector, radius: bigint, triangle: Triangle): boolean {
  const square = radius * radius;
  const origin: IntegerVector = [0n, 0n, 0n];
  const [a, b, c] = triangle;
  const normal = cross(subtract(b, a), subtract(c, a));
  if (!isZero(normal)) {
    if (crosses(end, triangle, normal)) return true;
    for (const p of [origin, end]) {
      const height = dot(normal, subtract(p, a));
      if (height * height <= square * dot(normal, normal) && projectsInside(p, triangle, normal)) return true;
    }
  }
  if (triangle.some(corner => isNearSegment(corner, origin, end, square))) return true;
  return SIDES.some(([i, j]) => {
    const [p, q] = [triangle[i], triangle[j]];
    return (
      isNearSegment(origin, p, q, square) ||
      isNearSegment(end, p, q, square) ||
      areNearInside(end, p, subtract(q, p), square)
    );
  });
}

// Returns whether the segment from the origin to `end` passes through the triangle's plane inside the triangle.
function crosses(end: IntegerVector, triangle: Triangle, normal: IntegerVector): boolean {
  const from = -dot(normal, triangle[0]);
  const to = from + dot(normal, end);
  if (from === to || (from > 0n && to > 0n) || (from < 0n && to < 0n)) return false;
  // The crossing is at end * from / (from - to). Multiply everything by |from - to|.
  const scale = from > to ? from - to : to - from;
  const share = from > to ? from : -from;
  const point: IntegerVector = [end[0] * share, end[1] * share, end[2] * share];
  const scaled = triangle.map(([x, y, z]) => [x * scale, y * scale, z * scale]) as unknown as Triangle;
  return projectsInside(point, scaled, normal);
}

// Returns whether the projection of p onto the triangle's plane is in the closed triangle.
const projectsInside = (p: IntegerVector, triangle: Triangle, normal: IntegerVector): boolean =>
  SIDES.every(
    ([i, j]) => dot(normal, cross(subtract(triangle[j], triangle[i]), subtract(p, triangle[i]))) >= 0n,
  );

// Returns whether the distance of p from the segment is at most the root of `square`.
function isNearSegment(p: IntegerVector, from: IntegerVector, to: IntegerVector, square: bigint): boolean {
  const direction = subtract(to, from);
  const offset = subtract(p, from);
  const along = dot(direction, offset);
  const length = dot(direction, direction);
  if (along <= 0n) return dot(offset, offset) <= square;
  if (along >= length) {
    const other = subtract(p, to);
    return dot(other, other) <= square;
  }
  const area = cross(direction, offset);
  return dot(area, area) <= square * length;
}

// Returns true if the nearest points of the lines through two segments lie on these segments, and the distance
// of these points is at most the root of `square`. The first segment runs from the origin to d, the second one
// from p to p + e.
function areNearInside(d: IntegerVector, p: IntegerVector, e: IntegerVector, square: bigint): boolean {
  const normal = cross(d, e);
  const determinant = dot(normal, normal);
  if (determinant === 0n) return false;
  const s = dot(cross(p, e), normal);
  const t = dot(cross(p, d), normal);
  if (s < 0n || s > determinant || t < 0n || t > determinant) return false;
  const height = dot(p, normal);
  return height * height <= square * determinant;
}

// The separating axis test. The box consists of the points x axes[0] + y axes[1] + z axes[2] with |x|, |y|,
// |z| <= 1, and has a volume.
function boxOverlaps(axes: readonly IntegerVector[], triangle: Triangle): boolean {
  const edges = SIDES.map(([i, j]) => subtract(triangle[j], triangle[i]));
  const directions = [
    cross(axes[0], axes[1]),
    cross(axes[1], axes[2]),
    cross(axes[2], axes[0]),
    cross(edges[0], edges[1]),
    ...axes.flatMap(axis => edges.map(edge => cross(axis, edge))),
  ];
  const size = (value: bigint): bigint => (value < 0n ? -value : value);
  return directions.every(direction => {
    const half = axes.reduce((sum, axis) => sum + size(dot(direction, axis)), 0n);
    const heights = triangle.map(corner => dot(direction, corner));
    return !(heights.every(height => height > half) || heights.every(height => height < -half));
  });
}
