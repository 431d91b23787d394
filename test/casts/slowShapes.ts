// Decides exactly, with fractions of BigInts, how far spheres, capsules and boxes are from triangles, at rest and
// in motion. This file is the reference for casts and overlaps of shapes. It is slow and simple, and shares no
// code with the engine.

import { nearestDouble } from '../oracle/commonSet.js';
import {
  compare,
  cross,
  dot,
  type Fraction,
  isZero,
  type RationalPoint,
  signOf,
  subtract,
  type Vector,
} from '../oracle/fractions.js';
import { splitDouble } from '../oracle/integers.js';

/** All points within `radius` of the segment from start to end. A sphere has equal ends. */
export interface SlowCapsule {
  readonly start: readonly number[];
  readonly end: readonly number[];
  readonly radius: number;
}

/** All points center + x axes[0..2] + y axes[3..5] + z axes[6..8] with |x|, |y|, |z| <= 1. */
export interface SlowBox {
  readonly center: readonly number[];
  readonly axes: readonly number[];
}

/** The nearest points of two simplices, and the vector from the one on B to the one on A. */
export interface Nearest {
  readonly square: Fraction;
  readonly vector: RationalPoint;
  readonly onA: RationalPoint;
  readonly onB: RationalPoint;
}

/** Returns the integers for which each value equals integer * 2^exponent. */
export function onGrid(values: readonly number[]): { integers: bigint[]; exponent: number } {
  const parts = values.map(splitDouble);
  const used = parts.filter(({ mantissa }) => mantissa !== 0n);
  const exponent = used.length === 0 ? 0 : Math.min(...used.map(part => part.exponent));
  const integers = parts.map(part =>
    part.mantissa === 0n ? 0n : part.mantissa << BigInt(part.exponent - exponent),
  );
  return { integers, exponent };
}

const plus = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const scaled = (a: Vector, factor: bigint): Vector => [a[0] * factor, a[1] * factor, a[2] * factor];
export const vectorsOf = (numbers: readonly bigint[]): Vector[] =>
  Array.from({ length: numbers.length / 3 }, (_, i) => [
    numbers[3 * i],
    numbers[3 * i + 1],
    numbers[3 * i + 2],
  ]);

function determinant(rows: readonly (readonly bigint[])[]): bigint {
  if (rows.length === 0) return 1n;
  return rows[0].reduce((sum, value, column) => {
    if (value === 0n) return sum;
    const minor = determinant(rows.slice(1).map(row => row.filter((_, i) => i !== column)));
    return column % 2 === 0 ? sum + value * minor : sum - value * minor;
  }, 0n);
}

// Returns a list of vertex numbers for each face of a simplex with `count` vertices. Vertices, edges and the
// simplex itself count as faces.
const facesOf = (count: number): number[][] =>
  Array.from({ length: 2 ** count - 1 }, (_, set) =>
    Array.from({ length: count }, (_, i) => i).filter(i => ((set + 1) >> i) & 1),
  );

/**
 * Finds the nearest points of two simplices of 1 to 4 vertices, which may be degenerate. At least one pair of
 * nearest points lies on two faces whose edges are linearly independent. These two points are the only nearest
 * points of the affine hulls of the two faces. So this function computes the nearest points of the affine hulls
 * of each such pair of faces, and keeps the nearest two points that lie on their faces.
 */
