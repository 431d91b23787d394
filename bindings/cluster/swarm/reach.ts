// A body that goes from one placement to another -> where its sphere's middle comes to, and a box that holds
// it on all its way (Du, Liu and Suzumura s3.2): the same bits on every node.
import type { Sphere } from '../../ccd/meshTables.js';

/** Least x, y, z and greatest; then the middle at the end. */
export type Reach = Float64Array;
export const REACH_LENGTH = 9;

/** Beyond all that rounding adds, to the sphere here and to the boxes of floats that the engine makes. */
const SLACK = 2 ** -20;

/**
 * from, to: 12 numbers from `fromAt` and `toAt` on, three rows of four. The engine's box of the body lies
 * within.
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
    const start = middleOn(sphere, from, fromAt + 4 * axis);
    const stop = middleOn(sphere, to, toAt + 4 * axis);
    const slack = SLACK * (Math.abs(start) + Math.abs(stop) + radius);
    reach[axis] = Math.min(start, stop) - radius - slack;
    reach[3 + axis] = Math.max(start, stop) + radius + slack;
    reach[6 + axis] = stop;
  }
}

/** Where the sphere's middle is on the axis whose row begins at `at`. */
function middleOn({ x, y, z }: Sphere, rows: Float64Array, at: number): number {
  return rows[at] * x + rows[at + 1] * y + rows[at + 2] * z + rows[at + 3];
}

// The square of the largest singular value is no more than the greatest row sum of the columns' products.
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
