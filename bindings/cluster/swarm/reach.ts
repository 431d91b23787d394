// Bounds the motion of a body in a step: computes a box that encloses the body during the whole step, and the
// center of its bounding sphere at the end of the step (Du, Liu and Suzumura, section 3.2). All nodes compute
// bitwise equal results.
import type { Sphere } from '../../ccd/meshTables.js';

/**
 * Nine numbers: minimum x, y, z and maximum x, y, z of the box, then x, y, z of the sphere's center at the
 * end of the step.
 */
export type Reach = Float64Array;
export const REACH_LENGTH = 9;

/**
 * Relative margin of the box. This margin exceeds both the rounding errors that this file makes when it places
 * the sphere, and the rounding errors of the engine's single-precision boxes.
 */
const SLACK = 2 ** -20;
/**
 * A second margin, which is needed because the terms of a coordinate of the sphere's placed center may cancel.
 * It is relative to the sum of the magnitudes of these terms. The margin exceeds both the rounding errors of
 * the center, which are at most 4 * 2^-53 times this sum, and the engine's margin of 2^-40 times this sum.
 */
const TERMS_SLACK = 2 ** -39;

/**
 * Writes the reach of a body to `reach`. from: an array that has the body's placement at the start of the
 * step, from index `fromAt` on. to: an array that has the placement at the end, from index `toAt` on. A
 * placement is three rows of four numbers. The box that the engine computes for the body lies within the box
 * of the reach.
 */
export function reachOf(
  sphere: Sphere,
  from: Float64Array,
  fromAt: number,
  to: Float64Array,
  toAt: number,
  reach: Reach,
): void {
  const radius = Math.max(radiusOf(sphere, from, fromAt), radiusOf(sphere, to, toAt));
  for (let axis = 0; axis < 3; axis++) {
    const start = centerOn(sphere, from, fromAt + 4 * axis);
    const stop = centerOn(sphere, to, toAt + 4 * axis);
    const terms = sumOfTerms(sphere, from, fromAt + 4 * axis) + sumOfTerms(sphere, to, toAt + 4 * axis);
    const slack = SLACK * (Math.abs(start) + Math.abs(stop) + radius) + TERMS_SLACK * terms;
    reach[axis] = Math.min(start, stop) - radius - slack;
    reach[3 + axis] = Math.max(start, stop) + radius + slack;
    reach[6 + axis] = stop;
  }
}

/** Returns the coordinate of the sphere's center on the axis whose row begins at `at`. */
function centerOn({ x, y, z }: Sphere, rows: Float64Array, at: number): number {
  return rows[at] * x + rows[at + 1] * y + rows[at + 2] * z + rows[at + 3];
}

// Returns the sum of the magnitudes of the terms that `centerOn` adds up.
function sumOfTerms({ x, y, z }: Sphere, rows: Float64Array, at: number): number {
  return (
    Math.abs(rows[at] * x) + Math.abs(rows[at + 1] * y) + Math.abs(rows[at + 2] * z) + Math.abs(rows[at + 3])
  );
}

// Returns an upper bound of the placed sphere's radius: the radius times a bound of the placement's largest
// singular value. The square of the largest singular value is at most the maximum absolute row sum of the
// Gram matrix of the placement's columns.
function radiusOf({ radius }: Sphere, rows: Float64Array, at: number): number {
  const product = (a: number, b: number): number =>
    rows[at + a] * rows[at + b] + rows[at + 4 + a] * rows[at + 4 + b] + rows[at + 8 + a] * rows[at + 8 + b];
  const xy = Math.abs(product(0, 1));
  const yz = Math.abs(product(1, 2));
  const zx = Math.abs(product(2, 0));
  return (
    Math.sqrt(Math.max(product(0, 0) + xy + zx, product(1, 1) + xy + yz, product(2, 2) + yz + zx)) * radius
  );
}
