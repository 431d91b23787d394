// Converts coordinates of the scene to the coordinates of BCF: meters, with z up.
import type { Up } from '../../formats/part.js';
import { METERS, type Unit } from '../../formats/units.js';
import { type Bounds, boundsOf } from '../bounds.js';
import type { Vector } from './vectors.js';

/** The frame of the scene, from which coordinates are converted. */
export interface SceneFrame {
  unit: Unit;
  up: Up;
}

/**
 * Returns the up axis of the scene. Without `--up`, it is y if all parts come from files with y up, and z
 * otherwise.
 *
 * @param chosen - The axis that `--up` sets, if any.
 */
export function upAxisOf(chosen: Up | undefined, parts: readonly { up?: Up }[]): Up {
  return chosen ?? (parts.every(({ up }) => up === 'y') ? 'y' : 'z');
}

/** Converts a point. If y is up, it is rotated by 90 degrees about the x axis, which maps y to z. */
export function toBcf({ unit, up }: SceneFrame, [x, y, z]: Vector): Vector {
  const meters = METERS[unit];
  return up === 'z' ? [meters * x, meters * y, meters * z] : [meters * x, -meters * z, meters * y];
}

/** Converts a box. */
export function boxToBcf(frame: SceneFrame, { min, max }: Bounds): Bounds {
  return boundsOf([...toBcf(frame, min), ...toBcf(frame, max)]);
}

/** Returns the matrix that maps a part's own coordinates to those of BCF: 12 numbers, row-major. */
export function matrixToBcf(frame: SceneFrame, transform: Float64Array): Float64Array {
  const rows = new Float64Array(12);
  for (let column = 0; column < 4; column++) {
    const [x, y, z] = transform.subarray(4 * column, 4 * column + 3);
    toBcf(frame, [x, y, z]).forEach((value, row) => {
      rows[4 * row + column] = value;
    });
  }
  return rows;
}
