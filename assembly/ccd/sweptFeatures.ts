// Accessors for the vertices, edges and faces of a moving mesh (SweptMesh).
import { NOTHING, OWN_BIT, SweptMesh } from '../records';
import { SWEPT_POINT } from './sweptPoints';

/** Bytes of a face, of a box and of an edge; offset of a face's edges. */
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
 * Returns the edge's number if its face owns it, else NOTHING. The word of an edge whose two vertices are the
 * same is NOTHING. It must be tested first, because it also has the owner bit set.
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
