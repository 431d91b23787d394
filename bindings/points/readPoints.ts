// Checks the points of a point query.

import { type Coordinates, checkTriples } from '../core/checkOptions.js';
import { Unsupported } from '../core/errors.js';
import { MAX_FLOAT, MIN_DOUBLE } from '../core/floatRange.js';

/** Points: x, y and z of each, in the mesh's own frame. */
export type Points = Coordinates;

/**
 * Returns a copy of the points in doubles.
 * @throws Unsupported if the points are not a typed array of floats, or if a coordinate is invalid; the error
 * then names the first such coordinate
 */
export function readPoints(points: unknown): Float64Array {
  checkTriples('points', points, 'point');
  const copy = Float64Array.from(points);
  for (let i = 0; i < copy.length; i++) {
    const size = Math.abs(copy[i]);
    if (size <= MAX_FLOAT && (size >= MIN_DOUBLE || Math.fround(size) === size)) continue;
    rejectCoordinate(i, copy[i]);
  }
  return copy;
}

function rejectCoordinate(i: number, value: number): never {
  const what = `points[${i}] is ${value}`;
  if (!Number.isFinite(value))
    throw new Unsupported(`${what}, not a finite number`, `fix point ${Math.floor(i / 3)}`);
  if (Math.abs(value) > MAX_FLOAT)
    throw new Unsupported(
      `${what}, but the magnitude of a coordinate must be at most ${MAX_FLOAT}`,
      'scale mesh and points down',
    );
  throw new Unsupported(
    `${what}, but a coordinate that is not a float32 number must have a magnitude of at least 2^-96`,
    `replace the coordinate by 0 or by Math.fround(${value})`,
  );
}
