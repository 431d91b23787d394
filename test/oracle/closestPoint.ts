// Computes the squared distances of a point from all triangles of a mesh as fractions of integers, without
// rounding. This file is the reference for closest points. It is slow and simple, and shares no code with the
// engine.

import { toIntegers } from './integers.js';
import { type Fraction, isLess, toFace, toSegment, type Vector } from './triangleDistance.js';

/** The coordinates of a mesh, in doubles or floats, and three vertices per triangle. */
export interface Triangles {
  positions: ArrayLike<number>;
  indices: ArrayLike<number>;
}

/**
 * The squared distance of a point from each triangle, and other numbers. The unit of length is a power of two
 * for which all coordinates and `others` are integers; the unit of `squares` is the square of this unit.
 */
export interface SquaredDistances {
  squares: Fraction[];
  others: bigint[];
}

function nearest(x: Vector, [a, b, c]: readonly Vector[]): Fraction {
  const found = [toSegment(x, a!, b!), toSegment(x, b!, c!), toSegment(x, c!, a!)];
  const face = toFace(x, a!, b!, c!);
  if (face) found.push(face);
  return found.reduce((minimum, one) => (isLess(one, minimum) ? one : minimum));
}

/** Computes the squared distance of a point from each triangle. others: numbers to compare distances with. */
export function squaredDistances(
  { positions, indices }: Triangles,
  point: ArrayLike<number>,
  others: readonly number[] = [],
): SquaredDistances {
  const integers = toIntegers([...Array.from(positions), ...Array.from(point), ...others]);
  const at = (from: number): Vector => [integers[from], integers[from + 1], integers[from + 2]];
  const x = at(positions.length);
  const squares: Fraction[] = [];
  for (let i = 0; i < indices.length; i += 3)
    squares.push(
      nearest(
        x,
        [0, 1, 2].map(corner => at(3 * indices[i + corner])),
      ),
    );
  return { squares, others: integers.slice(positions.length + 3) };
}

/** Returns the lowest number of a triangle with the smallest squared distance; -1 if there are no triangles. */
export const lowestNearest = (squares: readonly Fraction[]): number =>
  squares.reduce((best, one, i) => (best < 0 || isLess(one, squares[best]) ? i : best), -1);

/** Returns whether |value - distance| <= bound. The fraction is the exact square of the distance. */
export function isNearRoot({ above, below }: Fraction, value: bigint, bound: bigint): boolean {
  const maximum = value + bound;
  const minimum = value - bound;
  return maximum * maximum * below >= above && (minimum <= 0n || minimum * minimum * below <= above);
}
