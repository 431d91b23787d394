// Measures how much the readers have rounded the coordinates of a model.
import type { Part } from '../../formats/part.js';

/**
 * Returns an upper bound, in the unit of the model, on how far rounding has moved any coordinate of any placed
 * part. The bound is the exact maximum unless a transform rotates or shears a rounded part.
 */
export function maxRounding(parts: readonly Part[]): number {
  let maxError = 0;
  for (const { rounding, transform } of parts) {
    if (rounding === undefined) continue;
    for (let row = 0; row < 3; row++) {
      const sum = Math.abs(transform[row]) + Math.abs(transform[4 + row]) + Math.abs(transform[8 + row]);
      maxError = Math.max(maxError, sum * rounding);
    }
  }
  return maxError;
}
