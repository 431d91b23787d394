// Transforms the vertices of a mesh, rounding exactly as the package documents for placed vertices.

export interface OracleMesh {
  positions: Float32Array;
  indices: Uint32Array;
}

export interface DoubleOracleMesh {
  positions: Float64Array;
  indices: Uint32Array;
}

// Returns the placed vertices. transform: 16 entries, column-major. Every operation is rounded to double, and
// the order of operations below is part of the rule. Without a transform, a placed vertex is the position
// itself.
export function place(positions: Float32Array | Float64Array, transform?: ArrayLike<number>): Float64Array {
  const placed = Float64Array.from(positions);
  if (transform === undefined) return placed;
  const m = Array.from(transform);
  for (let at = 0; at < placed.length; at += 3) {
    const x = positions[at];
    const y = positions[at + 1];
    const z = positions[at + 2];
    for (let axis = 0; axis < 3; axis++) {
      placed[at + axis] = m[axis] * x + m[4 + axis] * y + m[8 + axis] * z + m[12 + axis];
    }
  }
  return placed;
}

// Returns 9 doubles per triangle: its three placed corners.
export function placeTriangles(
  mesh: OracleMesh | DoubleOracleMesh,
  transform?: ArrayLike<number>,
): Float64Array {
  const placed = place(mesh.positions, transform);
  const corners = new Float64Array(mesh.indices.length * 3);
  mesh.indices.forEach((vertex, corner) => {
    corners.set(placed.subarray(vertex * 3, vertex * 3 + 3), corner * 3);
  });
  return corners;
}
