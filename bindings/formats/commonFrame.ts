// Rounds the double coordinates of all parts of a model to float32, in one common coordinate frame, so that
// coordinates that are equal in doubles stay equal.
import { MAX_FLOAT, MIN_DOUBLE } from '../core/floatRange.js';
import { identity, type Part } from './part.js';
import type { ReadContext } from './readContext.js';

/** The rounded points of several meshes in one frame. */
interface RoundedMeshes {
  /** The rounded coordinates of each mesh in the common frame. */
  positions: Float32Array[];
  /** The transform from the common frame to the frame of the file, in the form of `transform` in Part. */
  transform: Float64Array;
  /**
   * For each mesh, the largest change of a coordinate by rounding: in `doubles`, if the mesh has them,
   * otherwise in `positions`.
   */
  rounding: number[];
  /**
   * The points of each mesh in doubles, in the frame of the file; undefined if they were not requested, or if
   * the frames are equal and the points are float32 numbers.
   */
  doubles: (Float64Array | undefined)[];
}

/**
 * Rounds the points of several meshes in one frame.
 * @param meshes x, y, z of each vertex of each mesh, in the frame of the file.
 * @param keepsDoubles Whether points are also returned in doubles if necessary: see `doubles`.
 */
export function roundInCommonFrame(
  meshes: readonly ArrayLike<number>[],
  keepsDoubles = false,
): RoundedMeshes {
  const origin = commonOrigin(meshes);
  const positions = meshes.map(points => new Float32Array(points.length));
  const doubles: RoundedMeshes['doubles'] = meshes.map(() => undefined);
  const rounding = meshes.map((points, mesh) => {
    const floats = positions[mesh];
    let maxError = 0;
    // Two files may have different common frames. Placing equal points of the two files may then round them
    // differently. So if doubles are requested, and the common frame differs from the frame of the file, all
    // meshes get doubles.
    let areEqual = origin.every(value => value === 0);
    for (let i = 0; i < points.length; i++) {
      const value = points[i] - origin[i % 3];
      floats[i] = value;
      const change = Math.abs(value - floats[i]);
      if (change > maxError) maxError = change;
      if (floats[i] !== points[i]) areEqual = false;
    }
    if (areEqual || !keepsDoubles) return maxError;
    const exact = (doubles[mesh] = Float64Array.from(points));
    // A mesh coordinate that is not a float32 number must have a magnitude from MIN_DOUBLE to MAX_FLOAT. So
    // coordinates of other magnitudes are rounded to float32 numbers.
    for (let i = 0; i < exact.length; i++) {
      const value = exact[i];
      if (Math.abs(value) < MIN_DOUBLE || Math.abs(value) > MAX_FLOAT) exact[i] = Math.fround(value);
    }
    return maxChange(points, exact);
  });
  return {
    positions,
    transform: Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, ...origin, 1),
    rounding,
    doubles,
  };
}

/** Returns the largest change of a coordinate by rounding. */
export function maxChange(before: ArrayLike<number>, after: ArrayLike<number>): number {
  let maxError = 0;
  for (let i = 0; i < before.length; i++) maxError = Math.max(maxError, Math.abs(before[i] - after[i]));
  return maxError;
}

/**
 * Returns the field `exact` of a part, or no field if the part has no doubles.
 * @param positions The vertices in doubles.
 * @param transform The placement of the vertices in the world.
 */
export const exactOf = (positions: Float64Array | undefined, transform = identity()): Pick<Part, 'exact'> =>
  positions ? { exact: { positions, transform } } : {};

/**
 * Rounds the vertices of a file, which all of its parts share. The result may be in a coordinate frame of its
 * own: see `transform`.
 * @param points x, y, z of each vertex. This function releases their memory from the budget, so the caller must
 *   not keep them.
 */
export function roundVertices(
  points: Float64Array,
  { budget, keepsDoubles }: Pick<ReadContext, 'budget' | 'keepsDoubles'>,
): Pick<Part, 'positions' | 'transform' | 'rounding' | 'exact'> {
  budget.take(4 * points.length, 'its vertices');
  if (keepsDoubles) budget.take(points.byteLength, 'its vertices');
  const { positions, transform, rounding, doubles } = roundInCommonFrame([points], keepsDoubles);
  if (!doubles[0] && keepsDoubles) budget.release(points.byteLength);
  budget.release(points.byteLength);
  return {
    positions: positions[0],
    transform,
    ...(rounding[0] > 0 ? { rounding: rounding[0] } : {}),
    ...exactOf(doubles[0]),
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
  if (min[0] === Infinity) return [0, 0, 0];
  const extent = Math.max(...max.map((value, axis) => value - min[axis]));
  const centers = min.map((value, axis) => Math.round((value + max[axis]) / 2));
  return centers.every(center => Math.abs(center) <= 4 * extent)
    ? [0, 0, 0]
    : (centers as [number, number, number]);
}
