// Multiplies the transforms of the nodes of files.
import { identity } from './part.js';

/** Returns the product of two affine matrices. */
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