export function nearest(a: readonly Vector[], b: readonly Vector[]): Nearest {
  let best: Nearest | undefined;
  for (const faceA of facesOf(a.length)) {
    for (const faceB of facesOf(b.length)) {
      if (faceA.length + faceB.length > 5) continue;
      const [firstA, firstB] = [a[faceA[0]], b[faceB[0]]];
      const offset = subtract(firstA, firstB);
      const edgesA = faceA.slice(1).map(i => subtract(a[i], firstA));
      const edgesB = faceB.slice(1).map(i => subtract(b[i], firstB));
      // Minimizes |offset + sum of shares * edges|. The edges of B count negatively.
      const edges = [...edgesA, ...edgesB.map(edge => scaled(edge, -1n))];
      const rows = edges.map(one => edges.map(two => dot(one, two)));
      const under = determinant(rows);
      if (under === 0n) continue;
      const right = edges.map(edge => -dot(edge, offset));
      // Cramer's rule: the shares are these numbers / under.
      const shares = edges.map((_, column) =>
        determinant(rows.map((row, k) => row.map((value, i) => (i === column ? right[k] : value)))),
      );
      const isInside = (own: readonly bigint[]): boolean =>
        own.every(share => share >= 0n) && own.reduce((sum, share) => sum + share, 0n) <= under;
      const [ownA, ownB] = [shares.slice(0, edgesA.length), shares.slice(edgesA.length)];
      if (!isInside(ownA) || !isInside(ownB)) continue;
      const vector = edges.reduce(
        (sum, edge, i) => plus(sum, scaled(edge, shares[i])),
        scaled(offset, under),
      );
      const square = { over: dot(vector, vector), under: under * under };
      if (best && compare(square, best.square) >= 0) continue;
      const pointOf = (first: Vector, own: readonly Vector[], part: readonly bigint[]): RationalPoint => ({
        at: own.reduce((sum, edge, i) => plus(sum, scaled(edge, part[i])), scaled(first, under)),
        under,
      });
      best = {
        square,
        vector: { at: vector, under },
        onA: pointOf(firstA, edgesA, ownA),
        onB: pointOf(firstB, edgesB, ownB),
      };
    }
  }
  return best!;
}

/** A capsule, its path until a time, and a triangle. All numbers are exact, in multiples of 2^exponent. */
interface Numbers {
  readonly start: Vector;
  readonly end: Vector;
  readonly path: Vector;
  readonly radius: bigint;
  readonly corners: readonly Vector[];
  readonly exponent: number;
}

function numbersOf(
  { start, end, radius }: SlowCapsule,
  motion: readonly number[],
  corners: ArrayLike<number>,
  time: number,
): Numbers {
  const { integers, exponent } = onGrid([...start, ...end, ...motion, ...Array.from(corners), radius]);
  let { mantissa, exponent: power } = splitDouble(time);
  while (power < 0 && mantissa % 2n === 0n) {
    mantissa /= 2n;
    power++;
  }
  // Multiplies everything by 2^-power, which is an integer because the time is at most 1.
  const factor = 1n << BigInt(-power);
  const [from, to, step, ...triangle] = vectorsOf(integers.slice(0, -1));
  return {
    start: scaled(from, factor),
    end: scaled(to, factor),
    path: scaled(step, mantissa),
    radius: integers.at(-1)! * factor,
    corners: triangle.map(corner => scaled(corner, factor)),
    exponent: exponent + power,
  };
}

const NO_MOTION = [0, 0, 0];
const areEqual = (a: Vector, b: Vector): boolean => isZero(subtract(a, b));
const axisOf = (start: Vector, end: Vector): Vector[] => (areEqual(start, end) ? [start] : [start, end]);

// Returns simplices whose union is the set of points that the axis passes until the time. This set is a point,
// a segment or a parallelogram.
function sweptAxis({ start, end, path }: Numbers): Vector[][] {
  if (isZero(path)) return [axisOf(start, end)];
  if (areEqual(start, end)) return [[start, plus(start, path)]];
  return [
    [start, end, plus(end, path)],
    [start, plus(end, path), plus(start, path)],
  ];
}

