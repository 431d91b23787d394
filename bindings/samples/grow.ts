// A mesh and a triangle count -> the same surface with exactly that many triangles.

import { InvalidMesh } from '../core/errors.js';
import { type MeshData, triangleCount } from './types.js';

/**
 * Puts a vertex into the middle of evenly spread triangles, each of which becomes three. Closed stays closed.
 * Errors: InvalidMesh when `count` is below the mesh's own count, odd steps away, or beyond three times it.
 */
export function growTo(mesh: MeshData, count: number): MeshData {
  const from = triangleCount(mesh);
  const splitCount = (count - from) / 2;
  if (!Number.isInteger(splitCount) || splitCount < 0 || splitCount > from) {
    throw new InvalidMesh(
      `${from} triangles cannot become ${count}`,
      `ask for an even number of triangles more, at most ${3 * from} in all`,
    );
  }
  const vertexCount = mesh.positions.length / 3;
  const positions = new Float32Array(mesh.positions.length + splitCount * 3);
  const indices = new Uint32Array(count * 3);
  positions.set(mesh.positions);
  indices.set(mesh.indices);
  for (let split = 0; split < splitCount; split++) {
    const at = Math.floor((split * from) / splitCount) * 3;
    const [a, b, c] = [mesh.indices[at], mesh.indices[at + 1], mesh.indices[at + 2]];
    const middle = vertexCount + split;
    for (let axis = 0; axis < 3; axis++) {
      const sum = positions[a * 3 + axis] + positions[b * 3 + axis] + positions[c * 3 + axis];
      positions[middle * 3 + axis] = sum / 3;
    }
    indices.set([a, b, middle], at);
    indices.set([b, c, middle, c, a, middle], (from + split * 2) * 3);
  }
  return { positions, indices };
}
