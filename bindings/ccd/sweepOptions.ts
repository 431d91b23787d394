// Options of sweeps, with their defaults, and the checks of their values.

import { checkAttached, isFloatArray } from '../core/checkOptions.js';
import { describe, InvalidMesh, Unsupported } from '../core/errors.js';
import type { Transform } from '../core/transform.js';
import type { Mesh } from '../mesh/mesh.js';
import type { ContactBuffer, ContactRefs } from './contactBuffer.js';
import type { ContactMemory } from './sweptContacts.js';

/** Options of a sweep. All are optional. */
export interface SweepOptions {
  /** Whether to find the first contact or all. Default 'first'. */
  want?: 'first' | 'all';
  /**
   * Minimum separation: features are in contact if their Euclidean distance is at most this. In units of the
   * common frame (in `sweepVertices` and `sweepFeatures`: in the units of the given coordinates), 0 or more.
   * Default 0: features are in contact if they share a point.
   */
  minSeparation?: number;
  /**
   * Tolerance, in the same units as `minSeparation`. Features whose contact cannot be ruled out count as in
   * contact if their distance exceeds `minSeparation` by at most this value. Default 1e-6. Source: Wang et
   * al. 2021.
   */
  tolerance?: number;
  /**
   * Whether every contact is decided exactly, without tolerance. Requires linear motion, and a
   * `minSeparation` of 0. Default false.
   */
  exact?: boolean;
}

/** Options of a sweep of two placed meshes. */
export interface PlacedSweepOptions extends SweepOptions {
  /** A's placement in the common frame at the start: 16 numbers, column-major. Default: the identity. */
  fromA?: Transform;
  /** A's placement in the common frame at the end, in the same format. Default: `fromA`. */
  toA?: Transform;
  /** B's placement in the common frame at the start, in the same format. Default: the identity. */
  fromB?: Transform;
  /** B's placement in the common frame at the end, in the same format. Default: `fromB`. */
  toB?: Transform;
  /** How the meshes move from start to end. Default 'linear'. */
  motion?: Motion;
}

/**
 * How meshes move. 'linear': every vertex moves in a straight line. 'rigid': the mesh's origin moves in a
 * straight line and the mesh rotates about its origin, both at constant speed, by the shortest rotation.
 * Source: Horn 1987 (the rotation between two placements).
 *
 * A half turn (within 1.9e-6 radians) has two shortest rotations, about opposite axes. The mesh rotates about
 * the axis whose first nonzero coordinate is positive. If both placements scale the mesh to a line, the mesh
 * rotates by the shortest rotation from the direction of this line at the start to its direction at the end.
 * If these directions are opposite, the axis of the rotation is the coordinate axis that makes the largest
 * angle with the line (the first one if there are several), projected onto the plane perpendicular to the
 * line.
 *
 * Rigid motion requires that both placements have the same scale, shear and mirroring, within 2^-16. Contacts
 * of rigid motion, except contacts of kind 'start', are accurate only to the tolerance. A tolerance of less
 * than 2^-43 * (L of A + L of B) is raised to this value. For each mesh, L is the larger of two lengths. The
 * first is the largest |coordinate| of the mesh's origin, plus the distance from the origin to the farthest
 * corner of the mesh's bounding box. The second is half of the largest value of |x| |X| + |y| |Y| + |z| |Z|
 * over all corners (x, y, z), where X, Y and Z are the axes of the placement. It is the larger one only if a
 * shear makes the terms x X, y Y and z Z cancel.
 */
export type Motion = 'linear' | 'rigid';

/** Options of a sweep with their defaults and the margin, in the form that MeshSweep and BodySweep use. */
export interface SweepSettings {
  separation: number;
  /** The separation plus a bound on the rounding error. */
  margin: number;
  tolerance: number;
  isFirst: boolean;
  isExact: boolean;
  /**
   * If set, this function is called with the candidate contacts and returns the contacts of the sweep. The
   * sweep itself then decides no candidates exactly.
   */
  defer?: (memory: ContactMemory, contacts: Uint32Array, starts: ContactBuffer) => ContactRefs;
}

export const DEFAULT_TOLERANCE = 1e-6;
/**
 * A bound of rounding errors, relative to the largest coordinate. The test of two features computes their
 * separation with a rounding error of at most 1.5 * 2^-48, which is less than this bound. So features whose
 * grown boxes do not overlap cannot have a contact.
 */
