// Computes the intersection of two triangles in BigInt, for pairs that the kernel `findSegments` leaves
// undecided. Coordinates may be any finite doubles. The code favors clarity over speed.
import {
  bitLength,
  cross,
  dot,
  type IntegerVector,
  isZero,
  nearestDouble,
  signOf,
  subtract,
} from '../core/integers.js';
import { segmentLimits } from '../records/segmentLayout.js';

/**
 * How two triangles intersect. `kind`: one of the kinds in segmentLimits. `points`: the point, the ends of
 * the segment or the corners of the polygon that the triangles share, three doubles each.
 */
export interface TriangleIntersection {
  kind: number;
  points: number[];
}

/** The point `point / weight`, with weight > 0. */
export interface HomogeneousPoint {
  point: IntegerVector;
  weight: bigint;
}
/** A triangle, or, if it has no area, the segment or point that its corners span. */
interface Shape {
  corners: readonly IntegerVector[];
  normal: IntegerVector;
  hasArea: boolean;
  edges: readonly (readonly [IntegerVector, IntegerVector])[];
}

const AXES = [0, 1, 2] as const;
const DENORMAL_EXPONENT = 1074;

export const scale = (a: IntegerVector, factor: bigint): IntegerVector => [
  a[0] * factor,
  a[1] * factor,
  a[2] * factor,
];

/**
 * Computes how two triangles intersect: the kind of contact, and the corners of the point, segment or polygon
 * that the triangles share. For pairs that the kernel `findSegments` decides, the result is the same, bit for
 * bit.
 * @param points 18 finite doubles: A's three vertices, then B's.
 */
export function intersectTrianglesExact(points: Float64Array): TriangleIntersection {
  const { whole, shift } = onCommonGrid(points);
  const a = shapeOf(whole.slice(0, 3));
  const b = shapeOf(whole.slice(3));
  const ends = sharedCorners(a, b);
  const ordered = orderCorners(ends, a, b);
  const rounded = ordered.ends.map(end => roundPoint(end, shift));
  return {
    kind: kindOf(ends.length, a, b),
    points: (ordered.isDirected ? rounded : minRotation(rounded)).flat(),
  };
}

/**
 * Returns the exact corners of the point, segment or polygon that two triangles share, in no particular order.
 * @param corners A's three corners, then B's.
 */
export const sharedCornersOf = (corners: readonly IntegerVector[]): HomogeneousPoint[] =>
  sharedCorners(shapeOf(corners.slice(0, 3)), shapeOf(corners.slice(3)));

function sharedCorners(a: Shape, b: Shape): HomogeneousPoint[] {
  const ends: HomogeneousPoint[] = [];
  for (const [one, other] of [
    [a, b],
    [b, a],
  ] as const) {
    for (const point of one.corners)
      if (containsPoint(other, point)) addDistinct(ends, { point, weight: 1n });
    for (const [u, v] of one.edges) addPiercingPoint(ends, u, v, other);
  }
  for (const [u, v] of a.edges) for (const [r, s] of b.edges) addEdgeCrossing(ends, u, v, r, s);
  return ends;
}

/** Converts the values to points with integer coordinates. Each value is its integer times 2^(shift - 1074). */
export function onCommonGrid(values: Float64Array): { whole: IntegerVector[]; shift: number } {
  const bits = new BigUint64Array(values.slice().buffer);
  const integers = Array.from(bits, word => {
    const biased = (word >> 52n) & 0x7ffn;
    const fraction = word & 0xfffffffffffffn;
    const size = biased === 0n ? fraction : (fraction | (1n << 52n)) << (biased - 1n);
    return word >> 63n === 0n ? size : -size;
  });
  const all = integers.reduce((mask, value) => mask | (value < 0n ? -value : value), 0n);
  const shift = all === 0n ? 0 : bitLength(all & -all) - 1;
  const at = (i: number): bigint => integers[i] >> BigInt(shift);
  const whole = Array.from(
    { length: values.length / 3 },
    (_, i): IntegerVector => [at(3 * i), at(3 * i + 1), at(3 * i + 2)],
  );
  return { whole, shift };
}

function shapeOf([a, b, c]: readonly IntegerVector[]): Shape {
  const normal = cross(subtract(b!, a!), subtract(c!, a!));
  const hasArea = !isZero(normal);
  if (hasArea)
    return {
      corners: [a!, b!, c!],
      normal,
      hasArea,
      edges: [
        [a!, b!],
        [b!, c!],
        [c!, a!],
      ],
    };
  // All vertices lie on one line. Keep the two vertices that are farthest apart: the ends of the longest
  // edge.
  const edges = [
    [a!, b!],
    [b!, c!],
    [c!, a!],
  ] as const;
  const lengths = edges.map(([from, to]) => dot(subtract(to, from), subtract(to, from)));
  const longest = edges[lengths.indexOf(lengths.reduce((max, length) => (length > max ? length : max)))];
  return isZero(subtract(...longest))
    ? { corners: [a!], normal, hasArea, edges: [] }
    : { corners: longest, normal, hasArea, edges: [longest] };
}

const heightOf = ({ normal, corners }: Shape, point: IntegerVector): bigint =>
  dot(normal, subtract(point, corners[0]));

// Returns whether point / weight, which lies in the triangle's plane, is inside the triangle or on its
// border.
const isWithin = ({ edges, normal }: Shape, point: IntegerVector, weight: bigint): boolean =>
  edges.every(
    ([from, to]) => dot(normal, cross(subtract(to, from), subtract(point, scale(from, weight)))) >= 0n,
  );

