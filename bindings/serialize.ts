// A mesh in the engine <-> bytes: a header, positions, indices, children of each node, triangles of each leaf.
// Boxes and links are not stored: whoever reads computes them, so they cannot lie.
import type { Backend } from './backend.js';
import { InvalidMesh } from './errors.js';
import { Leaf, MeshRecord, Node } from './layout.js';
import type { Making } from './tree.js';

const MAGIC = [0x6f726670, 0x1a0a746e];
const VERSION = 1;
/** Words of the header: magic (2), version, checksum, flags, vertices, triangles, nodes, leaves, none (3). */
const HEADER_WORDS = 12;
const AT = { version: 2, checksum: 3, flags: 4, vertices: 5, triangles: 6, nodes: 7, leaves: 8 } as const;
const FLAG = { morton: 1, deformable: 2 } as const;
const FIX = 'pass the bytes that mesh.serialize() gave, unchanged';

export interface StoredMesh extends Making {
  positions: Float32Array;
  indices: Uint32Array;
  /** Four handles a node: LEAF_BIT | leaf, node, or NOTHING. */
  children: Uint32Array;
  /** Four triangle numbers a leaf, or NOTHING. */
  triangles: Uint32Array;
}

// FNV-1a over 32-bit words, all but the checksum itself: any one changed word changes it.
function checksumOf(words: Uint32Array): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < words.length; i++) if (i !== AT.checksum) hash = Math.imul(hash ^ words[i]!, 0x01000193);
  return hash >>> 0;
}

export function writeMesh({ arena }: Backend, meshAt: number, { builder, deformable }: Making): Uint8Array<ArrayBuffer> {
  const { u32 } = arena;
  const read = (field: keyof typeof MeshRecord.at) => u32[(meshAt + MeshRecord.at[field]) / 4]!;
  const counts = [read('vertexCount'), read('triangleCount'), read('nodeCount'), read('leafCount')] as const;
  const [vertexCount, triangleCount, nodeCount, leafCount] = counts;
  const words = new Uint32Array(HEADER_WORDS + vertexCount * 3 + triangleCount * 3 + nodeCount * 4 + leafCount * 4);
  words.set(MAGIC);
  words[AT.version] = VERSION;
  words[AT.flags] = (builder === 'morton' ? FLAG.morton : 0) | (deformable ? FLAG.deformable : 0);
  words.set(counts, AT.vertices);
  let to = HEADER_WORDS;
  const copy = (at: number, length: number) => { words.set(u32.subarray(at / 4, at / 4 + length), to); to += length; };
  copy(read('positionsAt'), vertexCount * 3);
  copy(read('indicesAt'), triangleCount * 3);
  for (let node = 0; node < nodeCount; node++) copy(read('nodesAt') + node * Node.size + Node.at.child, 4);
  for (let leaf = 0; leaf < leafCount; leaf++) copy(read('leavesAt') + leaf * Leaf.size + Leaf.at.id, 4);
  words[AT.checksum] = checksumOf(words);
  return new Uint8Array(words.buffer);
}

/** Header, length and checksum checked; what the words say is not. @throws InvalidMesh. */
export function readMesh(bytes: Uint8Array): StoredMesh {
  if (!(bytes instanceof Uint8Array)) throw new InvalidMesh('the stored mesh is not a Uint8Array', FIX);
  if (bytes.length < HEADER_WORDS * 4) throw new InvalidMesh(`the stored mesh has ${bytes.length} bytes, its header alone ${HEADER_WORDS * 4}`, FIX);
  const words = new Uint32Array(bytes.slice(0, Math.floor(bytes.length / 4) * 4).buffer);
  if (words[0] !== MAGIC[0] || words[1] !== MAGIC[1]) throw new InvalidMesh('the bytes do not begin like a stored mesh', FIX);
  if (words[AT.version] !== VERSION) {
    throw new InvalidMesh(`the stored mesh has version ${words[AT.version]}, not ${VERSION}`, 'serialize the mesh again with this version of pfront');
  }
  const [vertexCount, triangleCount, nodeCount, leafCount] = words.subarray(AT.vertices) as unknown as [number, number, number, number];
  const wanted = 4 * (HEADER_WORDS + vertexCount * 3 + triangleCount * 3 + nodeCount * 4 + leafCount * 4);
  if (bytes.length !== wanted) throw new InvalidMesh(`the stored mesh has ${bytes.length} bytes, its header says ${wanted}`, FIX);
  if (checksumOf(words) !== words[AT.checksum]) throw new InvalidMesh(`the stored mesh has checksum ${checksumOf(words)}, its header says ${words[AT.checksum]}`, FIX);
  let from = HEADER_WORDS;
  const take = (length: number) => words.subarray(from, from += length);
  const positions = take(vertexCount * 3);
  const flags = words[AT.flags]!;
  return {
    positions: new Float32Array(positions.buffer, positions.byteOffset, positions.length),
    indices: take(triangleCount * 3), children: take(nodeCount * 4), triangles: take(leafCount * 4),
    builder: flags & FLAG.morton ? 'morton' : 'sah', deformable: (flags & FLAG.deformable) !== 0,
  };
}
