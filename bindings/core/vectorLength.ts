// Computes the length of a vector, with the same bits in every JavaScript engine.

/**
 * Returns the length of a vector. Divides the vector by its largest coordinate first, so that the sum of the
 * squares neither overflows nor underflows. Math.hypot is not used, because ECMAScript leaves its rounding to
 * the JavaScript engine.
 */
export function lengthOf(vector: readonly number[]): number {
  let max = 0;
  for (const value of vector) max = Math.max(max, Math.abs(value));
  if (!(max > 0 && max < Infinity)) return max;
  let sum = 0;
  for (const value of vector) sum += (value / max) * (value / max);
  return max * Math.sqrt(sum);
}
