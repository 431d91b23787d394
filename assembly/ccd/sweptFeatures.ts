// Accessors for the vertices, edges and faces of a moving mesh (SweptMesh).
import { NOTHING, OWN_BIT, SweptMesh } from '../records';
import { SWEPT_POINT } from './sweptPoints';

/**
 * FACE_BYTES, BOX_BYTES, EDGE_BYTES: bytes of a face, a box and an edge. EDGES_OFFSET: byte offset of the edges
 * in a face.
 */
export const FACE_BYTES: usize = 24;
export const BOX_BYTES: usize = 24;
export const EDGE_BYTES: usize = 8;
export const EDGES_OFFSET: usize = 12;

export function faceOf(swept: usize, face: u32): usize {
  return <usize>load<u32>(swept, SweptMesh.facesAt) + <usize>face * FACE_BYTES;
}
export function boxOf(swept: usize, face: u32): usize {
  return <usize>load<u32>(swept, SweptMesh.boxesAt) + <usize>face * BOX_BYTES;
}
export function edgeOf(swept: usize, edge: u32): usize {
  return <usize>load<u32>(swept, SweptMesh.edgesAt) + <usize>edge * EDGE_BYTES;
}
export function pointOf(swept: usize, vertex: u32): usize {
  return <usize>load<u32>(swept, SweptMesh.pointsAt) + <usize>(vertex & ~OWN_BIT) * SWEPT_POINT;
}

/**
 * Returns the number of a face's edge if the face owns the edge, else NOTHING. at: address of the edge's word
 * in the face. If the two vertices of the edge are the same, this word is NOTHING. This case must be tested
 * first, because NOTHING also has the owner bit set.
 */
export function ownedEdge(at: usize): u32 {
  const word = load<u32>(at);
  return word == NOTHING || (word & OWN_BIT) == 0 ? NOTHING : word & ~OWN_BIT;
}

export function hasVertex(face: usize, vertex: u32): bool {
  return (
    ((load<u32>(face) & ~OWN_BIT) == vertex) |
    ((load<u32>(face, 4) & ~OWN_BIT) == vertex) |
    ((load<u32>(face, 8) & ~OWN_BIT) == vertex)
  );
}
