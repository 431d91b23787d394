// Parts -> the meshes that they show, each once: parts of one mesh share its arrays.
import type { Part } from '../formats/readParts.js';

export interface SharedMeshes {
  /** One part of each mesh, in the order of first use. */
  meshes: Part[];
  /** The mesh of each part: its place in `meshes`. */
  meshOfPart: number[];
}

export function shareMeshes(parts: Part[]): SharedMeshes {
  const numbers = new Map<Float32Array, Map<Uint32Array, number>>();
  const meshes: Part[] = [];
  const meshOfPart = parts.map(part => {
    let byIndices = numbers.get(part.positions);
    if (!byIndices) numbers.set(part.positions, (byIndices = new Map()));
    let number = byIndices.get(part.indices);
    if (number === undefined) byIndices.set(part.indices, (number = meshes.push(part) - 1));
    return number;
  });
  return { meshes, meshOfPart };
}
