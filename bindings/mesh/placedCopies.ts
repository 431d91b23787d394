// Copies two placed meshes into one common frame. Used if the float filter of triangle pairs would not be
// accurate enough in the frame of either mesh.

import { ceilLog2 } from '../bvh/normalize.js';
import { MeshRecord } from '../records/layout.js';
import { verticesOf } from '../records/vertices.js';
import type { EngineContext } from '../runtime/engineContext.js';
import { createMesh, type Mesh } from './mesh.js';

const FLOAT_ROUNDING = 2 ** -24;
const DOUBLE_ROUNDING = 2 ** -53;

export interface PlacedCopies {
  a: Mesh;
  b: Mesh;
  /** Error bound of the copies' coordinates, in the normalized frame of `a`. */
  ownError: number;
}

/**
 * Copies both meshes: computes the placed vertices in doubles, translates both meshes so that the center of the
 * box of `a` is at the origin, scales both by the same power of two into -1..1, and rounds the coordinates to
 * float32. Triangles keep their numbers. The larger mesh must be `a`. Undefined rows mean the identity.
 * @throws Capacity
 */
export function makePlacedCopies(
  context: EngineContext,
  a: Mesh,
  rowsA: Float64Array | undefined,
  b: Mesh,
  rowsB: Float64Array | undefined,
): PlacedCopies {
  const [pointsA, pointsB] = [placeVertices(context, a, rowsA), placeVertices(context, b, rowsB)];
  const center = [0, 1, 2].map(axis => centerOf(pointsA, axis));
  let maxOffset = 0;
  let maxCoordinate = 0;
  for (const points of [pointsA, pointsB]) {
    for (let i = 0; i < points.length; i++) {
      maxCoordinate = Math.max(maxCoordinate, Math.abs(points[i]));
      maxOffset = Math.max(maxOffset, Math.abs(points[i] - center[i % 3]));
    }
  }
  const scale = maxOffset > 0 ? 2 ** -ceilLog2(maxOffset) : 1;
  const copyOf = (mesh: Mesh, points: Float64Array): Mesh =>
    createMesh(
      context,
      {
        positions: Float32Array.from(points, (value, i) => (value - center[i % 3]) * scale),
        indices: indicesOf(context, mesh),
      },
      { builder: 'morton' },
    );
  const copyA = copyOf(a, pointsA);
  try {
    const copyB = copyOf(b, pointsB);
    const scaleA = context.arena.f32[(copyA.recordAt + MeshRecord.at.scale) / 4];
    return {
      a: copyA,
      b: copyB,
      ownError: 2 * scaleA * (FLOAT_ROUNDING + 4 * DOUBLE_ROUNDING * maxCoordinate * scale),
    };
  } catch (error) {
    copyA.dispose();
    throw error;
  }
}

/** Returns the size of a placed mesh: its largest extent along an axis of the common frame. */
export function placedSize(context: EngineContext, mesh: Mesh, rows: Float64Array | undefined): number {
  const points = placeVertices(context, mesh, rows);
  return Math.max(
    ...[0, 1, 2].map(axis => {
      const [min, max] = rangeOf(points, axis);
      return max - min;
    }),
  );
}

function placeVertices({ arena }: EngineContext, mesh: Mesh, rows: Float64Array | undefined): Float64Array {
  const { list, from } = verticesOf(arena, mesh.recordAt);
  const points = new Float64Array(mesh.vertexCount * 3);
  for (let i = 0; i < points.length; i += 3) {
    const x = list[from + i];
    const y = list[from + i + 1];
    const z = list[from + i + 2];
    if (!rows) {
      points[i] = x;
      points[i + 1] = y;
      points[i + 2] = z;
      continue;
    }
    for (let k = 0; k < 3; k++)
      points[i + k] = rows[k * 4] * x + rows[k * 4 + 1] * y + rows[k * 4 + 2] * z + rows[k * 4 + 3];
  }
  return points;
}

function indicesOf({ arena }: EngineContext, mesh: Mesh): Uint32Array {
  const at = arena.u32[(mesh.recordAt + MeshRecord.at.indicesAt) / 4] / 4;
  return arena.u32.slice(at, at + mesh.triangleCount * 3);
}

function rangeOf(points: Float64Array, axis: number): [number, number] {
  let min = Infinity;
  let max = -Infinity;
  for (let i = axis; i < points.length; i += 3) {
    min = Math.min(min, points[i]);
    max = Math.max(max, points[i]);
  }
  return [min, max];
}

function centerOf(points: Float64Array, axis: number): number {
  const [min, max] = rangeOf(points, axis);
  return min / 2 + max / 2;
}
