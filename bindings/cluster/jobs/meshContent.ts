// Encodes meshes as bytes. Equal meshes have equal bytes, hence equal hashes.
import { checkFinite, checkIndices, checkShape, type MeshData } from '../../mesh/meshData.js';
import { messageKind } from '../message.js';

const heading = { run: [0, 0], step: 0, from: 0 } as const;
const MeshContent = messageKind(
  'MeshContent',
  120,
  {},
  { positions: 'f32', indices: 'u32' },
  ({ positions, indices }) =>
    positions.length % 3 === 0 && indices.length % 3 === 0
      ? undefined
      : `its ${positions.length} coordinates or ${indices.length} indices are not a multiple of 3`,
);

/** Facts about a mesh, used to check tasks and results and to estimate the cost of tasks. */
export interface MeshFacts {
  triangleCount: number;
  /** The minimum x, y and z of the corners of all triangles, then the maximum x, y and z. */
  bounds: Float32Array;
  /** The encoded mesh. */
  bytes: Uint8Array;
}

/**
 * Validates a mesh, and returns facts about it and a copy of it as bytes. @throws InvalidMesh, as createMesh
 * does
 */
export function writeMesh(data: MeshData): MeshFacts {
  const { positions, indices } = checkShape(data);
  const bounds = Float32Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
  let areFinite = true;
  let maxIndex = 0;
  for (const value of positions) if (!(Math.abs(value) < Infinity)) areFinite = false;
  for (const index of indices) {
    if (index > maxIndex) maxIndex = index;
    for (let axis = 0; axis < 3; axis++) {
      const value = positions[3 * index + axis];
      if (value < bounds[axis]) bounds[axis] = value;
      if (value > bounds[axis + 3]) bounds[axis + 3] = value;
    }
  }
  const statistics = { bounds, areFinite, maxIndex, minMagnitude: 0 };
  checkFinite(positions, statistics);
  checkIndices(positions, indices, statistics);
  return {
    triangleCount: indices.length / 3,
    bounds,
    bytes: MeshContent.encode(heading, { positions, indices }),
  };
}

/** Decodes a mesh. @throws Malformed */
export const readMesh = (bytes: Uint8Array): { positions: Float32Array; indices: Uint32Array } => {
  const { positions, indices } = MeshContent.decode(bytes);
  return { positions, indices };
};
