// Rounds the double coordinates of all parts of a model to float32, in one common coordinate frame, so that
// coordinates that are equal in doubles stay equal.
import type { MemoryBudget } from './memoryBudget.js';
import type { Part } from './part.js';

/**
 * Rounds the points of several meshes in one frame.
 * @param meshes x, y, z of each vertex of each mesh, in the frame of the file.
 * @returns `positions`: the rounded coordinates of each mesh in the common frame. `transform`: from the common
 *   frame to the frame of the file, as in Part. `rounding`: the largest change of a coordinate of each mesh.
 */
export function roundInCommonFrame(meshes: readonly ArrayLike<number>[]): {
  positions: Float32Array[];
  transform: Float64Array;
  rounding: number[];
} {
  const origin = commonOrigin(meshes);
  const positions = meshes.map(points => new Float32Array(points.length));
  const rounding = meshes.map((points, mesh) => {
    let largest = 0;
    for (let i = 0; i < points.length; i++) {
      const value = points[i] - origin[i % 3];
      positions[mesh][i] = value;
      const change = Math.abs(value - positions[mesh][i]);
      if (change > largest) largest = change;
    }
    return largest;
  });
  return {
    positions,
    transform: Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, ...origin, 1),
    rounding,
  };
}

/**
 * Rounds the vertices of a file, which all of its parts share. The result may be in a coordinate frame of its
 * own: see `transform`.
 * @param points x, y, z of each vertex. The caller no longer needs them.
 */
export function roundVertices(
  points: Float64Array,
  budget: MemoryBudget,
): Pick<Part, 'positions' | 'transform' | 'rounding'> {
  budget.take(4 * points.length, 'its vertices');
  const { positions, transform, rounding } = roundInCommonFrame([points]);
  budget.release(points.byteLength);
  return { positions: positions[0], transform, ...(rounding[0] > 0 ? { rounding: rounding[0] } : {}) };
}

// Returns the origin of the common frame. If the model is far from the file's origin, as in a national grid,
// returns the rounded center of the model, because coordinates relative to it are more precise. Otherwise
// returns the file's origin.
function commonOrigin(meshes: readonly ArrayLike<number>[]): [number, number, number] {
  const min = [Infinity, Infinity, Infinity];
  const max = [-Infinity, -Infinity, -Infinity];
  for (const points of meshes) {
    for (let i = 0; i < points.length; i++) {
      min[i % 3] = Math.min(min[i % 3], points[i]);
      max[i % 3] = Math.max(max[i % 3], points[i]);
    }
  }
  const extent = Math.max(...max.map((value, axis) => value - min[axis]));
  const centers = min.map((value, axis) => Math.round((value + max[axis]) / 2));
  return centers.every(center => Math.abs(center) <= 4 * extent)
    ? [0, 0, 0]
    : (centers as [number, number, number]);
}
