// Rounds doubles up or down to floats.

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

/**
 * Returns the smallest float that is not less than a value, whose magnitude must not exceed the largest float.
 */
export function floatAtLeast(value: number): number {
  float[0] = value;
  if (float[0] < value) bits[0] += value > 0 ? 1 : -1;
  return float[0];
}

/**
 * Returns the largest float that is not greater than a value, whose magnitude must not exceed the largest
 * float.
 */
export const floatAtMost = (value: number): number => -floatAtLeast(-value);
