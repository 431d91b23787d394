// Gives a number to each feature that a contact point was made from, so that the point can be found again in
// the next frame.

import { ContactCandidate, ManifoldSlice, MeshRecord } from '../records';
import { CROSSING, OTHER_VERTEX } from './clipToPrism';
import { IS_B_CLIPPED } from './contactTriangles';

const OF_B: u32 = 0x40000000;
const OF_EDGES: u32 = 0x80000000;

/** Returns the number that identifies the feature that a candidate for a contact point was made from. */
export function featureOf(slice: usize, candidate: usize): u32 {
  const contact = (<usize>load<u32>(candidate, ContactCandidate.contact)) << 2;
  const meshA: usize = load<u32>(slice, ManifoldSlice.meshA);
  const meshB: usize = load<u32>(slice, ManifoldSlice.meshB);
  const triangleA = load<u32>(<usize>load<u32>(slice, ManifoldSlice.aAt) + contact);
  const triangleB = load<u32>(<usize>load<u32>(slice, ManifoldSlice.bAt) + contact);
  const name = load<u32>(candidate, ContactCandidate.name);
  const isBClipped = name >= IS_B_CLIPPED;
  const corner = isBClipped ? name - IS_B_CLIPPED : name;
  if (corner >= CROSSING) {
    const clipped = (corner - CROSSING) >> 2;
    const other = corner & 3;
    const hash = hashEdge(meshA, triangleA, isBClipped ? other : clipped, 0);
    return OF_EDGES | (hashEdge(meshB, triangleB, isBClipped ? clipped : other, hash) >>> 1);
  }
  const isOfB = corner < OTHER_VERTEX == isBClipped;
  return isOfB ? OF_B | vertexOf(meshB, triangleB, corner & 3) : vertexOf(meshA, triangleA, corner & 3);
}

function vertexOf(mesh: usize, triangle: u32, corner: u32): u32 {
  return load<u32>(
    <usize>load<u32>(mesh, MeshRecord.indicesAt) + ((<usize>triangle * 3 + <usize>corner) << 2),
  );
}

// Adds the two vertex indices of a side to a hash, the smaller one first.
function hashEdge(mesh: usize, triangle: u32, side: u32, hash: u32): u32 {
  const one = vertexOf(mesh, triangle, side);
  const other = vertexOf(mesh, triangle, side == 2 ? 0 : side + 1);
  return mix(mix(hash, one < other ? one : other), one < other ? other : one);
}

function mix(hash: u32, value: u32): u32 {
  hash = (hash ^ value) * 0x9e3779b1;
  hash ^= hash >>> 15;
  hash *= 0x85ebca77;
  return hash ^ (hash >>> 13);
}
