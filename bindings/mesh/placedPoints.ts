// Computes the six placed vertices of two triangles in doubles. The exact tests decide whether the triangles
// with these rounded vertices intersect, so the operations and their order must not change.

import { placeOn } from '../core/transform.js';
import { MeshRecord, PairRecord } from '../records/layout.js';
import { verticesOf } from '../records/vertices.js';
import type { Arena } from '../runtime/memory.js';

/**
 * Returns 18 doubles in the common frame: the three vertices of triangle A, then those of triangle B. The
 * values must be the same as those of placeTriangle in assembly/exact/place.ts. pairAt: address of the
 * PairRecord.
 */
export function placedPoints(
  arena: Arena,
  pairAt: number,
  triangleA: number,
  triangleB: number,
): Float64Array {
  const points = new Float64Array(18);
  writePlacedPoints(arena, pairAt, triangleA, triangleB, points, 0);
  return points;
}

/** Writes the 18 doubles that placedPoints returns to out[to] and the following elements. */
export function writePlacedPoints(
  arena: Arena,
  pairAt: number,
  triangleA: number,
  triangleB: number,
  out: Float64Array,
  to: number,
): void {
  const { u32 } = arena;
  const at = PairRecord.at;
  const placementA = u32[(pairAt + at.placedA) / 4] ? pairAt + at.placementA : 0;
  const placementB = u32[(pairAt + at.placedB) / 4] ? pairAt + at.placementB : 0;
  placeTriangle(arena, u32[(pairAt + at.meshA) / 4], triangleA, placementA, out, to);
  placeTriangle(arena, u32[(pairAt + at.meshB) / 4], triangleB, placementB, out, to + 9);
}

function placeTriangle(
  arena: Arena,
  record: number,
  triangle: number,
  placementAt: number,
  out: Float64Array,
  to: number,
): void {
  const { u32, f64 } = arena;
  const { list, from } = verticesOf(arena, record);
  const indices = u32[(record + MeshRecord.at.indicesAt) / 4] / 4;
  for (let corner = 0; corner < 3; corner++) {
    const vertex = from + u32[indices + triangle * 3 + corner] * 3;
    const x = list[vertex];
    const y = list[vertex + 1];
    const z = list[vertex + 2];
    for (let axis = 0; axis < 3; axis++) {
      const row = placementAt / 8 + axis * 4;
      out[to + corner * 3 + axis] = placementAt === 0 ? list[vertex + axis] : placeOn(f64, row, x, y, z);
    }
  }
}
