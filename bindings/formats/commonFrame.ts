// Rounds the double coordinates of all parts of a model to float32, in one common coordinate frame, so that
// coordinates that are equal in doubles stay equal.

/**
 * Rounds the points of several meshes in one frame.
 * @param meshes x, y, z of each vertex of each mesh, in the frame of the file.
 * @returns `positions`: the rounded coordinates of each mesh in the common frame. `transform`: from the common
 *   frame to the frame of the file, as in Part.
 */
export function roundInCommonFrame(meshes: readonly ArrayLike<number>[]): {
  positions: Float32Array[];
  transform: Float64Array;
} {
  const origin = commonOrigin(meshes);
  return {
    positions: meshes.map(points => Float32Array.from(points, (value, at) => value - origin[at % 3])),
    transform: Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, ...origin, 1),
  };
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
