// Checks a user's 4x4 matrix and converts it to three rows of four numbers. Each row has three numbers of the
// linear part and one number of the translation.
import { describe, InvalidTransform } from './errors.js';

/**
 * A placement, which maps a mesh's own frame to the common frame: 16 numbers, column-major, last row 0 0 0 1.
 * The magnitude of each number is 0 or within 2^-200..2^200. The numbers are in an array of any kind, or in an
 * object whose `elements` is such an array, like a three.js Matrix4.
 */
export type Transform = ArrayLike<number> | MatrixObject;

/** A matrix as in three.js: `Matrix4`. */
export interface MatrixObject {
  /** 16 numbers, column-major. */
  readonly elements: ArrayLike<number>;
}

/** Many placements, one after another: 16 numbers each, column-major. */
export type Transforms = Float32Array | Float64Array;

const MAX = 2 ** 200;
const MIN = 2 ** -200;
const RULE =
  'a transform is 16 finite numbers, column-major, each 0 or 2^-200..2^200 in magnitude, with last row 0 0 0 1';
const FIX = 'pass 16 numbers in column-major order, as three.js and wgpu-matrix make them';

/**
 * Returns the numbers of a transform. A typed array is returned as it is. Anything else is copied, because
 * reading it may run the caller's code.
 * @throws InvalidTransform unless the transform has length 16; the numbers are not checked
 */
export function numbersOf(name: string, matrix: Transform): ArrayLike<number> {
  const list = ArrayBuffer.isView(matrix)
    ? (matrix as Transforms)
    : ((matrix as MatrixObject | null)?.elements ?? matrix);
  const length = (list as ArrayLike<number> | null)?.length;
  if (typeof list !== 'object' || length === undefined)
    throw new InvalidTransform(`${name} is ${describe(matrix)}: ${RULE}`, FIX);
  if (length !== 16) throw new InvalidTransform(`${name} has length ${length}: ${RULE}`, FIX);
  return ArrayBuffer.isView(list) ? (list as Transforms) : Array.prototype.slice.call(list, 0, 16);
}

/**
 * Checks `matrix` and writes its three upper rows to rows[at..at + 11].
 * @throws InvalidTransform, naming the first invalid entry
 */
export function readTransform(name: string, matrix: Transform, rows: Float64Array, at: number): void {
  const numbers = numbersOf(name, matrix);
  for (let row = 0; row < 4; row++) {
    for (let column = 0; column < 4; column++) {
      const value = numbers[column * 4 + row];
      const size = typeof value === 'number' ? Math.abs(value) : NaN;
      const isValid =
        row === 3 ? value === (column === 3 ? 1 : 0) : size <= MAX && (size >= MIN || size === 0);
      if (!isValid)
        throw new InvalidTransform(`${name}[${column * 4 + row}] is ${describe(value)}: ${RULE}`, FIX);
      if (row < 3) rows[at + row * 4 + column] = value;
    }
  }
}

/**
 * Returns one coordinate of the transformed point x, y, z. row: index in f64 of the first of the four doubles
 * that are the transform's row for this coordinate.
 */
export const placeOn = (f64: Float64Array, row: number, x: number, y: number, z: number): number =>
  f64[row] * x + f64[row + 1] * y + f64[row + 2] * z + f64[row + 3];