function containsPoint(shape: Shape, point: IntegerVector): boolean {
  if (shape.hasArea) return heightOf(shape, point) === 0n && isWithin(shape, point, 1n);
  const [from, to = from] = shape.corners as [IntegerVector, IntegerVector?];
  return (
    isZero(cross(subtract(to, from), subtract(point, from))) &&
    dot(subtract(point, from), subtract(point, to)) <= 0n
  );
}

// Adds the point where an edge passes through a triangle from one side of its plane to the other.
function addPiercingPoint(ends: HomogeneousPoint[], u: IntegerVector, v: IntegerVector, shape: Shape): void {
  if (!shape.hasArea) return;
  const heightU = heightOf(shape, u);
  const heightV = heightOf(shape, v);
  if (signOf(heightU) * signOf(heightV) >= 0) return;
  const end = between(u, v, heightU, heightV);
  if (isWithin(shape, end.point, end.weight)) addDistinct(ends, end);
}

// Adds the point where two edges cross, if this point is not an end of either edge.
function addEdgeCrossing(
  ends: HomogeneousPoint[],
  u: IntegerVector,
  v: IntegerVector,
  r: IntegerVector,
  s: IntegerVector,
): void {
  const along = subtract(v, u);
  const across = subtract(s, r);
  const normal = cross(along, across);
  if (dot(normal, subtract(r, u)) !== 0n) return;
  const side = (from: IntegerVector, direction: IntegerVector, point: IntegerVector): bigint =>
    dot(normal, cross(direction, subtract(point, from)));
  const sideU = side(r, across, u);
  const sideV = side(r, across, v);
  if (signOf(sideU) * signOf(sideV) < 0 && signOf(side(u, along, r)) * signOf(side(u, along, s)) < 0)
    addDistinct(ends, between(u, v, sideU, sideV));
}

function between(u: IntegerVector, v: IntegerVector, heightU: bigint, heightV: bigint): HomogeneousPoint {
  const sign = BigInt(signOf(heightV));
  return {
    point: scale(subtract(scale(u, heightV), scale(v, heightU)), sign),
    weight: (heightV - heightU) * sign,
  };
}

function addDistinct(ends: HomogeneousPoint[], end: HomogeneousPoint): void {
  if (!ends.some(known => isZero(subtract(scale(known.point, end.weight), scale(end.point, known.weight)))))
    ends.push(end);
}

/** Returns the vector from one point to the other, multiplied by the weights of both points. */
export const vectorTo = (from: HomogeneousPoint, to: HomogeneousPoint): IntegerVector =>
  subtract(scale(to.point, from.weight), scale(from.point, to.weight));

function kindOf(count: number, a: Shape, b: Shape): number {
  if (count < 2) return count === 0 ? segmentLimits.DISJOINT : segmentLimits.TOUCH_POINT;
  if (count > 2)
    return dot(a.normal, b.normal) > 0n ? segmentLimits.COPLANAR_SAME : segmentLimits.COPLANAR_OPPOSITE;
  const isThrough = (one: Shape, other: Shape): boolean => {
    const sides = one.corners.map(point => signOf(heightOf(other, point)));
    return sides.includes(1) && sides.includes(-1);
  };
  return isThrough(a, b) && isThrough(b, a) ? segmentLimits.CROSS : segmentLimits.TOUCH_SEGMENT;
}

// Orders the points that the triangles share; n_a and n_b are the normals of the triangles. Three or more
// points are ordered counterclockwise around n_a. Two points are ordered along n_a x n_b if this is not 0; in
// this case, the order also determines which point is first, and `isDirected` is true. In all other cases, the
// caller chooses the first point.
function orderCorners(
  ends: HomogeneousPoint[],
  a: Shape,
  b: Shape,
): { ends: HomogeneousPoint[]; isDirected: boolean } {
  const [first, ...rest] = ends as [HomogeneousPoint, ...HomogeneousPoint[]];
  if (ends.length > 2)
    return {
      ends: [
        first,
        ...rest.sort((x, y) => -signOf(dot(a.normal, cross(vectorTo(first, x), vectorTo(first, y))))),
      ],
      isDirected: false,
    };
  const line = cross(a.normal, b.normal);
  if (ends.length < 2 || isZero(line)) return { ends, isDirected: false };
  return { ends: dot(line, vectorTo(first, rest[0])) > 0n ? ends : ends.reverse(), isDirected: true };
}

// Returns the doubles that are nearest to point / weight * 2^(shift - 1074).
const roundPoint = ({ point, weight }: HomogeneousPoint, shift: number): number[] =>
  point.map(value => nearestDouble(value << BigInt(shift), weight << BigInt(DENORMAL_EXPONENT)));

function comparePoints(a: readonly number[], b: readonly number[]): number {
  const axis = AXES.find(i => a[i] !== b[i]);
  return axis === undefined ? 0 : a[axis] - b[axis];
}

// Rotates a cyclic list of points so that the list becomes lexicographically smallest.
function minRotation(points: number[][]): number[][] {
  const rotations = points.map((_, start) => [...points.slice(start), ...points.slice(0, start)]);
  const compare = (x: number[][], y: number[][]): number =>
    x.map((point, i) => comparePoints(point, y[i])).find(order => order !== 0) ?? 0;
  return rotations.sort(compare)[0] ?? [];
}
