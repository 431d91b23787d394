// Decides with BigInt arithmetic which of several triangles is nearest to a point. Used if floating-point
// arithmetic cannot decide.

import { integerShift, toInteger } from '../contact/gridPoint.js';
import { cross, dot, type IntegerVector, subtract } from '../core/integers.js';

/** A squared distance as a fraction: above / below, where below > 0. */
interface Square {
  above: bigint;
  below: bigint;
}

const isLess = (a: Square, b: Square): boolean => a.above * b.below < b.above * a.below;

// Returns the squared distance of the origin from an edge. The two ends of the edge may be equal.
function edgeSquare(a: IntegerVector, b: IntegerVector): Square {
  const along = subtract(b, a);
  const length = dot(along, along);
  const place = -dot(a, along);
  if (place <= 0n) return { above: dot(a, a), below: 1n };
  if (place >= length) return { above: dot(b, b), below: 1n };
  return { above: dot(a, a) * length - place * place, below: length };
}

// Returns the squared distance of the origin from a triangle. The origin is the query point: the caller has
// subtracted this point from the corners of the triangle.
function triangleSquare([a, b, c]: readonly IntegerVector[]): Square {
  const normal = cross(subtract(b, a), subtract(c, a));
  // The projection of the origin to the plane is inside the triangle if it is on the inner side of each edge.
  const isInside = (from: IntegerVector, to: IntegerVector): boolean => dot(normal, cross(from, to)) >= 0n;
  const below = dot(normal, normal);
  if (below > 0n && isInside(a!, b!) && isInside(b!, c!) && isInside(c!, a!)) {
    const height = dot(normal, a!);
    return { above: height * height, below };
  }
  const edges = [edgeSquare(a!, b!), edgeSquare(b!, c!), edgeSquare(c!, a!)];
  return edges.reduce((min, one) => (isLess(one, min) ? one : min));
}

/**
 * Returns the index of the triangle that is nearest to a point. If several triangles are equally near, returns
 * the index of the one with the lowest triangle number. point: three doubles. corners: nine doubles per
 * triangle. numbers: the number of each triangle.
 */
export function nearestExactly(
  point: Float64Array,
  corners: Float64Array,
  numbers: ArrayLike<number>,
): number {
  const shift = Math.max(integerShift(point), integerShift(corners));
  const at = (values: Float64Array, from: number): IntegerVector => [
    toInteger(values[from], shift),
    toInteger(values[from + 1], shift),
    toInteger(values[from + 2], shift),
  ];
  const origin = at(point, 0);
  let best = 0;
  let bestSquare: Square | undefined;
  for (let i = 0; i < numbers.length; i++) {
    const square = triangleSquare([0, 3, 6].map(corner => subtract(at(corners, 9 * i + corner), origin)));
    if (bestSquare) {
      if (isLess(bestSquare, square)) continue;
      if (!isLess(square, bestSquare) && numbers[i] > numbers[best]) continue;
    }
    best = i;
    bestSquare = square;
  }
  return best;
}
