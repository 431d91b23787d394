// Doubles -> floats that are not below them.

const float = new Float32Array(1);
const bits = new Int32Array(float.buffer);

/** The least float that is not below a value that is not negative; Infinity beyond all floats. */
export function floatAbove(value: number): number {
  float[0] = value;
  if (float[0] < value) bits[0]++;
  return float[0];
}
