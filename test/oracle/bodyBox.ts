// Computes the float32 box that encloses every placed vertex, from the mesh's box and its transform.

const float = new Float32Array(1);
const word = new Int32Array(float.buffer);

/**
 * Writes the box of a placed body. box: min x, y, z, then max, of the mesh's float32 positions. matrix: 16
 * numbers, column-major, entries finite and within 2^+-200. out: 6 floats from outAt, min x, y, z, then max.
 * The box is M center +- |M| half extent, evaluated at its corners: a placed coordinate is ((m0*x + m4*y) +
 * m8*z) + m12, with every operation rounded to double. Rounding is monotone, so each rounded operation
 * increases or decreases with each operand like the exact one. The signs of m0, m4 and m8 choose the ends of
 * x, y and z. The same operations on these ends therefore give a value that is at most (for the max: at
 * least) the placed coordinate of every vertex in the box. No error term is needed, and an identity gives the
 * box itself. Rounding outward to float32 then only enlarges it.
 */
export function bodyBox(
  box: ArrayLike<number>,
  matrix: ArrayLike<number>,
  out: Float32Array,
  outAt = 0,
): void {
  for (let axis = 0; axis < 3; axis++) {
    const mx = matrix[axis];
    const my = matrix[4 + axis];
    const mz = matrix[8 + axis];
    const shift = matrix[12 + axis];
    const minX = mx < 0 ? box[3] : box[0];
    const minY = my < 0 ? box[4] : box[1];
    const minZ = mz < 0 ? box[5] : box[2];
    const maxX = mx < 0 ? box[0] : box[3];
    const maxY = my < 0 ? box[1] : box[4];
    const maxZ = mz < 0 ? box[2] : box[5];
    out[outAt + axis] = roundDown(mx * minX + my * minY + mz * minZ + shift);
    out[outAt + 3 + axis] = -roundDown(-(mx * maxX + my * maxY + mz * maxZ + shift));
  }
}

/**
 * Returns the box of the vertices that the triangles reference: min x, y, z, then max. Without triangles, it
 * overlaps nothing.
 */
export function meshBox(positions: Float32Array, indices: Uint32Array): Float32Array {
  const box = Float32Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
  for (let i = 0; i < indices.length; i++) {
    for (let axis = 0; axis < 3; axis++) {
      const value = positions[3 * indices[i] + axis];
      if (value < box[axis]) box[axis] = value;
      if (value > box[3 + axis]) box[3 + axis] = value;
    }
  }
  return box;
}

// Returns the largest float32 that is not above a double.
function roundDown(value: number): number {
  float[0] = value;
  if (!(float[0] > value)) return float[0];
  if (float[0] === 0) return -1.401298464324817e-45;
  word[0] += float[0] > 0 ? -1 : 1;
  return float[0];
}
