// Serializes a mesh: a header, positions, indices, the children of each node and the triangles of each leaf.
// Boxes and links to parents are not stored. Loading recomputes them, so corrupt bytes cannot make them
// inconsistent.

import type { BuildOptions } from '../bvh/tree.js';
import { Leaf, MeshRecord, Node } from '../records/layout.js';
import type { KernelContext } from '../runtime/engineContext.js';

export const MAGIC = [0x6f726670, 0x1a0a746e];
export const VERSION = 1;
/**
 * Words of the header: magic (2), version, checksum, flags, vertices, triangles, nodes, leaves, unused (3).
 */
export const HEADER_WORDS = 12;
export const AT = {
  version: 2,
  checksum: 3,
  flags: 4,
  vertices: 5,
  triangles: 6,
  nodes: 7,
  leaves: 8,
  unused: 9,
} as const;
export const FLAG = { morton: 1, deformable: 2 } as const;

// Returns the FNV-1a hash of all 32-bit words except the checksum itself. Changing any single word changes
// the hash.
export function checksumOf(words: Uint32Array): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < words.length; i++) if (i !== AT.checksum) hash = Math.imul(hash ^ words[i], 0x01000193);
  return hash >>> 0;
}

export function writeMesh(
  { arena }: KernelContext,
  meshAt: number,
  { builder, deformable }: BuildOptions,
): Uint8Array<ArrayBuffer> {
  const { u32 } = arena;
  const read = (field: keyof typeof MeshRecord.at) => u32[(meshAt + MeshRecord.at[field]) / 4];
  const counts = [read('vertexCount'), read('triangleCount'), read('nodeCount'), read('leafCount')] as const;
  const [vertexCount, triangleCount, nodeCount, leafCount] = counts;
  const words = new Uint32Array(
    HEADER_WORDS + vertexCount * 3 + triangleCount * 3 + nodeCount * 4 + leafCount * 4,
  );
  words.set(MAGIC);
  words[AT.version] = VERSION;
  words[AT.flags] = (builder === 'morton' ? FLAG.morton : 0) | (deformable ? FLAG.deformable : 0);
  words.set(counts, AT.vertices);
  let to = HEADER_WORDS;
  const copy = (at: number, length: number) => {
    words.set(u32.subarray(at / 4, at / 4 + length), to);
    to += length;
  };
  copy(read('positionsAt'), vertexCount * 3);
  copy(read('indicesAt'), triangleCount * 3);
  for (let node = 0; node < nodeCount; node++) copy(read('nodesAt') + node * Node.size + Node.at.child, 4);
  for (let leaf = 0; leaf < leafCount; leaf++) copy(read('leavesAt') + leaf * Leaf.size + Leaf.at.id, 4);
  words[AT.checksum] = checksumOf(words);
  return new Uint8Array(words.buffer);
}
