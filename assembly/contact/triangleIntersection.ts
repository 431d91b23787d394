// Describes the intersection of two triangles, A and B, by its corners. Each corner is a vertex (A's vertices
// have the numbers 0..2, and B's have 3..5), the point where an edge crosses the other triangle's face, or the
// point where two edges cross.

// Byte offsets of the fields (u32). count: the number of corners. kind: the contact kind. isDirected: 1 if
// the intersection is a segment that runs along n_a x n_b, the cross product of the triangles' normals.
// names: the names of up to 6 corners.
export namespace TriangleIntersection {
  export const count: usize = 0;
  export const kind: usize = 4;
  export const isDirected: usize = 8;
  export const names: usize = 12;
  export const SIZE: usize = 48;
}

// The name of a corner is one of these flags plus up to four vertex numbers of 3 bits each, from the lowest
// bits up. VERTEX: the corner is the first vertex. EDGE_FACE: the edge from the first to the second vertex
// crosses the face of the other triangle. EDGE_EDGE: the edge from the first to the second vertex crosses the
// edge from the third to the fourth.
export const VERTEX: u32 = 0x1000;
export const EDGE_FACE: u32 = 0x2000;
export const EDGE_EDGE: u32 = 0x4000;

export function cornerCount(set: usize): u32 {
  return load<u32>(set, TriangleIntersection.count);
}

export function cornerAt(set: usize, i: u32): u32 {
  return load<u32>(set + ((<usize>i) << 2), TriangleIntersection.names);
}

export function addCorner(set: usize, name: u32): void {
  const count = cornerCount(set);
  store<u32>(set + ((<usize>count) << 2), name, TriangleIntersection.names);
  store<u32>(set, count + 1, TriangleIntersection.count);
}
