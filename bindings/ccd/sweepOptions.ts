// Options of sweeps: types whose comments state the defaults, and checks of what is given with them.
import { describe, InvalidMesh, Unsupported } from '../core/errors.js';
import { checkAttached } from '../core/optionTable.js';
import type { Transform } from '../core/transform.js';
import type { Mesh } from '../mesh/mesh.js';
import type { FoundContacts, KeptContacts } from './keptContacts.js';
import type { ContactMemory } from './sweptContacts.js';

/** What a sweep may be asked for; all may be left out. */
export interface SweepOptions {
  /** The first contact, or all. Default 'first'. */
  want?: 'first' | 'all';
  /**
   * Features that come this near are in contact: Euclidean distance, in the vertices' units. Default 0: they
   * share a point.
   */
  minSeparation?: number;
  /**
   * How much farther than the separation features may be where a contact cannot be ruled out. Default 1e-6.
   */
  tolerance?: number;
  /**
   * Whether every contact is to be decided exactly, without tolerance; only where the separation is 0.
   * Default false.
   */
  exact?: boolean;
}

/** What a sweep of two placed meshes may be asked for. */
export interface PlacedSweepOptions extends SweepOptions {
  /** A's placement at the start, column-major 4x4. Default: the identity. */
  fromA?: Transform;
  /** At the end. Default: as at the start. */
  toA?: Transform;
  /** B's placement at the start. Default: the identity. */
  fromB?: Transform;
  /** At the end. Default: as at the start. */
  toB?: Transform;
  /** How the meshes go from start to end. Default 'linear'. */
  motion?: Motion;
}

/**
 * 'linear': every vertex moves straight ahead. 'rigid': the mesh's origin does, and the mesh turns about it,
 * at constant speed and the shortest way; of a half turn (within 2e-6) about that axis whose first coordinate
 * that is not 0 is positive. Both placements then have the same scale, shear and mirroring, but for 2^-16. A
 * contact may be one within the tolerance, always; where that is less than 2^-43 of the greatest coordinate,
 * or of what is added up to it, within that.
 */
export type Motion = 'linear' | 'rigid';

/** The same for systems. */
export interface SweepHow {
  separation: number;
  /** As `separation`, and what rounding may take away of it. */
  margin: number;
  tolerance: number;
  isFirst: boolean;
  isExact: boolean;
  /** Receives the candidate contacts instead of their being decided at once. */
  later?: (memory: ContactMemory, contacts: Uint32Array, starts: KeptContacts) => FoundContacts;
}

/** x, y, z of each vertex. */
export type Coordinates = Float32Array | Float64Array;

export const DEFAULT_TOLERANCE = 1e-6;
/** What rounding may take away of a separation, in parts of the greatest coordinate. */
const ROUNDING = 2 ** -48;

/**
 * What boxes are grown by, so that features as near as the separation meet: 0 where it is 0. extent: greatest
 * |coordinate|.
 */
export const marginOf = (separation: number, extent: number): number =>
  separation === 0 ? 0 : separation * (1 + ROUNDING) + extent * ROUNDING;

/** Checks options that exclude each other. @throws Unsupported */
export function checkSweepOptions({
  minSeparation,
  exact,
  motion,
}: Pick<PlacedSweepOptions, 'minSeparation' | 'exact' | 'motion'>): void {
  if (exact && minSeparation)
    throw new Unsupported(
      `exact is asked for with a minSeparation of ${minSeparation}`,
      'leave one of them out: only contacts without a separation are decided exactly',
    );
  if (exact && motion === 'rigid')
    throw new Unsupported(
      "exact is asked for with motion 'rigid'",
      'leave one of them out: only contacts of vertices that move straight are decided exactly; a small tolerance comes near',
    );
}

/** What a sweep of checked options is to do. extent: greatest |coordinate|. */
export function readSweepOptions(
  {
    want = 'first',
    minSeparation: separation = 0,
    tolerance = DEFAULT_TOLERANCE,
    exact = false,
  }: SweepOptions,
  extent: number,
): SweepHow {
  return {
    separation,
    margin: marginOf(separation, extent),
    tolerance,
    isFirst: want === 'first',
    isExact: exact,
  };
}

/** @returns the greatest |coordinate|. @throws InvalidMesh naming the first value that is not finite */
export function checkCoordinates(name: string, values: unknown, mesh: Mesh): number {
  if (!(values instanceof Float32Array) && !(values instanceof Float64Array))
    throw new InvalidMesh(
      `${name} is ${describe(values)}, not a Float32Array or Float64Array`,
      `pass x, y and z of each vertex as Float64Array.from(${name})`,
    );
  checkAttached(name, values, InvalidMesh);
  if (values.length !== 3 * mesh.vertexCount)
    throw new InvalidMesh(
      `${name} has length ${values.length}, the mesh has ${mesh.vertexCount} vertices`,
      `give ${3 * mesh.vertexCount} values`,
    );
  let greatest = 0;
  for (let i = 0; i < values.length; i++) {
    const size = Math.abs(values[i]);
    if (!(size < Infinity))
      throw new InvalidMesh(
        `${name}[${i}] is ${values[i]}, not a finite number`,
        `correct vertex ${Math.floor(i / 3)}`,
      );
    greatest = Math.max(greatest, size);
  }
  return greatest;
}

/** kinds: the names of a vertex with a face, and of two edges. @throws Unsupported where `kind` is neither */
export function checkKind(kind: unknown, [faces, edges]: readonly [string, string]): void {
  if (kind !== faces && kind !== edges)
    throw new Unsupported(
      `kind is ${describe(kind)}, not '${faces}' or '${edges}'`,
      `pass '${faces}' for a vertex and a face, '${edges}' for two edges`,
    );
}

/** @throws Unsupported naming what it is instead, or the first value that is not finite */
export function checkQueries(name: string, queries: unknown): void {
  if (!(queries instanceof Float64Array))
    throw new Unsupported(
      `${name} is ${describe(queries)}, not a Float64Array`,
      `pass 24 numbers a pair as Float64Array.from(${name})`,
    );
  checkAttached(name, queries);
  if (queries.length % 24 !== 0)
    throw new Unsupported(
      `${name} has length ${queries.length}, not a multiple of 24`,
      'give four points at the start, then at the end: 24 numbers a pair',
    );
  const wild = queries.findIndex(value => !Number.isFinite(value));
  if (wild >= 0)
    throw new Unsupported(
      `${name}[${wild}] is ${queries[wild]}, not a finite number`,
      `correct pair ${Math.floor(wild / 24)}`,
    );
}
