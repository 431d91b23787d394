// Makes and multiplies the transforms of the nodes of files.
import { identity } from './part.js';

/** Returns the product a * b of two affine matrices: 16 doubles each, column-major. */
export function multiplyAffine(a: Float64Array, b: Float64Array): Float64Array {
  const product = identity();
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 3; row++) {
      let sum = column === 3 ? a[12 + row] : 0;
      for (let k = 2; k >= 0; k--) sum += a[4 * k + row] * b[4 * column + k];
      product[4 * column + row] = sum;
    }
  }
  return product;
}

/**
 * Returns the matrix that scales, then rotates by a unit quaternion, then translates: 16 doubles,
 * column-major.
 */
export function compose(translation: number[], rotation: number[], scale: number[]): Float64Array {
  const [x, y, z, w] = rotation;
  const [sx, sy, sz] = scale;
  return Float64Array.of(
    (1 - 2 * (y * y + z * z)) * sx,
    2 * (x * y + z * w) * sx,
    2 * (x * z - y * w) * sx,
    0,
    2 * (x * y - z * w) * sy,
    (1 - 2 * (x * x + z * z)) * sy,
    2 * (y * z + x * w) * sy,
    0,
    2 * (x * z + y * w) * sz,
    2 * (y * z - x * w) * sz,
    (1 - 2 * (x * x + y * y)) * sz,
    0,
    translation[0],
    translation[1],
    translation[2],
    1,
  );
}
