// Computes the contact normal of each pair of triangles that share a point.

import { lengthOf } from '../core/vectorLength.js';

/**
 * Two unit normals count as equal if their difference is shorter than this, because such a short difference
 * consists mostly of rounding errors.
 */
const SAME = 2 ** -40;

/**
 * Writes the contact normal of two triangles: the unit vector along n_a - n_b, where n_a and n_b are the unit
 * normals of the triangles. Writes 0, 0, 0 if n_a and n_b are equal, or if a triangle has no area.
 * @param corners The nine coordinates of each triangle.
 * @param atA Where the corners of A begin: 0 or 9. The other nine numbers are the corners of B.
 */
export function writeContactNormal(corners: Float64Array, atA: 0 | 9, out: Float64Array, to: number): void {
  const ofA = unitNormalOf(corners, atA);
  const ofB = unitNormalOf(corners, 9 - atA);
  const difference = ofA && ofB ? ofA.map((value, axis) => value - ofB[axis]) : [0, 0, 0];
  const length = lengthOf(difference);
  for (let axis = 0; axis < 3; axis++) out[to + axis] = length < SAME ? 0 : difference[axis] / length;
}

// Returns the unit normal of a triangle; undefined if the triangle has no area. The edges are scaled first, so
// that their products neither overflow nor underflow.
function unitNormalOf(corners: Float64Array, at: number): number[] | undefined {
  const edges: number[] = [];
  let max = 0;
  for (let i = 3; i < 9; i++) {
    const part = corners[at + i] - corners[at + (i % 3)];
    edges.push(part);
    max = Math.max(max, Math.abs(part));
  }
  if (max === 0) return undefined;
  const [ux, uy, uz, vx, vy, vz] = edges.map(part => part / max);
  const normal = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
  const length = lengthOf(normal);
  return length === 0 ? undefined : normal.map(part => part / length);
}
