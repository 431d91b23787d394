// Computes the scale of placed copies: copies of two meshes in one common frame (see mesh/placedCopies.ts).

import { ceilLog2 } from '../core/exponent.js';
import { placeOn } from '../core/transform.js';
import { MeshRecord, PairRecord } from '../records/layout.js';
import { verticesOf } from '../records/vertices.js';
import type { Arena } from '../runtime/memory.js';

/**
 * Returns the power of two by which makePlacedCopies scales both meshes of the pair record at `pairAt`. The
 * scaled coordinates, relative to the center of the box of mesh A, are in -1..1.
 */
export function copyScaleOf(arena: Arena, pairAt: number): number {
  const ranges = [0, 1, 2].map(
    axis => [rangeOf(arena, pairAt, 'A', axis), rangeOf(arena, pairAt, 'B', axis)] as const,
  );
  const maxCoordinate = Math.max(
    ...ranges.map(([a, b]) => {
      const middle = a[0] / 2 + a[1] / 2;
      return Math.max(a[1] - middle, middle - a[0], b[1] - middle, middle - b[0]);
    }),
  );
  return maxCoordinate > 0 ? 2 ** -ceilLog2(maxCoordinate) : 1;
}

// Returns the minimum and maximum coordinate of a placed mesh's vertices on one axis.
function rangeOf(arena: Arena, pairAt: number, side: 'A' | 'B', axis: number): [number, number] {
  const { u32, f64 } = arena;
  const record = u32[(pairAt + PairRecord.at[side === 'A' ? 'meshA' : 'meshB']) / 4];
  const isPlaced = u32[(pairAt + PairRecord.at[side === 'A' ? 'placedA' : 'placedB']) / 4] === 1;
  const { list, from } = verticesOf(arena, record);
  const end = from + 3 * u32[(record + MeshRecord.at.vertexCount) / 4];
  const row = (pairAt + PairRecord.at[side === 'A' ? 'placementA' : 'placementB']) / 8 + 4 * axis;
  let min = Infinity;
  let max = -Infinity;
  for (let i = from; i < end; i += 3) {
    const value = isPlaced ? placeOn(f64, row, list[i], list[i + 1], list[i + 2]) : list[i + axis];
    min = Math.min(min, value);
    max = Math.max(max, value);
  }
  return [min, max];
}
