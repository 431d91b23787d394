// Prepares the vertices of meshes whose coordinates are doubles. The tree and the float filters use floats:
// the differences between the doubles and a center, rounded. The exact tests use the doubles.

import { InvalidMesh, Unsupported } from '../core/errors.js';
import { MAX_FLOAT, MIN_DOUBLE } from '../core/floatRange.js';
import { floatAbove, floatAtLeast, floatAtMost } from '../core/floats.js';

/** Vertices that are not floats. */
export interface DoubleVertices {
  /** x, y, z of each vertex. */
  readonly exact: Float64Array;
  /** `exact` minus `center`, rounded. */
  readonly floats: Float32Array;
  /** Three floats. */
  readonly center: readonly number[];
  /**
   * A float: an upper bound of |exact - center - floats| over all coordinates of the vertices that triangles
   * use.
   */
  readonly rounding: number;
  /** Bounds of the used vertices, rounded outward: minimum x, y, z, then maximum x, y, z. */
  readonly bounds: Float32Array;
}

/**
 * Returns the positions as a Float32Array if all of them are float32 numbers; otherwise returns undefined.
 * @throws InvalidMesh naming the first coordinate that is not finite, or is too large or too small.
 */
export function toFloats(positions: Float64Array): Float32Array | undefined {
  let areFloats = true;
  for (let i = 0; i < positions.length; i++) {
    const value = positions[i];
    if (Math.fround(value) === value && Math.abs(value) <= MAX_FLOAT) continue;
    if (!Number.isFinite(value))
      throw new InvalidMesh(
        `positions[${i}] is ${value}, not a finite number`,
        `correct vertex ${Math.floor(i / 3)}`,
      );
    if (Math.abs(value) > MAX_FLOAT)
      throw new InvalidMesh(
        `positions[${i}] is ${value}, but the magnitude of a coordinate must be at most ${MAX_FLOAT}`,
        'scale the mesh down',
      );
    if (Math.abs(value) < MIN_DOUBLE)
      throw new InvalidMesh(
        `positions[${i}] is ${value}, but a coordinate that is not a float32 number must have a magnitude of at least 2^-96`,
        `replace the coordinate by 0 or by Math.fround(${value})`,
      );
    areFloats = false;
  }
  return areFloats ? Float32Array.from(positions) : undefined;
}

/**
 * Computes a center, and the floats of all vertices relative to this center. Ignores indices that are too
 * large; checkIndices rejects them later.
 */
export function makeDoubleVertices(exact: Float64Array, indices: Uint32Array): DoubleVertices {
  const vertexCount = exact.length / 3;
  const isUsed = new Uint8Array(vertexCount);
  for (let i = 0; i < indices.length; i++) if (indices[i] < vertexCount) isUsed[indices[i]] = 1;
  const box = boundUsed(exact, isUsed);
  const center = centerOf(box);
  const floats = new Float32Array(exact.length);
  let rounding = 0;
  for (let i = 0; i < exact.length; i++) {
    const offset = exact[i] - center[i % 3];
    if (isUsed[Math.floor(i / 3)] === 0) {
      // Some computations replace a vertex by the first vertex at the same position. This may replace a used
      // vertex by an unused one, so both need the same floats. The floats of other unused vertices do not
      // matter.
      floats[i] = Math.abs(offset) > MAX_FLOAT ? 0 : offset;
      continue;
    }
    floats[i] = offset;
    // `offset - floats[i]` is exact. The second term covers the rounding of `offset` and of the sum.
    const change = Math.abs(offset - floats[i]) + 2 ** -52 * Math.abs(offset);
    if (change > rounding) rounding = change;
  }
  return {
    exact,
    floats,
    center,
    rounding: floatAbove(rounding),
    bounds: Float32Array.from(box, (value, i) => (i < 3 ? floatAtMost(value) : floatAtLeast(value))),
  };
}

function boundUsed(exact: Float64Array, isUsed: Uint8Array): Float64Array {
  const box = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
  for (let i = 0; i < exact.length; i++) {
    const axis = i % 3;
    if (isUsed[(i - axis) / 3] === 0) continue;
    if (exact[i] < box[axis]) box[axis] = exact[i];
    if (exact[i] > box[axis + 3]) box[axis + 3] = exact[i];
  }
  return box[0] > box[3] ? box.fill(0) : box;
}

// Returns the center that is subtracted from the vertices. As in setFrame, it is 0 if the box is near the
// origin compared with its size. Otherwise, it is the rounded midpoint of the box, so that the rounding error
// of the floats depends only on the size of the mesh.
function centerOf(box: Float64Array): number[] {
  const maxMagnitude = Math.max(...Array.from(box, Math.abs));
  const halves = [0, 1, 2].map(axis => box[axis + 3] / 2 - box[axis] / 2);
  const isNear = maxMagnitude <= 4 * Math.max(...halves);
  return [0, 1, 2].map(axis => (isNear ? 0 : Math.fround(box[axis] / 2 + box[axis + 3] / 2)));
}

/** Throws if a mesh has doubles, which `what` does not support. @throws Unsupported */
export function rejectDoubles(what: string, { id, hasDoubles }: { id: number; hasDoubles: boolean }): void {
  if (hasDoubles)
    throw new Unsupported(
      `mesh ${id} has coordinates that are not float32 numbers, which ${what} does not support`,
      'create the mesh with Float32Array.from(positions), which rounds the coordinates',
    );
}
