// Stores the measured cost of each front node, and then adds the cost of each entry of the cost tree to the
// cost of its parent, up to the starting nodes (Zhang and Kim 2014, section 3.4).
import { CostEntry, FrontJob, FrontNode, LEAF_PAIR_COST } from '../records';

/**
 * Slice i runs job i of the array that `expandFront` used. outAt and outCount of this job give the slice's
 * front nodes. No two slices have nodes below the same starting node, so no two slices write to the same
 * entry.
 */
export function storeCosts(jobAt: usize, begin: u32, end: u32): void {
  for (let i = begin; i < end; i++) storeSlice(jobAt + <usize>i * FrontJob.SIZE);
}

function storeSlice(job: usize): void {
  const front: usize = load<u32>(job, FrontJob.outAt);
  const tree: usize = load<u32>(job, FrontJob.treeAt);
  const frontEnd = front + <usize>load<u32>(job, FrontJob.outCount) * FrontNode.SIZE;
  let maxCost: f32 = 0;
  for (let at = front; at < frontEnd; at += FrontNode.SIZE) {
    const cost =
      <f32>load<u32>(at, FrontNode.boxTests) + <f32>LEAF_PAIR_COST * <f32>load<u32>(at, FrontNode.leafPairs);
    store<f32>(tree + <usize>load<u32>(at, FrontNode.entry) * CostEntry.SIZE, cost, CostEntry.cost);
    maxCost = max<f32>(maxCost, cost);
  }
  store<f32>(job, maxCost, FrontJob.maxNodeCost);
  // Add the cost of each entry to the cost of its parent. Start at the last entry, since children are stored
  // after their parents. A parent is in the slice's part of the tree, or it is a starting node.
  const first = tree + <usize>load<u32>(job, FrontJob.treeFirst) * CostEntry.SIZE;
  for (let at = tree + <usize>load<u32>(job, FrontJob.treeCount) * CostEntry.SIZE; at > first; ) {
    at -= CostEntry.SIZE;
    const above = tree + <usize>load<u32>(at, CostEntry.parent) * CostEntry.SIZE;
    store<f32>(above, load<f32>(above, CostEntry.cost) + load<f32>(at, CostEntry.cost), CostEntry.cost);
  }
}
