// Finds the exact vertices of a mesh in engine memory: its doubles, or its floats if it has no doubles.

import { MeshRecord } from './layout.js';

/** Views of engine memory. */
export interface Views {
  readonly u32: Uint32Array;
  readonly f32: Float32Array;
  readonly f64: Float64Array;
}

/**
 * Returns the exact vertices of the mesh whose MeshRecord is at `recordAt`. list: the view of engine memory
 * that holds them. from: the index of the first coordinate in this view. Each vertex has three coordinates.
 */
export function verticesOf(
  { u32, f32, f64 }: Views,
  recordAt: number,
): { list: Float32Array | Float64Array; from: number } {
  const doublesAt = u32[(recordAt + MeshRecord.at.doublesAt) / 4];
  return doublesAt === 0
    ? { list: f32, from: u32[(recordAt + MeshRecord.at.positionsAt) / 4] / 4 }
    : { list: f64, from: doublesAt / 8 };
}
