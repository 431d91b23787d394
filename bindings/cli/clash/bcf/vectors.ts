// Vectors of three doubles and axis-aligned boxes, for cameras and pictures.
import { lengthOf } from '../../../core/vectorLength.js';

export type Vector = readonly [x: number, y: number, z: number];

/** An axis-aligned box. */
export interface Box {
  min: Vector;
  max: Vector;
}

export const subtract = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];

/** Returns a + factor * b. */
export const addScaled = (a: Vector, factor: number, b: Vector): Vector => [
  a[0] + factor * b[0],
  a[1] + factor * b[1],
  a[2] + factor * b[2],
];

export const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

export const lengthSquared = (a: Vector): number => dot(a, a);

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

export const centerOf = ({ min, max }: Box): Vector => [
  min[0] / 2 + max[0] / 2,
  min[1] / 2 + max[1] / 2,
  min[2] / 2 + max[2] / 2,
];

/** Returns half the diagonal of a box. */
export const radiusOf = ({ min, max }: Box): number => lengthOf(subtract(max, min)) / 2;

/** Returns the box of points: three doubles each, at least one point. */
export function boxOfPoints(points: ArrayLike<number>): Box {
  const min: [number, number, number] = [Infinity, Infinity, Infinity];
  const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < points.length; i++) {
    const axis = i % 3;
    if (points[i] < min[axis]) min[axis] = points[i];
    if (points[i] > max[axis]) max[axis] = points[i];
  }
  return { min, max };
}
