// Performs one step of Loop subdivision, which splits each triangle into four and smooths the mesh. On open
// borders it uses the rules for creases.

import { cos } from './portableMath.js';
import type { MeshData } from './types.js';

const none = 0xffffffff;

interface Edges {
  /**
   * For each half-edge i: the number of its edge. Half-edge i runs from entry i of the index list to the next
   * corner of the same triangle.
   */
  ofHalfEdge: Uint32Array;
  /** For each edge: its two end vertices. */
  ends: Uint32Array;
  /** For each edge: the vertex opposite the edge in its first triangle, and in its second triangle. */
  across: Uint32Array;
  faceCounts: Uint8Array;
  count: number;
}

const nextCorner = (corner: number): number => (corner % 3 === 2 ? corner - 2 : corner + 1);

// Numbers the edges. Each vertex has a linked list of the edges whose other end has a larger vertex number.
// Both half-edges of an edge search the same list, so they find the same edge number.
function numberEdges(indices: Uint32Array, vertexCount: number): Edges {
  const ofHalfEdge = new Uint32Array(indices.length);
  const ends = new Uint32Array(indices.length * 2);
  const across = new Uint32Array(indices.length * 2).fill(none);
  const faceCounts = new Uint8Array(indices.length);
  const firstOfVertex = new Uint32Array(vertexCount).fill(none);
  const nextOfVertex = new Uint32Array(indices.length);
  let count = 0;
  for (let corner = 0; corner < indices.length; corner++) {
    const from = indices[corner];
    const to = indices[nextCorner(corner)];
    const [min, max] = from < to ? [from, to] : [to, from];
    let edge = firstOfVertex[min];
    while (edge !== none && ends[edge * 2 + 1] !== max) edge = nextOfVertex[edge];
    if (edge === none) {
      edge = count++;
      ends[edge * 2] = min;
      ends[edge * 2 + 1] = max;
      nextOfVertex[edge] = firstOfVertex[min];
      firstOfVertex[min] = edge;
    }
    ofHalfEdge[corner] = edge;
    if (faceCounts[edge] < 2) across[edge * 2 + faceCounts[edge]] = indices[nextCorner(nextCorner(corner))];
    if (faceCounts[edge] < 3) faceCounts[edge]++;
  }
  return { ofHalfEdge, ends, across, faceCounts, count };
}

// Moves the vertices of the mesh. A vertex with n neighbors and no border edges moves to (1 - n*beta) times
// its position plus beta times the sum of its neighbors, where beta is a weight that depends only on n. A
// vertex with two border edges moves to 3/4 of its position plus 1/8 of each of its two neighbors on the
// border. A vertex with any other number of border edges stays. Border edges are all edges that do not have
// exactly two triangles.
function moveVertices(positions: Float32Array, edges: Edges, moved: Float32Array): void {
  const vertexCount = positions.length / 3;
  const neighbors = new Uint32Array(vertexCount);
  const borders = new Uint32Array(vertexCount);
  const sums = new Float64Array(positions.length);
  const borderSums = new Float64Array(positions.length);
  for (let side = 0; side < edges.count * 2; side++) {
    const [vertex, other] = [edges.ends[side], edges.ends[side ^ 1]];
    const isBorder = edges.faceCounts[side >> 1] !== 2;
    neighbors[vertex]++;
    if (isBorder) borders[vertex]++;
    for (let axis = 0; axis < 3; axis++) {
      sums[vertex * 3 + axis] += positions[other * 3 + axis];
      if (isBorder) borderSums[vertex * 3 + axis] += positions[other * 3 + axis];
    }
  }
  for (let at = 0; at < positions.length; at++) {
    const vertex = Math.floor(at / 3);
    const count = neighbors[vertex];
    moved[at] = positions[at];
    if (borders[vertex] === 2) moved[at] = 0.75 * positions[at] + 0.125 * borderSums[at];
    if (borders[vertex] !== 0 || count === 0) continue;
    const root = 0.375 + 0.25 * cos((2 * Math.PI) / count);
    const beta = (0.625 - root * root) / count;
    moved[at] = (1 - count * beta) * positions[at] + beta * sums[at];
  }
}

// The new vertex of an edge is 3/8 of each end plus 1/8 of each of the two opposite vertices. On a border
// edge, it is the midpoint.
function placeEdgeVertices(positions: Float32Array, edges: Edges, moved: Float32Array): void {
  for (let edge = 0; edge < edges.count; edge++) {
    const [a, b] = [edges.ends[edge * 2] * 3, edges.ends[edge * 2 + 1] * 3];
    const [c, d] = [edges.across[edge * 2] * 3, edges.across[edge * 2 + 1] * 3];
    for (let axis = 0; axis < 3; axis++) {
      const ends = positions[a + axis] + positions[b + axis];
      moved[positions.length + edge * 3 + axis] =
        edges.faceCounts[edge] === 2
          ? 0.375 * ends + 0.125 * (positions[c + axis] + positions[d + axis])
          : 0.5 * ends;
    }
  }
}

/**
 * Subdivides a mesh once. The mesh may have up to 3 million triangles. The result has exactly four times as
 * many triangles as the mesh. The vertices of the result are the moved vertices of the mesh, followed by one
 * vertex for each edge. Source: Loop 1987.
 */
export function loopSubdivide(mesh: MeshData): MeshData {
  const vertexCount = mesh.positions.length / 3;
  const edges = numberEdges(mesh.indices, vertexCount);
  const positions = new Float32Array((vertexCount + edges.count) * 3);
  moveVertices(mesh.positions, edges, positions);
  placeEdgeVertices(mesh.positions, edges, positions);
  const indices = new Uint32Array(mesh.indices.length * 4);
  for (let corner = 0; corner < mesh.indices.length; corner += 3) {
    const [a, b, c] = [mesh.indices[corner], mesh.indices[corner + 1], mesh.indices[corner + 2]];
    const ab = vertexCount + edges.ofHalfEdge[corner];
    const bc = vertexCount + edges.ofHalfEdge[corner + 1];
    const ca = vertexCount + edges.ofHalfEdge[corner + 2];
    indices.set([a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca], corner * 4);
  }
  return { positions, indices };
}
