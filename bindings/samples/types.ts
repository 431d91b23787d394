// What every scene is made of.

/** Triangles as arrays. */
export interface MeshData {
  /** x, y, z of each vertex. */
  positions: Float32Array;
  /** Three vertex numbers a triangle, counter-clockwise seen from outside. */
  indices: Uint32Array;
}

/** Placed parts that move: several parts may share a mesh. */
export interface Scene {
  /** What is placed. */
  parts: {
    /** For people. */
    name: string;
    /** Which of `meshes` it is. */
    mesh: number;
  }[];
  /** The meshes that parts show. */
  meshes: MeshData[];
  /** Frame number, whole or not -> 16 doubles a part, column by column, in the order of `parts`. */
  frame(t: number): Float64Array;
}

/** How many triangles a mesh has. */
export const triangleCount = (mesh: MeshData): number => mesh.indices.length / 3;

/** Triangles of all parts together, a shared mesh counted as often as it is placed. */
export const placedTriangleCount = (scene: Scene): number =>
  scene.parts.reduce((sum, part) => sum + triangleCount(scene.meshes[part.mesh]), 0);
