// Declares the types of generated meshes and scenes.

/** A triangle mesh as arrays. */
export interface MeshData {
  /** x, y, z of each vertex, in the mesh's own frame. */
  positions: Float32Array;
  /** Three vertex indices for each triangle, counterclockwise when seen from outside. */
  indices: Uint32Array;
}

/** A scene of parts that move. Each part is a placed mesh, and several parts may share a mesh. */
export interface Scene {
  /** The placed parts. */
  parts: {
    /** A human-readable name. */
    name: string;
    /** Index into `meshes`. */
    mesh: number;
  }[];
  /** The meshes that parts refer to. */
  meshes: MeshData[];
  /**
   * Returns the placements at a frame number, which may be fractional: 16 doubles for each part,
   * column-major, in the order of `parts`.
   */
  frame(t: number): Float64Array;
}

/** Returns the number of triangles of a mesh. */
export const triangleCount = (mesh: MeshData): number => mesh.indices.length / 3;

/**
 * Returns the total number of triangles of all parts. A shared mesh is counted once for each of its parts.
 */
export const placedTriangleCount = (scene: Scene): number =>
  scene.parts.reduce((sum, part) => sum + triangleCount(scene.meshes[part.mesh]), 0);
