// Rounds non-negative doubles up to floats.

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
