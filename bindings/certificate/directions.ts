// Finds a direction along which the projections of two triangles are apart (a separating axis).

import { toExactIntegers } from '../mesh/trianglesIntersectExact.js';
import { DIRECTIONS } from './certificate.js';

/** Operations on numbers, which are either doubles or exact integers. */
interface Arithmetic<N> {
  subtract(a: N, b: N): N;
  multiply(a: N, b: N): N;
  add(a: N, b: N): N;
}

const doubles: Arithmetic<number> = {
  subtract: (a, b) => a - b,
  multiply: (a, b) => a * b,
  add: (a, b) => a + b,
};
const integers: Arithmetic<bigint> = {
  subtract: (a, b) => a - b,
  multiply: (a, b) => a * b,
  add: (a, b) => a + b,
};

type Vector<N> = readonly [N, N, N];

/**
 * Returns the direction with the number `index` for two triangles. points: their 18 coordinates, A's corners
 * first. The list below defines the directions. Two triangles that share no point, even degenerate ones, are
 * apart along at least one of these directions. The reason is that the shortest segment between them joins two
 * corners, joins a corner to an edge at a right angle, or is perpendicular to two edges or to a face.
 * - 0, 1: the normals of A and of B;
 * - 2 + 3 * i + j: perpendicular to edge i of A and edge j of B;
 * - 11 + 3 * i + j: from corner i of A to corner j of B;
 * - 20 + 3 * i + j: from the line of edge i of A to corner j of B, perpendicular to the edge;
 * - 29 + 3 * i + j: from the line of edge i of B to corner j of A, perpendicular to the edge.
 */
function directionOf<N>(
  { subtract, multiply }: Arithmetic<N>,
  points: ArrayLike<N>,
  index: number,
): Vector<N> {
  const corner = (i: number): Vector<N> => [points[3 * i], points[3 * i + 1], points[3 * i + 2]];
  const between = (from: number, to: number): Vector<N> => {
    const [p, q] = [corner(from), corner(to)];
    return [subtract(q[0], p[0]), subtract(q[1], p[1]), subtract(q[2], p[2])];
  };
  const edge = (triangle: number, i: number): Vector<N> =>
    between(3 * triangle + i, 3 * triangle + ((i + 1) % 3));
  const cross = (a: Vector<N>, b: Vector<N>): Vector<N> => [
    subtract(multiply(a[1], b[2]), multiply(a[2], b[1])),
    subtract(multiply(a[2], b[0]), multiply(a[0], b[2])),
    subtract(multiply(a[0], b[1]), multiply(a[1], b[0])),
  ];
  if (index < 2) return cross(edge(index, 0), edge(index, 1));
  const [kind, i, j] = [Math.floor((index - 2) / 9), Math.floor(((index - 2) % 9) / 3), (index - 2) % 3];
  if (kind === 0) return cross(edge(0, i), edge(1, j));
  if (kind === 1) return between(i, 3 + j);
  const along = edge(kind - 2, i);
  const toCorner = kind === 2 ? between(i, 3 + j) : between(3 + i, j);
  return cross(along, cross(toCorner, along));
}

/** Returns the degree of a direction's coordinates, which are polynomials in the coordinates of the corners. */
const degreeOf = (index: number): number => (index < 11 ? 2 : index < 20 ? 1 : 3);

/**
 * Returns the number of a direction along which two triangles are apart, or -1 if the triangles share a
 * point. The result is exact.
 * @param points - 18 finite doubles: A's corners, then B's
 */
export function separatingDirection(points: Float64Array): number {
  const moved = points.map((value, i) => value - points[i % 3]);
  const size = moved.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
  for (let index = 0; index < DIRECTIONS; index++) if (isSurelyApart(moved, size, index)) return index;
  const exact = toExactIntegers(points);
  for (let index = 0; index < DIRECTIONS; index++) if (isApart(integers, exact, index, 0n)) return index;
  return -1;
}

/**
 * Bound of the rounding error of a projection that is computed in doubles, relative to size^(degree + 1).
 * `size` is the largest absolute value of a coordinate, and `degree` is the degree of the direction (see
 * `degreeOf`). A projection has about 20 roundings, each with a relative error of 2^-53, and its intermediate
 * values are at most 300 times size^(degree + 1).
 */
const ERROR = 2 ** -36;
/**
 * Bounds of the margin of the test in doubles. Outside these bounds, numbers may underflow or overflow, and
 * `ERROR` does not cover the errors that this causes. The test then returns false.
 */
const MIN_MARGIN = 2 ** -900;
const MAX_MARGIN = 2 ** 900;

// Tests in doubles whether the triangles are apart along a direction. The result true is certain; the result
// false may be due to rounding. size: the largest absolute value of a coordinate.
function isSurelyApart(points: Float64Array, size: number, index: number): boolean {
  const margin = ERROR * size ** (degreeOf(index) + 1);
  return margin >= MIN_MARGIN && margin < MAX_MARGIN && isApart(doubles, points, index, margin);
}

// Returns whether the projections of the triangles on a direction are farther apart than a margin.
function isApart<N extends number | bigint>(
  arithmetic: Arithmetic<N>,
  points: ArrayLike<N>,
  index: number,
  margin: N,
): boolean {
  const { add, multiply, subtract } = arithmetic;
  const [x, y, z] = directionOf(arithmetic, points, index);
  const on = Array.from({ length: 6 }, (_, i) =>
    add(add(multiply(x, points[3 * i]), multiply(y, points[3 * i + 1])), multiply(z, points[3 * i + 2])),
  );
  const isAbove = (above: readonly N[], below: readonly N[]): boolean =>
    above.every(high => below.every(low => subtract(high, low) > margin));
  const [ofA, ofB] = [on.slice(0, 3), on.slice(3)];
  return isAbove(ofB, ofA) || isAbove(ofA, ofB);
}
