// A mesh that is asked about often -> boxes around its leaves, turned as their triangles lie: pairs of leaves
// that these part are not looked into.

import type { Mesh } from '../mesh/mesh.js';
import { LeafBox, MeshRecord } from '../records/layout.js';
import type { Backend } from '../runtime/backend.js';
import type { Blocks } from '../runtime/blocks.js';

/** Where they lie, by the tree that they are given back with: leaves may be refitted, and boxed anew. */
const known = new WeakMap<Blocks, number>();

/** Whoever places the mesh from now on uses them, until its coordinates change. @throws Capacity */
export function boxLeaves({ arena, pool }: Backend, { recordAt, treeBlocks, leafCount }: Mesh): void {
  let at = known.get(treeBlocks);
  if (at === undefined) known.set(treeBlocks, (at = treeBlocks.take(Math.max(1, leafCount) * LeafBox.size)));
  const word = (recordAt + MeshRecord.at.leafBoxesAt) / 4;
  arena.u32[word] = at;
  try {
    pool.kernels.fillLeafBoxes(recordAt, 0, leafCount);
  } catch (error) {
    // Boxes that are filled in part would hide contacts.
    arena.u32[word] = 0;
    throw error;
  }
}
