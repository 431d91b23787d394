// Bounds the coordinates of the vertices of a placed mesh.
import type { Mesh } from './mesh.js';

/**
 * Returns an upper bound of |coordinate| over all placed vertices, with a small margin if the mesh is placed.
 * `rows`: the placement, three rows of four. If it is undefined, the mesh's own coordinates are used.
 */
export function maxPlacedCoordinate(mesh: Mesh, rows: Float64Array | undefined): number {
  const sizes = [0, 1, 2].map(axis => Math.max(Math.abs(mesh.bounds[axis]), Math.abs(mesh.bounds[axis + 3])));
  if (!rows) return Math.max(...sizes);
  return (
    1.01 *
    Math.max(
      ...[0, 4, 8].map(row =>
        sizes.reduce((sum, size, axis) => sum + size * Math.abs(rows[row + axis]), Math.abs(rows[row + 3])),
      ),
    )
  );
}
