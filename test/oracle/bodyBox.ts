// Computes a float32 box that contains every placed vertex of a mesh, from the box of the untransformed mesh
// and the transform.

const float = new Float32Array(1);
const word = new Int32Array(float.buffer);

/**
 * Writes the box of a placed body. box: min x, y, z, then max, of the mesh's float32 positions. matrix: 16
 * numbers, column-major, each 0 or 2^-200..2^200 in magnitude. out: 6 floats from outAt, min x, y, z, then max.
 * The placed x coordinate of a vertex is ((m0*x + m4*y) + m8*z) + m12, with every operation rounded to
 * double; y and z use other rows of the matrix. For the min, this function applies the same operations to the
 * ends of the mesh's box that give the smallest value; the signs of m0, m4 and m8 choose these ends. Rounding
 * is monotone: if an operand grows, the rounded result moves in the same direction as the exact result, or
 * stays equal. The computed min is therefore at most the placed coordinate of every vertex in the box, and
 * the computed max is at least this coordinate. No error term is needed, and the identity gives the box
 * itself. At the end, the box is rounded outward to float32, which can only enlarge the box.
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
 * Returns the box of the vertices that the triangles reference: min x, y, z, then max. If there are no
 * triangles, the box is empty (min above max) and overlaps nothing.
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

// Returns the largest float32 that is at most `value`.
function roundDown(value: number): number {
  float[0] = value;
  if (!(float[0] > value)) return float[0];
  if (float[0] === 0) return -1.401298464324817e-45;
  word[0] += float[0] > 0 ? -1 : 1;
  return float[0];
}
