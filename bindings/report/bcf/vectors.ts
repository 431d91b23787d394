// Vectors of three doubles, for cameras and pictures.
import { lengthOf } from '../../core/vectorLength.js';
import type { Bounds } from '../bounds.js';

export type Vector = readonly [x: number, y: number, z: number];

export const subtract = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];

/** Returns a + factor * b. */
export const addScaled = (a: Vector, factor: number, b: Vector): Vector => [
  a[0] + factor * b[0],
  a[1] + factor * b[1],
  a[2] + factor * b[2],
];

export const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

export const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** Returns the vector of length 1 in the direction of `a`, which must not be zero. */
export function unit(a: Vector): Vector {
  const length = lengthOf(a);
  return [a[0] / length, a[1] / length, a[2] / length];
}

/** Returns half the diagonal of a box. */
export const radiusOf = ({ min, max }: Bounds): number => lengthOf(subtract(max, min)) / 2;
