// Replaces lengths that are only rounding noise by zero, for texts that people read.
import type { Part } from '../../formats/part.js';
import { boxOf } from './findNearPairs.js';

/**
 * Rounding errors of computed points and lengths are smaller than this fraction of the largest coordinate. The
 * fraction equals the error of about a thousand roundings of doubles.
 */
const NOISE = 1e-13;

/** Returns the largest absolute coordinate of the placed parts. */
export function maxCoordinate(parts: readonly Part[]): number {
  return parts.reduce(
    (max, part) =>
      // The box of a part without triangles is not finite.
      boxOf(part)
        .filter(Number.isFinite)
        .reduce((maxOfPart, value) => Math.max(maxOfPart, Math.abs(value)), max),
    0,
  );
}

/** Returns a function that replaces lengths and coordinates of the model that are rounding noise by zero. */
export function noiseFilter(parts: readonly Part[]): (value: number) => number {
  const limit = NOISE * maxCoordinate(parts);
  return value => (Math.abs(value) < limit ? 0 : value);
}

/** Replaces the coordinates of a unit vector that are rounding noise by zero. */
export const cleanDirection = (direction: readonly number[]): number[] =>
  direction.map(value => (Math.abs(value) < NOISE ? 0 : value));
