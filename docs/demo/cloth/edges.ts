// Triangles -> the edges of the mesh, in the order in which contacts number them: by their greater vertex, then by their smaller one.

/** Two vertices an edge. */
export function edgesOf(indices: Uint32Array, vertexCount: number): Uint32Array {
  const keys = new Set<number>();
  for (let corner = 0; corner < indices.length; corner++) {
    const from = indices[corner]!, to = indices[corner % 3 === 2 ? corner - 2 : corner + 1]!;
    keys.add(Math.max(from, to) * vertexCount + Math.min(from, to));
  }
  const sorted = Float64Array.from(keys).sort();
  return Uint32Array.from({ length: 2 * sorted.length }, (_, i) => (i % 2 === 0 ? sorted[i / 2]! % vertexCount : Math.floor(sorted[(i - 1) / 2]! / vertexCount)));
}
