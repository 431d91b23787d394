// Loads a mesh and its tree from serialized bytes. The bytes are untrusted, so all of their contents are
// checked.

import type { BuildOptions } from '../bvh/tree.js';
import { InvalidMesh } from '../core/errors.js';
import { BlockGroup } from '../runtime/blockGroup.js';
import type { EngineContext } from '../runtime/engineContext.js';
import { retry } from '../runtime/retry.js';
import { copyChecked, Mesh } from './mesh.js';
import { restoreTree } from './restore.js';
import { AT, checksumOf, FLAG, HEADER_WORDS, MAGIC, VERSION } from './serialize.js';

const FIX = 'pass the bytes that mesh.serialize() returned, unchanged';

interface StoredMesh extends BuildOptions {
  positions: Float32Array;
  indices: Uint32Array;
  /** Four handles per node. A handle is a leaf number with LEAF_BIT set, a node number, or NOTHING. */
  children: Uint32Array;
  /** Four words per leaf. A word is a triangle number or NOTHING. */
  triangles: Uint32Array;
}

/**
 * Parses the bytes. Checks the header, the length and the checksum, but not the contents.
 * @throws InvalidMesh
 */
function readMesh(bytes: Uint8Array): StoredMesh {
  if (!(bytes instanceof Uint8Array)) throw new InvalidMesh('the stored mesh is not a Uint8Array', FIX);
  if (bytes.length < HEADER_WORDS * 4)
    throw new InvalidMesh(
      `the stored mesh has ${bytes.length} bytes, but its header alone has ${HEADER_WORDS * 4}`,
      FIX,
    );
  const words = new Uint32Array(bytes.slice(0, Math.floor(bytes.length / 4) * 4).buffer);
  if (words[0] !== MAGIC[0] || words[1] !== MAGIC[1])
    throw new InvalidMesh('the bytes do not begin with the signature of a stored mesh', FIX);
  if (words[AT.version] !== VERSION) {
    throw new InvalidMesh(
      `the stored mesh has version ${words[AT.version]}, not ${VERSION}`,
      'serialize the mesh again with this version of pfront',
    );
  }
  if (words[AT.flags] > 3 || words.subarray(AT.unused, HEADER_WORDS).some(Boolean))
    throw new InvalidMesh(
      `the header of the stored mesh has flags ${words[AT.flags]} (maximum 3) and unused words ${words.slice(AT.unused, HEADER_WORDS)} (must be 0)`,
      FIX,
    );
  const [vertexCount, triangleCount, nodeCount, leafCount] = words.subarray(AT.vertices);
  const expectedLength =
    4 * (HEADER_WORDS + vertexCount * 3 + triangleCount * 3 + nodeCount * 4 + leafCount * 4);
  if (bytes.length !== expectedLength)
    throw new InvalidMesh(
      `the stored mesh has ${bytes.length} bytes, but its header implies ${expectedLength}`,
      FIX,
    );
  if (checksumOf(words) !== words[AT.checksum])
    throw new InvalidMesh(
      `the stored mesh has checksum ${checksumOf(words)}, but its header says ${words[AT.checksum]}`,
      FIX,
    );
  let from = HEADER_WORDS;
  const take = (length: number) => words.subarray(from, (from += length));
  const positions = take(vertexCount * 3);
  const flags = words[AT.flags];
  return {
    positions: new Float32Array(positions.buffer, positions.byteOffset, positions.length),
    indices: take(triangleCount * 3),
    children: take(nodeCount * 4),
    triangles: take(leafCount * 4),
    builder: flags & FLAG.morton ? 'morton' : 'sah',
    deformable: (flags & FLAG.deformable) !== 0,
  };
}

/**
 * Creates a mesh from bytes written by `serialize`, without rebuilding its tree. The bytes are checked, so
 * they may come from any source.
 * @throws InvalidMesh naming what is wrong with the bytes; Capacity if memory does not suffice.
 */
export function loadMesh(context: EngineContext, bytes: Uint8Array): Mesh {
  const { children, triangles, builder, deformable, ...shape } = readMesh(bytes);
  const own = new BlockGroup(context.arena);
  let mesh: Mesh | undefined;
  try {
    return retry(() => {
      const { meshAt, statistics, nextPositionsAt } = copyChecked(context, own, shape, deformable);
      const tree = retry(() => restoreTree(context, meshAt, statistics, children, triangles));
      return (mesh = new Mesh(context, own, meshAt, builder, tree, nextPositionsAt));
    });
  } finally {
    if (!mesh) own.releaseAll();
  }
}
