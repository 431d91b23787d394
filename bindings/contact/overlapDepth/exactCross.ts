// Computes cross products of edges without loss of accuracy, also for edges that are nearly parallel.

import { bitLength, integerShift, toInteger } from '../gridPoint.js';
import { cross, dot, minus, type Vector } from './piece.js';

/** Doubles are accurate enough if the squared sine of the angle between the edges is above this. */
const MIN_SQUARED_SINE = 2 ** -10;
/** Integers of this many bits convert to doubles whose squares are finite. */
const SAFE_BITS = 400;

/**
 * Returns a positive multiple of the cross product of two edges: from `origin` to `one`, and from `origin` to
 * `other`. The direction of the returned vector has only rounding errors. The vector is 0 if the three points
 * lie on a line.
 */
export function crossOfEdges(origin: Vector, one: Vector, other: Vector): Vector {
  const [u, v] = [minus(one, origin), minus(other, origin)];
  const product = cross(u, v);
  return dot(product, product) > MIN_SQUARED_SINE * dot(u, u) * dot(v, v)
    ? product
    : exactCross(origin, one, other);
}

function exactCross(...points: readonly Vector[]): Vector {
  const shift = Math.max(...points.map(point => integerShift(point)));
  const [from, to, second] = points.map(point => point.map(value => toInteger(value, shift)));
  const [a, b] = [to, second].map(end => end.map((value, axis) => value - from[axis]));
  const product = [1, 2, 0].map((next, axis) => {
    const last = (axis + 2) % 3;
    return a[next] * b[last] - a[last] * b[next];
  });
  const spare = BigInt(Math.max(0, Math.max(...product.map(bitLength)) - SAFE_BITS));
  const [x, y, z] = product.map(value => Number(value >> spare));
  return [x, y, z];
}
