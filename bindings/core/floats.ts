// Rounds doubles up or down to floats.

/** The largest finite float. */
export const MAX_FLOAT = 2 ** 128 - 2 ** 104;
/**
 * Smallest magnitude of a nonzero coordinate of a mesh that is not a float. All coordinates are then multiples
 * of 2^-149, as floats are, so the exact tests need no wider range of exponents than for floats.
 */
export const MIN_DOUBLE = 2 ** -96;

const float = new Float32Array(1);
const bits = new Int32Array(float.buffer);

/**
 * Returns the smallest float that is not less than a non-negative value; Infinity if the value exceeds the
 * largest finite float.
 */
export function floatAbove(value: number): number {
  float[0] = value;
  if (float[0] < value) bits[0]++;
  return float[0];
}

/** Returns the smallest float that is not less than a value whose magnitude is at most that of a float. */
export function floatAtLeast(value: number): number {
  float[0] = value;
  if (float[0] < value) bits[0] += value > 0 ? 1 : -1;
  return float[0];
}

/** Returns the largest float that is not greater than a value whose magnitude is at most that of a float. */
export const floatAtMost = (value: number): number => -floatAtLeast(-value);
