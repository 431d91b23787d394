// Replaces expensive front nodes by their children, until every front node has a predicted cost below a bound
// or is a pair of leaves (Zhang and Kim 2014, Alg. 2, eq. 1-5). A front node is a pair of boxes; its children
// are the overlapping pairs of child boxes.

import { CostEntry, ESTIMATED, FrontJob, FrontNode, LEAF_BIT, NOTHING, PairRecord } from '../records';
import { handleOf } from '../simd/access';
import { countOverlaps, writeOverlappingChildren } from './overlaps';
import { predictCost } from './predictCost';
import { BOXES } from './traversalModes';

// `setWeight` raises smaller costs to this value. Otherwise, a node with an estimated cost of 0 would have the
// weight 0, and all such nodes could go to the same list.
const MIN_COST: f32 = f32.MIN_NORMAL_VALUE;

/**
 * Slice i runs job i of the array of FrontJobs at `jobAt`, depth first. Front nodes and cost entries beyond
 * their capacities are counted but not written, so that the caller can enlarge the memory and run the job
 * again.
 */
export function expandFront(jobAt: usize, begin: u32, end: u32): void {
  expandSlices(BOXES, jobAt, begin, end);
}

/** Runs the jobs in one traversal mode (see traversalModes.ts). */
export function expandSlices(mode: u32, jobAt: usize, begin: u32, end: u32): void {
  for (let i = begin; i < end; i++) expandAll(mode, jobAt + <usize>i * FrontJob.SIZE);
}

function expandAll(mode: u32, jobAt: usize): void {
  const pairs: usize = load<u32>(jobAt, FrontJob.pairsAt);
  const starts: usize = load<u32>(jobAt, FrontJob.startAt);
  const bound = load<f32>(jobAt, FrontJob.bound);
  const estimateBound = load<f32>(jobAt, FrontJob.estimateBound);
  const startCount = load<u32>(jobAt, FrontJob.startCount);
  const capacity = load<u32>(jobAt, FrontJob.outCapacity);
  const out: usize = load<u32>(jobAt, FrontJob.outAt);
  const stack: usize = load<u32>(jobAt, FrontJob.stackAt);
  const isByCount = load<u32>(jobAt, FrontJob.byCount) != 0;
  let count: u32 = 0;
  store<u32>(jobAt, load<u32>(jobAt, FrontJob.treeFirst), FrontJob.treeCount);
  for (let k: u32 = 0; k < startCount; k++) {
    let top = stack + FrontNode.SIZE;
    copyNode(stack, starts + <usize>k * FrontNode.SIZE);
    while (top > stack) {
      top -= FrontNode.SIZE;
      const pair = pairs + <usize>load<u32>(top, FrontNode.pair) * PairRecord.SIZE;
      const maxCost = load<u32>(top, FrontNode.last) == ESTIMATED ? estimateBound : bound;
      if (
        load<f32>(top, FrontNode.cost) >= maxCost &&
        !isLeafPair(pair, load<u32>(top, FrontNode.slotA), load<u32>(top, FrontNode.slotB))
      ) {
        top = expand(mode, jobAt, pair, top);
        continue;
      }
      if (isByCount && !setWeight(mode, pair, top)) continue;
      if (count < capacity) copyNode(out + <usize>count * FrontNode.SIZE, top);
      count++;
    }
  }
  store<u32>(jobAt, count, FrontJob.outCount);
}

// Called for a node that is not expanded further. Replaces its estimated cost with a weight,
// n^(5/4) cost^(1/8), where n is the number of overlapping pairs of children. The weight decides how nodes are
// distributed over lists. It is used in runs without measured costs and without stealing. In such runs, the
// estimate from the overlap of boxes decides which nodes to expand, but n predicts the cost of a node better. A
// pair of leaves counts as n = 1. Returns whether any children overlap; if none do, the caller drops the node.
function setWeight(mode: u32, pair: usize, at: usize): bool {
  let count = load<u32>(at, FrontNode.boxTests);
  if (count == 0)
    count = countOverlaps(mode, pair, load<u32>(at, FrontNode.slotA), load<u32>(at, FrontNode.slotB));
  const n = <f32>count;
  const cost = max<f32>(load<f32>(at, FrontNode.cost), MIN_COST);
  store<f32>(at, n * sqrt<f32>(sqrt<f32>(sqrt<f32>(n * n * cost))), FrontNode.cost);
  return count != 0;
}

