// Welds a mesh's vertices, counts its open edges and finds its connected components. The result is cached until
// the mesh's coordinates change.

import { Unsupported } from '../core/errors.js';
import { edgesOf } from '../core/meshEdges.js';
import { weldPositions } from '../core/weldPositions.js';
import type { Mesh } from '../mesh/mesh.js';
import { perMesh } from './perMesh.js';
import { Surface } from './surface.js';

export interface Shells {
  /** For each vertex, the first vertex with the same coordinates (-0 equals 0). */
  readonly weldedVertices: Uint32Array;
  /** Number of edges that are not used equally often in both directions. */
  readonly openEdges: number;
  /** One triangle of each connected component. No two components have a vertex with the same coordinates. */
  readonly componentTriangles: Uint32Array;
}

/** Disjoint sets (union-find) of the numbers below `count`; at first, each number is a set of its own. */
export class UnionFind {
  readonly #parents: Uint32Array;

  constructor(count: number) {
    this.#parents = Uint32Array.from({ length: count }, (_, i) => i);
  }

  /** Returns the representative of i's set: its smallest number. */
  find(i: number): number {
    const parents = this.#parents;
    while (parents[i] !== i) i = parents[i] = parents[parents[i]];
    return i;
  }

  union(i: number, j: number): void {
    const a = this.find(i);
    const b = this.find(j);
    this.#parents[Math.max(a, b)] = Math.min(a, b);
  }
}

/**
 * Returns the welded vertices, the number of open edges and the connected components of a mesh. They are
 * computed again only if the mesh's version has changed.
 * @throws Disposed
 */
export const shellsOf = /* @__PURE__ */ perMesh(findShells);

/** Checks that a mesh is closed, so that it bounds a solid. @throws Unsupported, Disposed */
export function rejectOpen(mesh: Mesh): void {
  const { openEdges } = shellsOf(mesh);
  if (openEdges > 0)
    throw new Unsupported(
      `mesh ${mesh.id} is not closed: ${openEdges} of its edges are not used equally often in both directions`,
      'close the mesh (closeGaps closes narrow gaps), or flip triangles so that neighbors use their common edge in opposite directions',
    );
}

function findShells(mesh: Mesh): Shells {
  const { positions, indices } = new Surface(mesh);
  const weldedVertices = weldPositions(positions);
  const corners = indices.map(vertex => weldedVertices[vertex]);
  return {
    weldedVertices,
    openEdges: edgeUses(corners).reduce((count, uses) => count + (uses === 0 ? 0 : 1), 0),
    componentTriangles: componentsOf(corners, mesh.vertexCount),
  };
}

/**
 * Returns three vertex numbers for each triangle, like `indices`, except that all vertices at the same position
 * have the same number.
 */
export function weldedCornersOf({ mesh, indices }: Surface): Uint32Array {
  const { weldedVertices } = shellsOf(mesh);
  return indices.map(vertex => weldedVertices[vertex]);
}

/**
 * Joins triangles at the edges that exactly two of the given triangles use.
 * @param edges The edge numbers of all triangles: see `edgesOf`. No edge of the given triangles may have the
 * number -1.
 * @param isJoined Whether a triangle may be joined to others; by default, each may.
 */
export function joinAtEdges(
  edges: Int32Array,
  triangles: readonly number[],
  isJoined: (triangle: number) => boolean = () => true,
): UnionFind {
  const edgesAt = (triangle: number): Int32Array => edges.subarray(3 * triangle, 3 * triangle + 3);
  // The triangles at each edge: how many, and the last one.
  const uses = new Uint32Array(edges.length);
  const users = new Uint32Array(edges.length);
  const joined = new UnionFind(edges.length / 3);
  for (const triangle of triangles) {
    for (const edge of edgesAt(triangle)) {
      uses[edge]++;
      users[edge] = triangle;
    }
  }
  for (const triangle of triangles)
    for (const edge of edgesAt(triangle))
      if (uses[edge] === 2 && isJoined(triangle) && isJoined(users[edge]))
        joined.union(triangle, users[edge]);
  return joined;
}

/**
 * Returns how often triangles use each edge in the direction of its first use, minus how often they use it in
 * the other direction. The index is the number of the edge: see `edgesOf`. Numbers of no edge have 0.
 */
export function edgeUses(corners: Uint32Array): Int32Array {
  const uses = new Int32Array(corners.length);
  edgesOf(corners).forEach((edge, i) => {
    if (edge >= 0) uses[edge] += corners[i] === corners[edge] ? 1 : -1;
  });
  return uses;
}

function componentsOf(corners: Uint32Array, vertexCount: number): Uint32Array {
  const joined = new UnionFind(vertexCount);
  const first = new Map<number, number>();
  for (let i = 0; i < corners.length; i += 3) {
    joined.union(corners[i], corners[i + 1]);
    joined.union(corners[i], corners[i + 2]);
  }
  for (let i = 0; i < corners.length; i += 3) {
    const component = joined.find(corners[i]);
    if (!first.has(component)) first.set(component, i / 3);
  }
  return Uint32Array.from(first.values());
}
