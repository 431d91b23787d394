// Finds parts that use the same mesh, so that each mesh is stored once.
import type { Part } from '../formats/readParts.js';

export interface DistinctMeshes {
  /** One part for each distinct mesh, in the order of first use. */
  meshes: Part[];
  /** The mesh of each part, as an index of `meshes`. */
  meshOfPart: number[];
}

/** Groups parts by mesh. Two parts have the same mesh if they share the same position and index arrays. */
export function deduplicateMeshes(parts: Part[]): DistinctMeshes {
  const meshOfArrays = new Map<Float32Array, Map<Uint32Array, number>>();
  const meshes: Part[] = [];
  const meshOfPart = parts.map(part => {
    let byIndices = meshOfArrays.get(part.positions);
    if (!byIndices) meshOfArrays.set(part.positions, (byIndices = new Map()));
    let mesh = byIndices.get(part.indices);
    if (mesh === undefined) byIndices.set(part.indices, (mesh = meshes.push(part) - 1));
    return mesh;
  });
  return { meshes, meshOfPart };
}