// Replaces the node at `at` by its children. Each child gets a predicted cost (see distributeCost) and a new
// entry in the cost tree. Returns the address after the last child.
function expand(mode: u32, job: usize, pair: usize, at: usize): usize {
  const cost = load<f32>(at, FrontNode.cost);
  const parent = load<u32>(at, FrontNode.entry);
  const last = load<u32>(at, FrontNode.last);
  let end = writeOverlappingChildren(
    mode,
    load<u32>(job, FrontJob.weight),
    pair,
    load<u32>(at, FrontNode.pair),
    load<u32>(at, FrontNode.slotA),
    load<u32>(at, FrontNode.slotB),
    at,
  );
  if (measuredChildCount(job, last) == 0) end = lookAhead(mode, pair, at, end);
  const childCount = <u32>((end - at) / FrontNode.SIZE);
  // If the last run traversed the node without expanding it, its cost includes its own test. So 1 is
  // subtracted from the cost before the children share the rest (eq. 3).
  const rest: f32 = last == ESTIMATED || measuredChildCount(job, last) > 0 ? cost : max<f32>(cost - 1, 0);
  distributeCost(job, at, end, rest, last);
  const first = load<u32>(job, FrontJob.treeCount);
  const tree: usize = load<u32>(job, FrontJob.treeAt);
  const fits = first + childCount <= load<u32>(job, FrontJob.treeCapacity);
  store<u32>(job, first + childCount, FrontJob.treeCount);
  if (fits) {
    const entry = tree + <usize>parent * CostEntry.SIZE;
    store<u32>(entry, first, CostEntry.firstChild);
    store<u32>(entry, childCount, CostEntry.childCount);
  }
  for (let i: u32 = 0; i < childCount; i++) {
    const child = at + <usize>i * FrontNode.SIZE;
    store<u32>(child, first + i, FrontNode.entry);
    if (!fits) continue;
    const entry = tree + <usize>(first + i) * CostEntry.SIZE;
    store<u32>(entry, load<u32>(child, FrontNode.slotA), CostEntry.slotA);
    store<u32>(entry, load<u32>(child, FrontNode.slotB), CostEntry.slotB);
    store<f32>(entry, 0, CostEntry.cost);
    store<u32>(entry, parent, CostEntry.parent);
    store<u32>(entry, 0, CostEntry.childCount);
  }
  return end;
}

// Multiplies the cost of each node between the addresses `from` and `end` by the number of its children, since
// the overlap of the node's boxes alone predicts the cost poorly. Drops nodes without children. Returns the new
// end.
function lookAhead(mode: u32, pair: usize, from: usize, end: usize): usize {
  let to = from;
  for (let at = from; at < end; at += FrontNode.SIZE) {
    const count = countOverlaps(mode, pair, load<u32>(at, FrontNode.slotA), load<u32>(at, FrontNode.slotB));
    if (count == 0) continue;
    copyNode(to, at);
    store<f32>(to, load<f32>(at, FrontNode.cost) * <f32>count, FrontNode.cost);
    store<u32>(to, count, FrontNode.boxTests);
    to += FrontNode.SIZE;
  }
  return to;
}

// Replaces the overlap weight in the cost field of each child by the child's predicted cost. A child's share
// of `rest` is proportional to its weight (eq. 3). If the last run measured the child, its cost is predicted
// from the measured cost and the share (see predictCost). Otherwise it is the share, or minCost if that is
// greater. last: the `last` field of the parent.
function distributeCost(job: usize, from: usize, end: usize, rest: f32, last: u32): void {
  let weight: f32 = 0;
  for (let at = from; at < end; at += FrontNode.SIZE) weight += load<f32>(at, FrontNode.cost);
  const lastTree: usize = load<u32>(job, FrontJob.lastTreeAt);
  const lastEntry = lastTree + <usize>last * CostEntry.SIZE;
  const known = measuredChildCount(job, last);
  const even = rest / <f32>((end - from) / FrontNode.SIZE);
  // All of a node's measured cost may come from one child, and the overlap does not always show which child
  // this is. So if the last run measured the node or an ancestor, but none of the children, each child gets
  // at least an even share.
  const minCost: f32 = last != ESTIMATED && known == 0 ? even : 0;
  for (let at = from; at < end; at += FrontNode.SIZE) {
    const found =
      known == 0
        ? NOTHING
        : find(
            lastTree,
            load<u32>(lastEntry, CostEntry.firstChild),
            known,
            load<u32>(at, FrontNode.slotA),
            load<u32>(at, FrontNode.slotB),
          );
    const byWeight = max<f32>(weight > 0 ? (load<f32>(at, FrontNode.cost) / weight) * rest : even, minCost);
    store<u32>(at, found == NOTHING && last == ESTIMATED ? ESTIMATED : found, FrontNode.last);
    store<f32>(
      at,
      found == NOTHING
        ? byWeight
        : predictCost(load<f32>(lastTree + <usize>found * CostEntry.SIZE, CostEntry.cost), byWeight),
      FrontNode.cost,
    );
  }
}

// Returns how many children of a node the last run measured. last: the `last` field of the node.
function measuredChildCount(job: usize, last: u32): u32 {
  if (last == NOTHING || last == ESTIMATED) return 0;
  return load<u32>(
    <usize>load<u32>(job, FrontJob.lastTreeAt) + <usize>last * CostEntry.SIZE,
    CostEntry.childCount,
  );
}

function find(tree: usize, first: u32, count: u32, slotA: u32, slotB: u32): u32 {
  for (let i = first; i < first + count; i++) {
    const entry = tree + <usize>i * CostEntry.SIZE;
    if (load<u32>(entry, CostEntry.slotA) == slotA && load<u32>(entry, CostEntry.slotB) == slotB) return i;
  }
  return NOTHING;
}

function copyNode(to: usize, from: usize): void {
  v128.store(to, v128.load(from));
  v128.store(to, v128.load(from, 16), 16);
}

function isLeafPair(pair: usize, slotA: u32, slotB: u32): bool {
  return (
    (handleOf(load<u32>(pair, PairRecord.nodesA), slotA) &
      handleOf(load<u32>(pair, PairRecord.nodesB), slotB) &
      LEAF_BIT) !=
    0
  );
}
