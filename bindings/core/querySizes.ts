// Computes the sizes of queries, and defines the sizes below which a query is too small for any GPU.
import type { QueryKind } from '../gpu/gpuSystems.js';
import type { PlacedMeshes } from '../mesh/pairWriter.js';

/**
 * Minimum size by kind of query, in triangles, boxes or pairs of features. With backend 'auto', a query below
 * this size does not request a GPU, because the CPU answers it in less time than one round trip to a GPU takes.
 */
export const MIN_GPU_SIZES: Readonly<Record<QueryKind, number>> = {
  query: 65536,
  selfQuery: 8192,
  boxPairs: 4096,
  sweep: 512,
  sweepBodies: 16384,
  sweepFeatures: 256,
};

/**
 * Returns the total number of triangles of both meshes of a pair. Invalid meshes count as 0, and are rejected
 * later.
 */
export const triangleCountOf = (pair?: Partial<PlacedMeshes>): number =>
  (pair?.a?.triangleCount ?? 0) + (pair?.b?.triangleCount ?? 0);

export const sizeOf = (list?: ArrayLike<number>): number => list?.length ?? 0;
