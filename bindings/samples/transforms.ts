// Builds and combines transforms: 4x4 matrices of 16 doubles, column-major.

import { cos, sin } from './portableMath.js';

/** Three numbers: x, y, z. */
export type Vector = readonly [x: number, y: number, z: number];

/** Returns the translation by a vector: 16 doubles, column-major. */
export function translation([x, y, z]: Vector): Float64Array {
  return Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1);
}

/**
 * Returns the rotation by `angle` radians about the unit vector `axis` through the origin, followed by a
 * translation by `shift`: 16 doubles, column-major.
 */
export function rotation(axis: Vector, angle: number, shift: Vector = [0, 0, 0]): Float64Array {
  const [x, y, z] = axis;
  const cosine = cos(angle);
  const sine = sin(angle);
  const rest = 1 - cosine;
  return Float64Array.of(
    cosine + rest * x * x,
    rest * x * y + sine * z,
    rest * x * z - sine * y,
    0,
    rest * x * y - sine * z,
    cosine + rest * y * y,
    rest * y * z + sine * x,
    0,
    rest * x * z + sine * y,
    rest * y * z - sine * x,
    cosine + rest * z * z,
    0,
    shift[0],
    shift[1],
    shift[2],
    1,
  );
}

/**
 * Returns the matrix product first * second, which applies `second`, then `first`: 16 doubles, column-major.
 */
export function product(first: ArrayLike<number>, second: ArrayLike<number>): Float64Array {
  const out = new Float64Array(16);
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 4; row++)
      for (let k = 0; k < 4; k++) out[4 * column + row] += first[4 * k + row] * second[4 * column + k];
  }
  return out;
}

/** Applies the linear part of a transform to a vector, without the translation. */
export function rotateVector(transform: ArrayLike<number>, [x, y, z]: Vector): [number, number, number] {
  const row = (axis: number) => transform[axis] * x + transform[4 + axis] * y + transform[8 + axis] * z;
  return [row(0), row(1), row(2)];
}

/** Writes transforms one after the other into one array: 16 doubles each. */
export function concatTransforms(transforms: Float64Array[]): Float64Array {
  const joined = new Float64Array(transforms.length * 16);
  transforms.forEach((transform, part) => joined.set(transform, part * 16));
  return joined;
}
