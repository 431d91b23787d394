// Adds triangles to a mesh until it has a given number of triangles. The surface stays the same, except that
// new vertices are rounded to float32.

import { InvalidMesh } from '../core/errors.js';
import { type MeshData, triangleCount } from './types.js';

/**
 * Splits some triangles into three each, by inserting a vertex at the centroid. The split triangles are
 * spread evenly over the list of triangles. A closed mesh stays closed.
 * @throws InvalidMesh if `count` is less than the number of triangles of `mesh`, is more than three times that
 * number, or differs from it by an odd number
 */
export function growTo(mesh: MeshData, count: number): MeshData {
  const oldCount = triangleCount(mesh);
  const splitCount = (count - oldCount) / 2;
  if (!Number.isInteger(splitCount) || splitCount < 0 || splitCount > oldCount) {
    throw new InvalidMesh(
      `${oldCount} triangles cannot be split into ${count}`,
      `pass ${oldCount} plus an even number, at most ${3 * oldCount} in total`,
    );
  }
  const vertexCount = mesh.positions.length / 3;
  const positions = new Float32Array(mesh.positions.length + splitCount * 3);
  const indices = new Uint32Array(count * 3);
  positions.set(mesh.positions);
  indices.set(mesh.indices);
  for (let split = 0; split < splitCount; split++) {
    const at = Math.floor((split * oldCount) / splitCount) * 3;
    const [a, b, c] = [mesh.indices[at], mesh.indices[at + 1], mesh.indices[at + 2]];
    const center = vertexCount + split;
    for (let axis = 0; axis < 3; axis++) {
      const sum = positions[a * 3 + axis] + positions[b * 3 + axis] + positions[c * 3 + axis];
      positions[center * 3 + axis] = sum / 3;
    }
    indices.set([a, b, center], at);
    indices.set([b, c, center, c, a, center], (oldCount + split * 2) * 3);
  }
  return { positions, indices };
}
