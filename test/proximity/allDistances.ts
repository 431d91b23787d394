// Computes the distance of every pair of triangles of two placed meshes, with the kernel for two triangles
// and without trees. If the kernel cannot decide whether two triangles intersect, the oracle decides in exact
// integer arithmetic.

import { limits } from '../../dist/records/layout.js';
import type { MeshData } from '../../dist/samples/index.js';
import { placeTriangles } from '../oracle/place.js';
import { trianglesMeet } from '../oracle/trianglesIntersect.js';
import type { Placed } from '../support/placedScenes.js';
import { measure } from './measure.js';

export interface AllDistances {
  /** The distance of triangles a and b is distances[a * countB + b]. */
  distances: Float64Array;
  /** The placed corners of each pair of triangles, 18 doubles per pair, in the order of `distances`. */
  corners: Float64Array;
  countB: number;
}

export function allDistances(a: MeshData, b: MeshData, { transformA, transformB }: Placed): AllDistances {
  const cornersA = placeTriangles(a, transformA);
  const cornersB = placeTriangles(b, transformB);
  const countA = cornersA.length / 9;
  const countB = cornersB.length / 9;
  const corners = new Float64Array(18 * countA * countB);
  for (let i = 0, to = 0; i < countA; i++) {
    for (let j = 0; j < countB; j++, to += 18) {
      corners.set(cornersA.subarray(9 * i, 9 * i + 9), to);
      corners.set(cornersB.subarray(9 * j, 9 * j + 9), to + 9);
    }
  }
  const { distances, verdicts } = measure(corners);
  verdicts.forEach((verdict, i) => {
    if (verdict === limits.TOO_WIDE && trianglesMeet(corners.subarray(18 * i, 18 * i + 18))) distances[i] = 0;
  });
  return { distances, corners, countB };
}

/**
 * Returns the min distance and the first pair of triangles at this distance, or null if there are no pairs.
 */
export function nearestOf({
  distances,
  countB,
}: AllDistances): { distance: number; triangleA: number; triangleB: number } | null {
  let at = -1;
  distances.forEach((distance, i) => {
    if (at < 0 || distance < distances[at]) at = i;
  });
  return at < 0
    ? null
    : { distance: distances[at], triangleA: Math.floor(at / countB), triangleB: at % countB };
}

/** Returns the triangle pairs whose distance is at most `clearance`: their triangle numbers and distances. */
export const nearOf = (
  { distances, countB }: AllDistances,
  clearance: number,
): { a: number; b: number; distance: number }[] =>
  Array.from(distances, (distance, i) => ({ a: Math.floor(i / countB), b: i % countB, distance })).filter(
    ({ distance }) => distance <= clearance,
  );
