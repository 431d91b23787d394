// Questions -> their sizes, as crossovers count them, and which are too small for any GPU.
import type { QuestionKind } from '../gpu/gpuSystems.js';
import type { PlacedMeshes } from '../mesh/pairWriter.js';

/**
 * Smaller questions, by kind, never look for a GPU: the CPU answers them in less time than a GPU takes for
 * one round trip.
 */
export const FEWEST: Readonly<Record<QuestionKind, number>> = {
  query: 65536,
  selfQuery: 8192,
  boxPairs: 4096,
  sweep: 512,
  sweepBodies: 16384,
  sweepFeatures: 256,
};

/** Triangles of both meshes of a pair; 0 for what is no mesh, which whoever answers refuses. */
export const triangles = (pair?: Partial<PlacedMeshes>): number =>
  (pair?.a?.triangleCount ?? 0) + (pair?.b?.triangleCount ?? 0);

export const sizeOf = (list?: ArrayLike<number>): number => list?.length ?? 0;