const ROUNDING = 2 ** -47;

/**
 * Returns the length by which boxes are grown so that the boxes of two features overlap if their distance is
 * at most the separation. Returns 0 for a separation of 0.
 * @param extent largest |coordinate|
 */
export const marginOf = (separation: number, extent: number): number =>
  separation === 0 ? 0 : separation * (1 + ROUNDING) + extent * ROUNDING;

/** Rejects combinations of options that exclude each other. @throws Unsupported */
export function checkSweepOptions({
  minSeparation,
  exact,
  motion,
}: Pick<PlacedSweepOptions, 'minSeparation' | 'exact' | 'motion'>): void {
  if (exact && minSeparation)
    throw new Unsupported(
      `exact cannot be combined with minSeparation ${minSeparation}`,
      'omit one of them: only contacts without a separation can be decided exactly',
    );
  if (exact && motion === 'rigid')
    throw new Unsupported(
      "exact cannot be combined with motion 'rigid'",
      'omit motion, or use a small tolerance instead of exact: exact contacts require linear motion',
    );
}

/** Returns the settings of a sweep from checked options. @param extent largest |coordinate| */
export function readSweepOptions(
  {
    want = 'first',
    minSeparation: separation = 0,
    tolerance = DEFAULT_TOLERANCE,
    exact = false,
  }: SweepOptions,
  extent: number,
): SweepSettings {
  return {
    separation,
    margin: marginOf(separation, extent),
    tolerance,
    isFirst: want === 'first',
    isExact: exact,
  };
}

/**
 * Checks coordinates of vertices.
 * @returns the largest |coordinate|
 * @throws InvalidMesh for a wrong type or length, or for a value that is not finite; the error then names the
 * first such value
 */
export function checkCoordinates(name: string, values: unknown, mesh: Mesh): number {
  if (!isFloatArray(values))
    throw new InvalidMesh(
      `${name} is ${describe(values)}, not a Float32Array or Float64Array`,
      `pass x, y and z of each vertex as Float64Array.from(${name})`,
    );
  checkAttached(name, values, InvalidMesh);
  if (values.length !== 3 * mesh.vertexCount)
    throw new InvalidMesh(
      `${name} has length ${values.length}, but the mesh has ${mesh.vertexCount} vertices`,
      `pass ${3 * mesh.vertexCount} values`,
    );
  let maxCoordinate = 0;
  for (let i = 0; i < values.length; i++) {
    const size = Math.abs(values[i]);
    if (!(size < Infinity))
      throw new InvalidMesh(
        `${name}[${i}] is ${values[i]}, not a finite number`,
        `correct vertex ${Math.floor(i / 3)}`,
      );
    maxCoordinate = Math.max(maxCoordinate, size);
  }
  return maxCoordinate;
}

/**
 * Checks the kind of features.
 * @param kinds the two valid names: first for a vertex and a face, then for two edges
 * @throws Unsupported if `kind` is neither
 */
export function checkKind(kind: unknown, [faces, edges]: readonly [string, string]): void {
  if (kind !== faces && kind !== edges)
    throw new Unsupported(
      `kind is ${describe(kind)}, not '${faces}' or '${edges}'`,
      `pass '${faces}' for a vertex and a face, '${edges}' for two edges`,
    );
}

/**
 * Checks the points of pairs of moving features, 24 numbers per pair.
 * @throws Unsupported for a wrong type or length, or for a value that is not finite; the error then names the
 * first such value
 */
export function checkQueries(name: string, queries: unknown): void {
  if (!(queries instanceof Float64Array))
    throw new Unsupported(
      `${name} is ${describe(queries)}, not a Float64Array`,
      `pass 24 numbers per pair as Float64Array.from(${name})`,
    );
  checkAttached(name, queries);
  if (queries.length % 24 !== 0)
    throw new Unsupported(
      `${name} has length ${queries.length}, not a multiple of 24`,
      'pass four points at the start, then at the end: 24 numbers per pair',
    );
  const index = queries.findIndex(value => !Number.isFinite(value));
  if (index >= 0)
    throw new Unsupported(
      `${name}[${index}] is ${queries[index]}, not a finite number`,
      `correct pair ${Math.floor(index / 24)}`,
    );
}
