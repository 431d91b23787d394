// Checks the arguments of sweeps and converts them to placements and settings.

import { type Coordinates, copyOptions } from '../core/checkOptions.js';
import { Unsupported } from '../core/errors.js';
import { PLACED_SWEEP, SWEEP } from '../core/moduleOptions.js';
import { readTransform, type Transform } from '../core/transform.js';
import { rejectDoubles } from '../mesh/doubles.js';
import { maxPlacedCoordinate } from '../mesh/maxPlacedCoordinate.js';
import type { Mesh } from '../mesh/mesh.js';
import type { Placements } from './meshSweep.js';
import {
  checkCoordinates,
  checkSweepOptions,
  type Motion,
  type PlacedSweepOptions,
  readSweepOptions,
  type SweepOptions,
  type SweepSettings,
} from './sweepOptions.js';

/** An object that knows which meshes belong to it: an engine. */
export interface Owner {
  owns(mesh: Mesh): boolean;
}

/** Checks that meshes belong to the engine. @throws Unsupported for a mesh of another engine */
export function checkOwned(owner: Owner, ...meshes: readonly Mesh[]): void {
  if (!meshes.every(mesh => owner.owns(mesh)))
    throw new Unsupported(
      'a mesh is missing, or belongs to another engine',
      'pass meshes that createMesh of this engine returned',
    );
}

/** Checks the arguments of sweepVertices, and returns the settings. @throws Unsupported, InvalidMesh */
export function readVertices(
  owner: Owner,
  mesh: Mesh,
  from: Coordinates,
  to: Coordinates,
  given: SweepOptions,
): SweepSettings {
  checkOwned(owner, mesh);
  const options = copyOptions(SWEEP, given);
  checkSweepOptions(options);
  return readSweepOptions(
    options,
    Math.max(checkCoordinates(`from`, from, mesh), checkCoordinates('to', to, mesh)),
  );
}

/**
 * Checks the arguments of sweep.
 * @returns the placements as rows of numbers, the settings and the motion
 * @throws Unsupported, InvalidTransform
 */
export function readPlacements(
  owner: Owner,
  a: Mesh,
  b: Mesh,
  given: PlacedSweepOptions,
): { placed: Placements; settings: SweepSettings; motion: Motion } {
  checkOwned(owner, a, b);
  for (const mesh of [a, b]) rejectDoubles('sweep', mesh);
  const options = copyOptions(PLACED_SWEEP, given);
  checkSweepOptions(options);
  const [fromA, toA = fromA, fromB, toB = fromB] = (['fromA', 'toA', 'fromB', 'toB'] as const).map(name =>
    rowsOf(name, options[name]),
  );
  const extent = Math.max(
    maxPlacedCoordinate(a, fromA),
    maxPlacedCoordinate(a, toA),
    maxPlacedCoordinate(b, fromB),
    maxPlacedCoordinate(b, toB),
  );
  return {
    placed: { fromA, toA, fromB, toB },
    settings: readSweepOptions(options, extent),
    motion: options.motion ?? 'linear',
  };
}

function rowsOf(name: string, transform: Transform | undefined): Float64Array | undefined {
  if (transform === undefined) return undefined;
  const rows = new Float64Array(12);
  readTransform(name, transform, rows, 0);
  return rows;
}
