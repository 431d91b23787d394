// Bounds the area of the part of a polygon that lies outside of other polygons in its plane, in exact
// arithmetic.

import { cross, dot, type IntegerVector, subtract } from '../../core/integers.js';
import type { ProvenBounds } from '../volume/faceSums.js';
import type { ExactTriangle } from './exactLine.js';
import { BoundsSum, rootBounds } from './roots.js';

/**
 * A convex polygon, projected along an axis. Points are homogeneous, with a positive last coordinate. Line i
 * leads from point i to the next point. A line (a, b, c) consists of the points (x, y) with a x + b y + c = 0;
 * on its left, this sum is positive.
 */
interface Polygon {
  points: readonly IntegerVector[];
  lines: readonly IntegerVector[];
}

/** Two triangles in one plane. They stand for a polygon: their common part, which has an area. */
export type ExactOverlap = readonly [ExactTriangle, ExactTriangle];

const AXES = [0, 1, 2] as const;
/** Max number of pieces into which a polygon is cut. */
const MAX_PIECES = 64;

const normalOf = ([a, b, c]: ExactTriangle): IntegerVector => cross(subtract(b, a), subtract(c, a));
const sizeOf = (value: bigint): bigint => (value < 0n ? -value : value);

/** Returns whether two polygons lie in one plane. */
export function areInOnePlane([triangle]: ExactOverlap, [other]: ExactOverlap): boolean {
  const normal = normalOf(triangle);
  return other.every(corner => dot(normal, subtract(corner, triangle[0])) === 0n);
}

/**
 * Returns bounds of the area of the part of a polygon that lies outside of others. This part is computed
 * exactly, and only its area is rounded, outward. If there are too many pieces after a cut, the lower bound is
 * 0, and the upper bound is that of the whole polygon's area.
 * @param others Polygons in the same plane.
 * @param exponent Coordinates are in units of 2^exponent.
 */
export function areaWithout(
  [one, two]: ExactOverlap,
  others: readonly ExactOverlap[],
  exponent: number,
): ProvenBounds {
  const normal = normalOf(one);
  const axis = AXES.reduce((best, next) => (sizeOf(normal[next]) > sizeOf(normal[best]) ? next : best));
  const project = (triangle: ExactTriangle): Polygon => polygonOf(triangle, axis);
  const whole = intersect(project(one), project(two).lines)!;
  const areaOf = (pieces: readonly Polygon[]): ProvenBounds => {
    const sum = new BoundsSum();
    for (const { points } of pieces) {
      for (let i = 1; i + 1 < points.length; i++) {
        const [p, q, r] = [points[0], points[i], points[i + 1]];
        const over = dot(p, cross(q, r));
        const under = 2n * p[2] * q[2] * r[2] * normal[axis];
        sum.add(rootBounds(over * over * dot(normal, normal), under * under, 2 * exponent));
      }
    }
    return sum.bounds;
  };
  let pieces = [whole];
  for (const other of others) {
    const lines = other.flatMap(triangle => project(triangle).lines);
    pieces = pieces.flatMap(piece => subtractFrom(piece, lines));
    if (pieces.length > MAX_PIECES) return { lower: 0, upper: areaOf([whole]).upper };
  }
  return areaOf(pieces);
}

// Projects a triangle along an axis, and puts its corners in counterclockwise order.
function polygonOf(triangle: ExactTriangle, axis: number): Polygon {
  const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
  const corners = triangle.map((corner): IntegerVector => [corner[u], corner[v], 1n]);
  const points = dot(corners[0], cross(corners[1], corners[2])) > 0n ? corners : corners.reverse();
  return { points, lines: points.map((point, i) => cross(point, points[(i + 1) % 3])) };
}

// Returns the part of a polygon on the left of all lines; undefined if it has no area.
function intersect(polygon: Polygon, lines: readonly IntegerVector[]): Polygon | undefined {
  let left: Polygon | undefined = polygon;
  for (const line of lines) left = left && clip(left, line);
  return left;
}

// Returns the parts of a polygon that lie on the right of at least one line. Cuts off the part on the right of
// each line in turn, and drops what remains at the end.
function subtractFrom(polygon: Polygon, lines: readonly IntegerVector[]): Polygon[] {
  const cut: Polygon[] = [];
  let rest: Polygon = polygon;
  for (const [a, b, c] of lines) {
    const outside = clip(rest, [-a, -b, -c]);
    if (outside) cut.push(outside);
    const inside = clip(rest, [a, b, c]);
    if (!inside) return [polygon];
    rest = inside;
  }
  return cut;
}

// Returns the part of a polygon on the left of a line; undefined if it has no area. Each new point is the
// crossing of two lines through corners of triangles, so the number of bits of its coordinates does not grow
// with the number of cuts.
function clip({ points, lines }: Polygon, line: IntegerVector): Polygon | undefined {
  const sides = points.map(point => dot(line, point));
  if (sides.every(side => side <= 0n)) return undefined;
  if (sides.every(side => side >= 0n)) return { points, lines };
  const left: { points: IntegerVector[]; lines: IntegerVector[] } = { points: [], lines: [] };
  const add = (point: IntegerVector, next: IntegerVector): void => {
    left.points.push(point);
    left.lines.push(next);
  };
  points.forEach((point, i) => {
    const [side, next] = [sides[i], sides[(i + 1) % points.length]];
    if (side >= 0n) add(point, side === 0n && next < 0n ? line : lines[i]);
    if (side > 0n && next < 0n) add(crossing(lines[i], line), line);
    else if (side < 0n && next > 0n) add(crossing(lines[i], line), lines[i]);
  });
  return left;
}

function crossing(one: IntegerVector, other: IntegerVector): IntegerVector {
  const [x, y, weight] = cross(one, other);
  return weight < 0n ? [-x, -y, -weight] : [x, y, weight];
}
