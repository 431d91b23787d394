// Writes the fields `child` and `ownPairs` of the SelfBoxes records of a tree's nodes, for testing a mesh
// against itself. `child` holds the children's record numbers: a leaf's record number is nodeCount plus the
// leaf's number. `ownPairs` marks the leaves that have triangle pairs without a common vertex, and the leaves
// that share vertices with more leaves than LeafLinks can list. Also writes the slot of each leaf: 4 times the
// number of its parent node plus its position among the children.
import { LEAF_BIT, LeafLinks, LINKS_AT, MeshRecord, NOTHING, Node, SelfBoxes, SelfTree } from '../records';

/** Runs on one thread; the slice is ignored. */
export function listChildren(tree: usize, begin: u32, end: u32): void {
  const mesh: usize = load<u32>(tree, SelfTree.meshAt);
  const nodeCount = load<u32>(mesh, MeshRecord.nodeCount);
  const boxes: usize = load<u32>(tree, SelfTree.boxesAt);
  const leaves = boxes + <usize>nodeCount * SelfBoxes.SIZE;
  const slots: usize = load<u32>(tree, SelfTree.slotsAt);
  let node: usize = load<u32>(mesh, MeshRecord.nodesAt);
  let record = boxes;
  for (let i: u32 = 0; i < nodeCount; i++, node += Node.SIZE, record += SelfBoxes.SIZE) {
    let ownPairs: u32 = 0;
    for (let lane: u32 = 0; lane < 4; lane++) {
      const handle = load<u32>(node + ((<usize>lane) << 2), Node.child);
      const leaf = handle & ~LEAF_BIT;
      const isLeaf = handle >= LEAF_BIT && handle != NOTHING;
      store<u32>(record + ((<usize>lane) << 2), isLeaf ? nodeCount + leaf : handle, SelfBoxes.child);
      if (!isLeaf) continue;
      store<u32>(slots + ((<usize>leaf) << 2), (i << 2) + lane);
      ownPairs |=
        (<u32>(
          (load<u16>(leaves + <usize>leaf * SelfBoxes.SIZE + <usize>LINKS_AT, LeafLinks.unrelated) != 0)
        )) << lane;
    }
    store<u32>(record, ownPairs, SelfBoxes.ownPairs);
  }
}
