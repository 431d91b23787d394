// Finds the unique edges of a mesh and assigns each vertex and edge to one face, so that continuous collision
// tests every feature pair only once.

import { limits } from '../records/layout.js';
import { sweptLimits } from '../records/sweptLayout.js';

const WORDS = 6;

/**
 * edges: two vertex numbers i < j for each edge; the edges are ordered by j, then i. faces: six words for
 * each face: its three vertex numbers, then its three edge numbers. OWN_BIT is set in the number of a vertex
 * or edge that the face owns. The edge number is NOTHING if both ends are the same vertex. vertexFaces: for
 * each vertex, the face that owns it; NOTHING if no face uses it. edgeFaces: for each edge, the face that
 * owns it.
 */
export interface MeshFeatures {
  edges: Uint32Array;
  faces: Uint32Array;
  vertexFaces: Uint32Array;
  edgeFaces: Uint32Array;
}

/**
 * Returns the features of the triangles in `indices`. Each vertex and edge is owned by the first face that
 * contains it: the method of representative triangles (Curtis et al. 2008).
 */
export function featuresOf(indices: Uint32Array, vertexCount: number): MeshFeatures {
  const faceCount = indices.length / 3;
  const faces = new Uint32Array(WORDS * faceCount);
  const { edges, edgeOf } = numberEdges(indices, vertexCount);
  const vertexFaces = new Uint32Array(vertexCount).fill(limits.NOTHING);
  const edgeFaces = new Uint32Array(edges.length / 2).fill(limits.NOTHING);
  const assignOwner = (owners: Uint32Array, number: number, face: number): number => {
    if (owners[number] !== limits.NOTHING) return number;
    owners[number] = face;
    return (number | sweptLimits.OWN_BIT) >>> 0;
  };
  for (let face = 0; face < faceCount; face++) {
    for (let corner = 0; corner < 3; corner++) {
      const edge = edgeOf[3 * face + corner];
      faces[WORDS * face + corner] = assignOwner(vertexFaces, indices[3 * face + corner], face);
      faces[WORDS * face + 3 + corner] = edge === limits.NOTHING ? edge : assignOwner(edgeFaces, edge, face);
    }
  }
  return { edges, faces, vertexFaces, edgeFaces };
}

// Numbers the edges: sorts the sides of all faces by their greater vertex number, then by their smaller one.
// Sides with the same two vertices are one edge. edgeOf: for each side (three per face), the number of its
// edge, or NOTHING if both ends are the same vertex.
function numberEdges(indices: Uint32Array, vertexCount: number): { edges: Uint32Array; edgeOf: Uint32Array } {
  const count = indices.length;
  const lesser = new Uint32Array(count);
  const greater = new Uint32Array(count);
  const edgeOf = new Uint32Array(count).fill(limits.NOTHING);
  let sides = new Uint32Array(count);
  let sideCount = 0;
  for (let side = 0; side < count; side++) {
    const from = indices[side];
    const to = indices[side % 3 === 2 ? side - 2 : side + 1];
    lesser[side] = Math.min(from, to);
    greater[side] = Math.max(from, to);
    if (from !== to) sides[sideCount++] = side;
  }
  sides = sortBy(greater, sortBy(lesser, sides.subarray(0, sideCount), vertexCount), vertexCount);
  const edges = new Uint32Array(2 * sideCount);
  let edgeCount = 0;
  for (const side of sides) {
    const last = 2 * (edgeCount - 1);
    const isNew = edgeCount === 0 || edges[last] !== lesser[side] || edges[last + 1] !== greater[side];
    if (isNew) edges.set([lesser[side], greater[side]], 2 * edgeCount++);
    edgeOf[side] = edgeCount - 1;
  }
  return { edges: edges.slice(0, 2 * edgeCount), edgeOf };
}

/** Returns the items sorted by `keys[item]`, by a stable counting sort. All keys are less than keyCount. */
function sortBy(keys: Uint32Array, items: Uint32Array, keyCount: number): Uint32Array<ArrayBuffer> {
  const next = new Uint32Array(keyCount + 1);
  const sorted = new Uint32Array(items.length);
  for (const item of items) next[keys[item] + 1]++;
  for (let key = 0; key < keyCount; key++) next[key + 1] += next[key];
  for (const item of items) sorted[next[keys[item]]++] = item;
  return sorted;
}
