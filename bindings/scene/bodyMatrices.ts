// Matrices that a scene is given, 16 numbers a body -> checked, and as rows.
import { describe, Unsupported } from '../core/errors.js';
import { checkAttached } from '../core/optionTable.js';
import { readTransform, type Transforms } from '../core/transform.js';

export const isTyped = (matrices: unknown): matrices is Transforms =>
  matrices instanceof Float32Array || matrices instanceof Float64Array;
export const told = (matrices: unknown): string =>
  isTyped(matrices) ? `${matrices.length} numbers` : describe(matrices);

/** count: how many there must be. of: what they are of. @throws Unsupported, and what checkAttached throws */
export function checkMatrices(
  matrices: Transforms,
  count: number,
  of: 'slots' | 'bodies',
  fix: string,
): void {
  if (!isTyped(matrices) || matrices.length !== 16 * count)
    throw new Unsupported(
      `setTransforms was given ${told(matrices)}, not 16 for each of ${count} ${of}`,
      fix,
    );
  checkAttached('matrices', matrices);
}

/** @returns 12 numbers a body. @throws InvalidTransform naming the body */
export function readRows(ids: ArrayLike<number>, matrices: Transforms): Float64Array {
  const rows = new Float64Array(12 * ids.length);
  const one = new Float64Array(16);
  let i = 0;
  try {
    for (; i < ids.length; i++) {
      for (let k = 0; k < 16; k++) one[k] = matrices[16 * i + k];
      readTransform('a transform', one, rows, 12 * i);
    }
  } catch {
    // The same again, with the name that only this one needs.
    readTransform(`the transform of body ${ids[i]}`, one, rows, 12 * i);
  }
  return rows;
}
