// Checks the matrices that a caller passes to a scene, 16 numbers per body, and converts them to rows.

import { checkAttached, isFloatArray } from '../core/checkOptions.js';
import { describe, Unsupported } from '../core/errors.js';
import { readTransform, type Transforms } from '../core/transform.js';

export const describeMatrices = (matrices: unknown): string =>
  isFloatArray(matrices) ? `${matrices.length} numbers` : describe(matrices);

/**
 * Checks that there are 16 numbers for each of `count` slots or bodies. @throws Unsupported, and the errors
 * of checkAttached
 */
export function checkMatrices(
  matrices: Transforms,
  count: number,
  of: 'slots' | 'bodies',
  fix: string,
): void {
  if (!isFloatArray(matrices) || matrices.length !== 16 * count)
    throw new Unsupported(
      `setTransforms received ${describeMatrices(matrices)}, not 16 numbers for each of ${count} ${of}`,
      fix,
    );
  checkAttached('matrices', matrices);
}

/**
 * Checks that there are 16 numbers for each id, and returns the ids. A typed array is returned as it is.
 * Anything else is copied, because reading it may run the caller's code.
 * @throws as checkMatrices
 */
export function copyIds(ids: ArrayLike<number>, matrices: Transforms): ArrayLike<number> {
  const { length } = ids;
  checkMatrices(
    matrices,
    length,
    'bodies',
    'pass a Float32Array or Float64Array with 16 numbers per body, in the order of ids',
  );
  checkAttached('ids', ids);
  return ArrayBuffer.isView(ids) ? ids : Array.from({ length }, (_, i) => ids[i]);
}

/** Returns three rows of four numbers per body. @throws InvalidTransform that names the body */
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
    // Read again to throw an error that names the body. Formatting the name of every body would be slow.
    readTransform(`body ${ids[i]}: matrix`, one, rows, 12 * i);
  }
  return rows;
}
