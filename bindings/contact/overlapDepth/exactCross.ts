// Computes cross products of edges without loss of accuracy, even for edges that are nearly parallel.

import { bitLength } from '../../core/integers.js';
import { integerShift, toInteger } from '../gridPoint.js';
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

/** Computes the same as `crossOfEdges`, from integers in all cases. The direction has an error below 2^-51. */
export function exactCross(origin: Vector, one: Vector, other: Vector): Vector {
  const product = integerCross(...(integerEdges(origin, [one, other]) as [Integers, Integers]));
  const spare = BigInt(Math.max(0, Math.max(...product.map(bitLength)) - SAFE_BITS));
  const [x, y, z] = product.map(value => Number(value >> spare));
  return [x, y, z];
}

type Integers = readonly bigint[];

/** Returns the edges from `origin` to points, multiplied by a power of two such that they are integers. */
export function integerEdges(origin: Vector, ends: readonly Vector[]): Integers[] {
  const shift = Math.max(...[origin, ...ends].map(point => integerShift(point)));
  const from = origin.map(value => toInteger(value, shift));
  return ends.map(end => end.map((value, axis) => toInteger(value, shift) - from[axis]));
}

/** Returns the cross product of two vectors. */
export const integerCross = (a: Integers, b: Integers): bigint[] =>
  [1, 2, 0].map((next, axis) => {
    const last = (axis + 2) % 3;
    return a[next] * b[last] - a[last] * b[next];
  });