// Returns whether a plane that is easy to find proves that all points are farther from the triangle than the
// radius.
function isObviouslyFar(points: readonly Vector[], corners: readonly Vector[], radius: bigint): boolean {
  const [a, b, c] = corners;
  const sides = [subtract(b, a), subtract(c, b), subtract(a, c)];
  const spans = points.slice(1).map(point => subtract(point, points[0]));
  const axes: Vector[] = [
    [1n, 0n, 0n],
    [0n, 1n, 0n],
    [0n, 0n, 1n],
  ];
  const normals = [
    ...axes,
    cross(sides[0], sides[1]),
    ...spans.flatMap(span => sides.map(side => cross(span, side))),
    ...spans.map(span => cross(span, cross(span, subtract(a, points[0])))),
  ];
  const minOf = (values: readonly bigint[]): bigint => values.reduce((one, two) => (one < two ? one : two));
  return normals.some(normal => {
    const along = (all: readonly Vector[], sign: bigint): bigint[] =>
      all.map(point => sign * dot(normal, point));
    const gaps = [1n, -1n].map(
      sign => minOf(along(points, sign)) - along(corners, sign).reduce((one, two) => (one > two ? one : two)),
    );
    return gaps.some(gap => gap > 0n && gap * gap > radius * radius * dot(normal, normal));
  });
}

// Compares the radius with the distance between the triangle and the points that the axis passes until `time`.
// Returns -1 if the distance is less than the radius, 0 if both are equal, and 1 if the distance is greater.
function compareSwept(
  capsule: SlowCapsule,
  motion: readonly number[],
  corners: ArrayLike<number>,
  time: number,
): number {
  const numbers = numbersOf(capsule, motion, corners, time);
  const square = { over: numbers.radius * numbers.radius, under: 1n };
  return Math.min(
    ...sweptAxis(numbers).map(part =>
      isObviouslyFar(part, numbers.corners, numbers.radius)
        ? 1
        : compare(nearest(part, numbers.corners).square, square),
    ),
  );
}

/** Returns whether the capsule touches or overlaps the closed triangle. corners: nine doubles. */
export const overlaps = (capsule: SlowCapsule, corners: ArrayLike<number>): boolean =>
  compareSwept(capsule, NO_MOTION, corners, 0) <= 0;

/** Returns whether the moving capsule touches the triangle at a time from 0 to 1. */
export const touches = (
  capsule: SlowCapsule,
  motion: readonly number[],
  corners: ArrayLike<number>,
): boolean => compareSwept(capsule, motion, corners, 1) <= 0;

/** Returns whether the moving capsule touches the triangle at a time below `time`. */
export function touchesBefore(
  capsule: SlowCapsule,
  motion: readonly number[],
  corners: ArrayLike<number>,
  time: number,
): boolean {
  if (time === 0) return false;
  const order = compareSwept(capsule, motion, corners, time);
  // If the min distance equals the radius, it may be reached only at `time`.
  return order < 0 || (order === 0 && compareSwept(capsule, motion, corners, previousDouble(time)) <= 0);
}

/** Returns the largest double below a positive number. */
export function previousDouble(value: number): number {
  const bits = new BigInt64Array(Float64Array.of(value).buffer);
  bits[0]--;
  return new Float64Array(bits.buffer)[0];
}

// Returns the square root of a fraction * 2^(2 exponent), exact except for a few roundings.
function lengthOf({ over, under }: Fraction, exponent: number): number {
  if (over === 0n) return 0;
  // Brings the square near 1, so that it is neither too large nor too small for a double.
  const bits = over.toString(2).length - under.toString(2).length;
  const half = Math.trunc(bits / 2);
  return Math.sqrt(nearestDouble(over, under, -2 * half)) * 2 ** (half + exponent);
}

/** The state of a capsule and a triangle at a time of the motion. All lengths are doubles. */
export interface State {
  /** Distance of the axis of the capsule from the triangle. */
  readonly distance: number;
  /** `distance` - radius, with a relative error of a few roundings. */
  readonly separation: number;
  /**
   * How fast the distance grows at this time, per unit of time. If the axis meets the triangle, this is the
   * speed along the normal that points to the side of the triangle on which the middle of the axis lies. It is
   * undefined if the middle lies in the plane of the triangle, or if the triangle has no normal.
   */
  readonly speed: number | undefined;
}

