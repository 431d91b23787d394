// The set that two triangles share, described by its corners: vertices 0..5 (A's, then B's), an edge through
// the other's face, or a crossing of two edges.

// Offsets: number of corners, kind, 1 if its two corners are in the order of n_a x n_b, names of the corners
// (u32, up to 6).
export namespace TriangleIntersection {
  export const count: usize = 0;
  export const kind: usize = 4;
  export const isDirected: usize = 8;
  export const names: usize = 12;
  export const SIZE: usize = 48;
}

// Names hold numbers of vertices, 3 bits each. VERTEX: that vertex. EDGE_FACE: edge (0, 1) through the face
// of the other triangle. EDGE_EDGE: edges (0, 1) and (2, 3).
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
