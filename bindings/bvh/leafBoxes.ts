// Adds oriented bounding boxes to the leaves of a mesh that is queried often, because pairs of leaves whose
// boxes are separated need no triangle tests.

import type { Mesh } from '../mesh/mesh.js';
import { LeafBox, MeshRecord } from '../records/layout.js';
import type { BlockGroup } from '../runtime/blockGroup.js';
import type { EngineContext } from '../runtime/engineContext.js';

/**
 * Maps the block group of a tree to the address of its leaf boxes. The boxes are allocated from this group,
 * so they are released together with the tree. The address stays the same when leaves are refitted and their
 * boxes are recomputed.
 */
const boxesByTree = new WeakMap<BlockGroup, number>();

/**
 * Computes the boxes of the leaves of a mesh. Placements of the mesh that are made from now on use these
 * boxes, until the mesh's coordinates change.
 * @throws Capacity
 */
export function boxLeaves({ arena, pool }: EngineContext, { recordAt, treeBlocks, leafCount }: Mesh): void {
  let at = boxesByTree.get(treeBlocks);
  if (at === undefined)
    boxesByTree.set(treeBlocks, (at = treeBlocks.take(Math.max(1, leafCount) * LeafBox.size)));
  const word = (recordAt + MeshRecord.at.leafBoxesAt) / 4;
  arena.u32[word] = at;
  try {
    pool.kernels.fillLeafBoxes(recordAt, 0, leafCount);
  } catch (error) {
    // Partly filled boxes would hide contacts.
    arena.u32[word] = 0;
    throw error;
  }
}
