// Stores the cost of each front node in the run that just ended, and adds the costs up the cost tree, from
// the front nodes to the starting nodes (Zhang and Kim 2014, section 3.4).
import { CostEntry, FrontJob, FrontNode } from '../records';

/** Runs on one thread; the slice is ignored. outAt and outCount of the first job describe the whole front. */
export function storeCosts(jobAt: usize, begin: u32, end: u32): void {
  const front: usize = load<u32>(jobAt, FrontJob.outAt);
  const tree: usize = load<u32>(jobAt, FrontJob.treeAt);
  const leafPairCost = load<f32>(jobAt, FrontJob.leafPairCost);
  const frontEnd = front + <usize>load<u32>(jobAt, FrontJob.outCount) * FrontNode.SIZE;
  let greatest: f32 = 0;
  for (let at = front; at < frontEnd; at += FrontNode.SIZE) {
    const cost =
      <f32>load<u32>(at, FrontNode.boxTests) + leafPairCost * <f32>load<u32>(at, FrontNode.leafPairs);
    store<f32>(tree + <usize>load<u32>(at, FrontNode.entry) * CostEntry.SIZE, cost, CostEntry.cost);
    greatest = max<f32>(greatest, cost);
  }
  store<f32>(jobAt, greatest, FrontJob.maxNodeCost);
  for (let i: u32 = 0; i < load<u32>(jobAt, FrontJob.sliceCount); i++)
    sumUp(tree, jobAt + <usize>i * FrontJob.SIZE);
}

// Adds the cost of each entry in one job's part of the tree to the cost of the entry's parent. Children are
// stored after their parents, so the last entry is processed first. A parent is in the same part as its
// children, or is a starting node.
function sumUp(tree: usize, job: usize): void {
  const first = tree + <usize>load<u32>(job, FrontJob.treeFirst) * CostEntry.SIZE;
  for (let at = tree + <usize>load<u32>(job, FrontJob.treeCount) * CostEntry.SIZE; at > first; ) {
    at -= CostEntry.SIZE;
    const above = tree + <usize>load<u32>(at, CostEntry.parent) * CostEntry.SIZE;
    store<f32>(above, load<f32>(above, CostEntry.cost) + load<f32>(at, CostEntry.cost), CostEntry.cost);
  }
}
