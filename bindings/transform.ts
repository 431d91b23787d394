// A user's 4x4 matrix -> checked rows of four: linear part and translation.
import { InvalidTransform } from './errors.js';

/** A placement: 16 numbers, column by column, last row 0 0 0 1; each entry 0 or within 2^-200..2^200 in size. */
export type Transform = Float32Array | Float64Array;

const MOST = 2 ** 200;
const LEAST = 2 ** -200;
const RULE = 'a transform is 16 finite numbers, column by column, each 0 or within 2^-200..2^200 in size, last row 0 0 0 1';
const FIX = 'pass a Float32Array or Float64Array of 16 numbers in column-major order, as three.js and wgpu-matrix make them';

/** Checks `matrix` and writes its three upper rows to rows[at..at + 11]. @throws InvalidTransform naming the entry. */
export function readTransform(name: string, matrix: Transform, rows: Float64Array, at: number): void {
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
      if (row < 3) rows[at + row * 4 + column] = value;
    }
  }
}

/** The coordinate that a row of four doubles takes x, y, z to. */
export const placeOn = (f64: Float64Array, row: number, x: number, y: number, z: number): number => ((f64[row]! * x + f64[row + 1]! * y) + f64[row + 2]! * z) + f64[row + 3]!;
