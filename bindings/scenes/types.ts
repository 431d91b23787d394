// What every scene is made of.

/** positions: x y z per vertex. indices: three vertex numbers per triangle, counter-clockwise seen from outside. */
export interface MeshData {
  positions: Float32Array;
  indices: Uint32Array;
}

/** Placed parts that move: several parts may share a mesh. */
export interface Scene {
  parts: { name: string; mesh: number }[];
  meshes: MeshData[];
  /** Frame number, whole or not -> 16 doubles a part, column by column, in the order of `parts`. */
  frame(t: number): Float64Array;
}

export const triangleCount = (mesh: MeshData): number => mesh.indices.length / 3;

/** Triangles of all parts together, a shared mesh counted as often as it is placed. */
export const placedTriangleCount = (scene: Scene): number =>
  scene.parts.reduce((sum, part) => sum + triangleCount(scene.meshes[part.mesh]!), 0);
