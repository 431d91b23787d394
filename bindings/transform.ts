// A user's 4x4 matrix -> checked rows; small 3x3 algebra in doubles. Rows of four: linear part and translation.
import { InvalidTransform } from './errors.js';

export type Transform = Float32Array | Float64Array;

const MOST = 2 ** 200;
const LEAST = 2 ** -200;
const RULE = 'a transform is 16 finite numbers, column by column, each 0 or within 2^-200..2^200 in size, last row 0 0 0 1';
const FIX = 'pass a Float32Array or Float64Array of 16 numbers in column-major order, as three.js and wgpu-matrix make them';

/** Checks `matrix` and writes its three upper rows to `rows` (12 doubles). @throws InvalidTransform naming the entry. */
export function readTransform(name: string, matrix: Transform, rows: Float64Array): void {
  if (!(matrix instanceof Float32Array) && !(matrix instanceof Float64Array)) {
    throw new InvalidTransform(`${name} is not a Float32Array or Float64Array: ${RULE}`, FIX);
  }
  if (matrix.length !== 16) throw new InvalidTransform(`${name} has length ${matrix.length}: ${RULE}`, FIX);
  for (let row = 0; row < 4; row++) {
    for (let column = 0; column < 4; column++) {
      const value = matrix[column * 4 + row]!;
      const size = Math.abs(value);
      const good = row === 3 ? value === (column === 3 ? 1 : 0) : size <= MOST && (size >= LEAST || size === 0);
      if (!good) throw new InvalidTransform(`${name}[${column * 4 + row}] is ${value}: ${RULE}`, FIX);
      if (row < 3) rows[row * 4 + column] = value;
    }
  }
}

/** Inverse of the linear part of `rows` -> 9 doubles by rows. @returns false where it is singular. */
export function invertLinear(rows: Float64Array, out: Float64Array): boolean {
  const a = rows[0]!, b = rows[1]!, c = rows[2]!, d = rows[4]!, e = rows[5]!, f = rows[6]!, g = rows[8]!, h = rows[9]!, i = rows[10]!;
  const A = e * i - f * h, B = f * g - d * i, C = d * h - e * g;
  const determinant = a * A + b * B + c * C;
  if (determinant === 0 || !Number.isFinite(determinant)) return false;
  const k = 1 / determinant;
  if (!Number.isFinite(k)) return false;
  out[0] = A * k; out[1] = (c * h - b * i) * k; out[2] = (b * f - c * e) * k;
  out[3] = B * k; out[4] = (a * i - c * g) * k; out[5] = (c * d - a * f) * k;
  out[6] = C * k; out[7] = (b * g - a * h) * k; out[8] = (a * e - b * d) * k;
  return true;
}
