// Describes a moving mesh for a cast: a box that contains it, and the transforms from its normalized frame to
// the normalized frames of the targets.

import { readFrame } from '../rays/castTargets.js';
import { CastTarget } from '../records/castTargetLayout.js';
import { MovingFrame } from '../records/shapeCastLayout.js';
import type { Arena } from '../runtime/memory.js';
import type { ShapeNumbers } from './shapes.js';

/** The identity placement. */
export const IDENTITY_ROWS = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0);

// Upper bound of the rounding error of a few operations, relative to the sum of the magnitudes of the terms.
const ROUNDING = 2 ** -46;
const AXES = [0, 1, 2] as const;

/** Returns a box that contains the placed mesh. rows: its placement, three rows of four numbers. */
export function placedBox(arena: Arena, recordAt: number, rows: Float64Array): ShapeNumbers {
  const { center, scale, middle, half, storedError } = readFrame(arena, recordAt);
  const own = AXES.map(i => middle[i] / scale + center[i]);
  const start = AXES.map(
    row =>
      rows[4 * row] * own[0] + rows[4 * row + 1] * own[1] + rows[4 * row + 2] * own[2] + rows[4 * row + 3],
  );
  const axes = AXES.flatMap(i => {
    const size = ((half[i] + 2 * storedError) / scale) * (1 + 2 ** -20) + Math.abs(own[i]) * ROUNDING;
    return AXES.map(row => rows[4 * row + i] * size);
  });
  return { kind: 'mesh', start, end: start, segment: [0, 0, 0], radius: 0, axes };
}

/**
 * Writes the MovingFrame of a mesh and a target. recordAt: the MeshRecord of the moving mesh. rows: the
 * placement of the moving mesh.
 */
export function writeMovingFrame(
  arena: Arena,
  at: number,
  targetAt: number,
  recordAt: number,
  rows: Float64Array,
): void {
  const { f64 } = arena;
  const { center, scale, middle, half, storedError } = readFrame(arena, recordAt);
  const reach = AXES.map(i => Math.abs(center[i]) + (Math.abs(middle[i]) + half[i]) / scale);
  const target = (targetAt + CastTarget.at.rows) / 8;
  let error = 0;
  for (const row of AXES) {
    let sum = 0;
    let magnitude = Math.abs(f64[target + 4 * row + 3]);
    let offset = f64[target + 4 * row + 3];
    for (const column of AXES) {
      let entry = 0;
      for (const k of AXES) {
        const factor = f64[target + 4 * row + k];
        const product = factor * rows[4 * k + column];
        entry += product;
        magnitude += Math.abs(product) * reach[column];
      }
      f64[at / 8 + 4 * row + column] = entry / scale;
      sum += Math.abs(entry / scale);
      offset += entry * center[column];
    }
    for (const k of AXES) {
      const term = f64[target + 4 * row + k] * rows[4 * k + 3];
      offset += term;
      magnitude += Math.abs(term);
    }
    f64[at / 8 + 4 * row + 3] = offset;
    error = Math.max(error, sum * storedError + magnitude * ROUNDING);
  }
  f64[(at + MovingFrame.at.error) / 8] = error;
}
