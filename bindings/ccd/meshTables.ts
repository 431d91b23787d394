// Caches the data that sweeps need about each mesh, for as long as the mesh exists: its edges, the vertices and
// edges that each face owns, and a bounding sphere. Each vertex or edge that faces use is owned by exactly one
// of these faces. All of this data except the sphere is in engine memory.

import type { Mesh } from '../mesh/mesh.js';
import { featuresOf } from '../mesh/meshFeatures.js';
import { MeshRecord } from '../records/layout.js';
import { BlockGroup } from '../runtime/blockGroup.js';
import type { EngineContext } from '../runtime/engineContext.js';

/**
 * The tables of a mesh in engine memory, given by byte addresses. `facesAt`: the face table, six words per
 * face. `edgesAt`: the edge table, two words per edge. `vertexFacesAt`, `edgeFacesAt`: for each vertex and
 * for each edge, the face that owns the vertex or edge (see SweptMesh). `edges`: a copy of the edge table for
 * users.
 */
export interface MeshTable {
  facesAt: number;
  edgesAt: number;
  edges: Uint32Array;
  vertexFacesAt: number;
  edgeFacesAt: number;
}

/** A sphere that contains every triangle: center and radius in the mesh's own units. */
export interface Sphere {
  x: number;
  y: number;
  z: number;
  radius: number;
}

interface CacheEntry {
  table: MeshTable;
  blocks: BlockGroup;
  sphere: Sphere | undefined;
  version: number;
}

export class MeshTables {
  readonly #context: EngineContext;
  readonly #cache = new Map<Mesh, CacheEntry>();

  constructor(context: EngineContext) {
    this.#context = context;
  }

  /**
   * Returns the tables of a mesh. The tables are built once, because a mesh's indices never change.
   * @throws Capacity, Disposed
   */
  of(mesh: Mesh): MeshTable {
    return this.#find(mesh).table;
  }

  /**
   * Returns the bounding sphere of the mesh's current vertices. Source: Du, Liu and Suzumura, eq. 1 and 2.
   * @throws Capacity, Disposed
   */
  sphereOf(mesh: Mesh): Sphere {
    const entry = this.#find(mesh);
    if (!entry.sphere || entry.version !== mesh.version) {
      entry.sphere = makeSphere(this.#context, mesh);
      entry.version = mesh.version;
    }
    return entry.sphere;
  }

  dispose(): void {
    this.#release(() => true);
  }

  #find(mesh: Mesh): CacheEntry {
    const cached = this.#cache.get(mesh);
    if (cached && !mesh.isDisposed) return cached;
    this.#release(old => old.isDisposed);
    const { faces, edges, vertexFaces, edgeFaces } = featuresOf(
      indicesOf(this.#context, mesh),
      mesh.vertexCount,
    );
    const blocks = new BlockGroup(this.#context.arena);
    try {
      const entry = {
        table: {
          facesAt: blocks.takeWords(faces),
          edgesAt: blocks.takeWords(edges),
          edges,
          vertexFacesAt: blocks.takeWords(vertexFaces),
          edgeFacesAt: blocks.takeWords(edgeFaces),
        },
        blocks,
        sphere: undefined,
        version: 0,
      };
      this.#cache.set(mesh, entry);
      return entry;
    } catch (error) {
      blocks.releaseAll();
      throw error;
    }
  }

  #release(isUnused: (mesh: Mesh) => boolean): void {
    for (const [mesh, { blocks }] of this.#cache) {
      if (!isUnused(mesh)) continue;
      blocks.releaseAll();
      this.#cache.delete(mesh);
    }
  }
}

function makeSphere(context: EngineContext, mesh: Mesh): Sphere {
  const { f32, u32 } = context.arena;
  const positions = u32[(mesh.recordAt + MeshRecord.at.positionsAt) / 4] / 4;
  const indices = indicesOf(context, mesh);
  const sum = [0, 0, 0];
  for (const vertex of indices)
    for (let axis = 0; axis < 3; axis++) sum[axis] += f32[positions + 3 * vertex + axis];
  const [x, y, z] = sum.map(value => value / Math.max(1, indices.length));
  let square = 0;
  for (const vertex of indices) {
    const at = positions + 3 * vertex;
    square = Math.max(square, (f32[at] - x) ** 2 + (f32[at + 1] - y) ** 2 + (f32[at + 2] - z) ** 2);
  }
  return { x, y, z, radius: Math.sqrt(square) * (1 + 2 ** -40) };
}

function indicesOf({ arena: { u32 } }: EngineContext, mesh: Mesh): Uint32Array {
  const at = u32[(mesh.recordAt + MeshRecord.at.indicesAt) / 4] / 4;
  return u32.subarray(at, at + 3 * mesh.triangleCount);
}