/** Returns the distance of the capsule from the triangle at `time`. */
export function stateAt(
  capsule: SlowCapsule,
  motion: readonly number[],
  corners: ArrayLike<number>,
  time: number,
): State {
  const { start, end, path, radius, corners: triangle, exponent } = numbersOf(capsule, motion, corners, time);
  const found = nearest(axisOf(plus(start, path), plus(end, path)), triangle);
  const distance = lengthOf(found.square, exponent);
  const excess = found.square.over - radius * radius * found.square.under;
  const own = { over: excess < 0n ? -excess : excess, under: found.square.under };
  // Computes (d^2 - r^2) / (d + r). The numerator is computed as the square of the root of |d^2 - r^2|, because
  // `lengthOf` converts only lengths to doubles.
  const root = lengthOf(own, exponent);
  const separation = excess === 0n ? 0 : (signOf(excess) * root * root) / (distance + capsule.radius);
  let along = found.vector.at;
  if (isZero(along)) {
    const [a, b, c] = triangle;
    const normal = cross(subtract(b, a), subtract(c, a));
    const middle = plus(plus(start, path), subtract(plus(end, path), scaled(a, 2n)));
    along = scaled(normal, BigInt(signOf(dot(normal, middle))));
  }
  // The motion has another grid than `along`, but only the direction of `along` matters.
  const { integers, exponent: grid } = onGrid([...motion]);
  const [direction] = vectorsOf(integers);
  const product = dot(along, direction);
  const speed = isZero(along)
    ? undefined
    : signOf(product) * lengthOf({ over: product * product, under: dot(along, along) }, grid);
  return { distance, separation, speed };
}

/** How much a hit differs from an exact one. All are lengths, except `normalLength`. */
export interface HitErrors extends State {
  /** Distance of the point from the triangle. */
  readonly point: number;
  /** Distance between the axis and the point that is `distance` away from `point` along the normal. */
  readonly normal: number;
  /** |separation - exact separation|. */
  readonly separationError: number;
  /** |length of the normal - 1|. */
  readonly normalLength: number;
}

export interface SlowHit {
  readonly t: number;
  readonly point: readonly number[];
  readonly normal: readonly number[];
  readonly separation: number;
}

/** Compares a hit of a triangle with the exact distance at the time of the hit. */
export function errorsOf(
  capsule: SlowCapsule,
  motion: readonly number[],
  corners: ArrayLike<number>,
  { t, point, normal, separation }: SlowHit,
): HitErrors {
  const state = stateAt(capsule, motion, corners, t);
  const fromPoint = (at: readonly number[]) => ({ start: at, end: at, radius: 0 });
  const tip = point.map((value, i) => value + normal[i] * state.distance);
  return {
    ...state,
    point: stateAt(fromPoint(point), NO_MOTION, corners, 0).distance,
    normal: distanceFromAxis(capsule, motion, t, tip),
    separationError: Math.abs(separation - state.separation),
    normalLength: Math.abs(Math.sqrt(normal.reduce((sum, value) => sum + value * value, 0)) - 1),
  };
}

// Returns the distance of a point from the axis of the capsule at a time.
function distanceFromAxis(
  capsule: SlowCapsule,
  motion: readonly number[],
  time: number,
  point: readonly number[],
): number {
  const { start, end, path, corners, exponent } = numbersOf(capsule, motion, point, time);
  return lengthOf(nearest(axisOf(plus(start, path), plus(end, path)), corners).square, exponent);
}

/** Returns the largest magnitude of the numbers of a cast: the tolerances of hits are multiples of it. */
export const magnitudeOf = (
  { start, end, radius }: SlowCapsule,
  motion: readonly number[],
  corners: ArrayLike<number>,
): number => Math.max(radius, ...[...start, ...end, ...motion, ...Array.from(corners)].map(Math.abs));

