// Chooses the camera of a BCF viewpoint: it looks at the point of a clash from above, and shows at least the
// surroundings of the contact.
import type { Bounds } from '../bounds.js';
import { addScaled, cross, radiusOf, unit, type Vector } from './vectors.js';

/** A perspective camera. Coordinates are in meters, z up. */
export interface Camera {
  position: Vector;
  /** Unit vector. */
  direction: Vector;
  /** Unit vector, perpendicular to the direction. */
  up: Vector;
  /** The vertical angle of view, in degrees. */
  fieldOfView: number;
  /** Width of the picture divided by its height. */
  aspectRatio: number;
}

/** BCF 2.1 allows 45 to 60 degrees. */
const FIELD_OF_VIEW = 60;
/**
 * The sine of half of FIELD_OF_VIEW. Math.sin is not used, because its rounding differs between JavaScript
 * engines.
 */
const SINE_OF_HALF = 0.5;
/** The tangent of half of FIELD_OF_VIEW. */
export const TANGENT_OF_HALF = 1 / Math.sqrt(3);
const ASPECT_RATIO = 4 / 3;
const DIRECTION = unit([3, 5, -4]);
/**
 * The radius of the sphere that the camera shows (see cameraFor), as a multiple of the radius of the contact.
 */
const CONTEXT = 8;
/** The min radius of the sphere, as a share of the radius of the smaller part. */
const MIN_SHARE = 1 / 8;
/** The min radius of the sphere in meters, for parts without extent. */
const MIN_RADIUS = 1e-4;

/**
 * Returns the camera for a clash. A sphere around the point fills the height of the picture. Its radius is
 * CONTEXT times the radius of the contact, but at most the radius of the smaller part. It is at least the
 * radius of the contact, the share MIN_SHARE of the radius of the smaller part, and MIN_RADIUS.
 */
export function cameraFor(point: Vector, contact: Bounds, partA: Bounds, partB: Bounds): Camera {
  const smaller = Math.min(radiusOf(partA), radiusOf(partB));
  const radius = Math.max(
    Math.min(CONTEXT * radiusOf(contact), smaller),
    radiusOf(contact),
    MIN_SHARE * smaller,
    MIN_RADIUS,
  );
  const distance = radius / SINE_OF_HALF;
  const right = unit(cross(DIRECTION, [0, 0, 1]));
  return {
    position: addScaled(point, -distance, DIRECTION),
    direction: DIRECTION,
    up: cross(right, DIRECTION),
    fieldOfView: FIELD_OF_VIEW,
    aspectRatio: ASPECT_RATIO,
  };
}
