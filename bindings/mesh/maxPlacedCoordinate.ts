// Computes an upper bound of the coordinates of a placed mesh's vertices.
import type { Mesh } from './mesh.js';

/**
 * Returns an upper bound of |coordinate| over all vertices of a placed mesh. `rows`: the placement, three
 * rows of four numbers. If it is given, the result includes a margin of 1 %. If it is undefined, the mesh's
 * own coordinates are used, without a margin.
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