// The corners of six tetrahedra that fill a cube. In each tetrahedron, the corners are a path along three edges
// of the cube, from corner 0 to the opposite corner 7. The paths differ in the order of the three axes. Bit i
// of a corner's number tells on which of the two sides of the cube along axis i the corner is.
const TETRAHEDRA = [
  [0, 1, 3, 7],
  [0, 1, 5, 7],
  [0, 2, 3, 7],
  [0, 2, 6, 7],
  [0, 4, 5, 7],
  [0, 4, 6, 7],
];
const CUBE_EDGES = [0, 1, 2, 3, 4, 5, 6, 7].flatMap(corner =>
  [1, 2, 4].flatMap(bit => ((corner & bit) === 0 ? [[corner, corner | bit]] : [])),
);
const SIDES = [
  [0, 1],
  [1, 2],
  [2, 0],
];

// Returns the axes of the box, its corners and the triangle relative to the center, as integers.
function boxNumbers({ center, axes }: SlowBox, corners: ArrayLike<number>) {
  const { integers } = onGrid([...center, ...axes, ...Array.from(corners)]);
  const [middle, x, y, z, ...triangle] = vectorsOf(integers);
  const own = Array.from({ length: 8 }, (_, corner) =>
    [x, y, z].reduce<Vector>(
      (sum, axis, i) => plus(sum, scaled(axis, (corner >> i) & 1 ? 1n : -1n)),
      [0n, 0n, 0n],
    ),
  );
  return { axes: [x, y, z], own, triangle: triangle.map(corner => subtract(corner, middle)) };
}

/**
 * Returns whether the solid box and the closed triangle share a point. If they do, an edge of the triangle has a
 * point in the box, or an edge of the box has a point in the triangle.
 */
export function boxOverlaps(box: SlowBox, corners: ArrayLike<number>): boolean {
  const { axes, own, triangle } = boxNumbers(box, corners);
  const [x, y, z] = axes;
  const volume = dot(x, cross(y, z));
  if (volume === 0n) return boxOverlapsByTetrahedra(box, corners);
  if (isObviouslyFar(own, triangle, 0n)) return false;
  // The coordinate of a point along an axis of the box is dot(dual vector, point) / volume.
  const dual = [cross(y, z), cross(z, x), cross(x, y)];
  const limit = volume < 0n ? -volume : volume;
  const isEdgeInside = SIDES.some(([i, j]) => {
    let low: Fraction = { over: 0n, under: 1n };
    let high: Fraction = { over: 1n, under: 1n };
    for (const direction of dual) {
      const from = dot(direction, triangle[i]);
      const step = dot(direction, triangle[j]) - from;
      if (step === 0n) {
        if (from > limit || from < -limit) return false;
        continue;
      }
      const [enter, leave] = (step > 0n ? [-limit, limit] : [limit, -limit]).map(end =>
        step > 0n ? { over: end - from, under: step } : { over: from - end, under: -step },
      );
      if (compare(enter, low) > 0) low = enter;
      if (compare(leave, high) < 0) high = leave;
    }
    return compare(low, high) <= 0;
  });
  return isEdgeInside || CUBE_EDGES.some(([i, j]) => areTouching([own[i], own[j]], triangle));
}

const areTouching = (a: readonly Vector[], b: readonly Vector[]): boolean =>
  !isObviouslyFar(a, b, 0n) && nearest(a, b).square.over === 0n;

/**
 * Returns the same as `boxOverlaps`, but divides the box into tetrahedra. This is slower, but it also works for
 * boxes without a volume.
 */
export function boxOverlapsByTetrahedra(box: SlowBox, corners: ArrayLike<number>): boolean {
  const { own, triangle } = boxNumbers(box, corners);
  return TETRAHEDRA.some(part =>
    areTouching(
      part.map(corner => own[corner]),
      triangle,
    ),
  );
}
