// Selects the starting front nodes whose two boxes overlap, and estimates the cost of traversing each of
// them: from the costs that the last run measured (Zhang and Kim 2014, section 3.2.1), or else from the
// overlap of the boxes (section 3.2.2).

import { CostEntry, ESTIMATED, FrontJob, FrontNode, NOTHING, Node, PairRecord } from '../records';
import { laneAt } from '../simd/access';
import { weightOfTrees, weightsOfNode } from './overlaps';
import { predictCost } from './predictCost';

/**
 * Runs on one thread; the slice is ignored. Also writes the first entries of the cost tree: entry k belongs
 * to starting node k.
 */
export function estimateCosts(jobAt: usize, begin: u32, end: u32): void {
  const starts: usize = load<u32>(jobAt, FrontJob.startAt);
  const first: usize = load<u32>(jobAt, FrontJob.outAt);
  const weights: usize = load<u32>(jobAt, FrontJob.stackAt);
  const count = load<u32>(jobAt, FrontJob.startCount);
  const isCoherent = load<u32>(jobAt, FrontJob.coherent) != 0;
  let out = first;
  let entry: usize = load<u32>(jobAt, FrontJob.treeAt);
  let total: f64 = 0;
  let lastTotal: f64 = 0;
  let nodeA = NOTHING;
  let slotB = NOTHING;
  let pair = NOTHING;
  for (let k: u32 = 0; k < count; k++, entry += CostEntry.SIZE) {
    const start = starts + <usize>k * FrontNode.SIZE;
    const slotA = load<u32>(start, FrontNode.slotA);
    clearEntry(entry, slotA, load<u32>(start, FrontNode.slotB));
    const lastCost: f32 = isCoherent ? lastCostOf(jobAt, starts, k) : -1;
    // Starting nodes that follow each other often have the same box of B, and boxes of A from the same tree
    // node. The weights of up to four such starting nodes are computed together.
    if (
      slotA == NOTHING ||
      slotA >> 2 != nodeA ||
      load<u32>(start, FrontNode.slotB) != slotB ||
      load<u32>(start, FrontNode.pair) != pair
    ) {
      nodeA = slotA >> 2;
      slotB = load<u32>(start, FrontNode.slotB);
      pair = load<u32>(start, FrontNode.pair);
      computeWeights(jobAt, pair, slotA, slotB, weights);
    }
    const weight = load<f32>(weights + ((<usize>(slotA & 3)) << 2));
    if (weight < 0) continue;
    v128.store(out, v128.load(start));
    store<u32>(out, lastCost < 0 ? ESTIMATED : lastEntryOf(jobAt, start, k), FrontNode.last);
    store<u32>(out, k, FrontNode.entry);
    store<f32>(out, weight, FrontNode.cost);
    // While the front is being made, boxTests holds the number of overlapping pairs of children; 0 means not
    // counted yet.
    store<u32>(out, 0, FrontNode.boxTests);
    total += <f64>weight;
    if (lastCost > 0) lastTotal += <f64>lastCost;
    out += FrontNode.SIZE;
  }
  store<f64>(jobAt, total, FrontJob.estimated);
  store<f64>(jobAt, lastTotal, FrontJob.lastTotal);
  if (isCoherent) total = predictAll(jobAt, first, out, starts);
  store<f64>(jobAt, total, FrontJob.total);
  store<u32>(jobAt, <u32>((out - first) / FrontNode.SIZE), FrontJob.outCount);
}

// Returns the cost of starting node k in the last run, or a negative number if it was not measured.
function lastCostOf(job: usize, starts: usize, k: u32): f32 {
  if (load<u32>(job, FrontJob.isSame) != 0)
    return load<f32>(<usize>load<u32>(job, FrontJob.lastTreeAt) + <usize>k * CostEntry.SIZE, CostEntry.cost);
  return load<f32>(starts + <usize>k * FrontNode.SIZE, FrontNode.cost);
}

// Returns the index of starting node k in the last run's cost tree, or NOTHING.
function lastEntryOf(job: usize, start: usize, k: u32): u32 {
  return load<u32>(job, FrontJob.isSame) != 0 ? k : load<u32>(start, FrontNode.entry);
}

// Computes the overlap weights of the four boxes in slotA's node with the box at slotB. If slotA is NOTHING,
// all four results are the weight of the two whole trees.
function computeWeights(job: usize, pairIndex: u32, slotA: u32, slotB: u32, weights: usize): void {
  const pair = <usize>load<u32>(job, FrontJob.pairsAt) + <usize>pairIndex * PairRecord.SIZE;
  const weighting = load<u32>(job, FrontJob.weight);
  if (slotA == NOTHING) {
    v128.store(weights, f32x4.splat(weightOfTrees(weighting, pair, weights)));
    return;
  }
  const laneB = laneAt(load<u32>(pair, PairRecord.nodesB), slotB);
  v128.store(
    weights,
    weightsOfNode(
      weighting,
      pair,
      <usize>load<u32>(pair, PairRecord.nodesA) + <usize>(slotA >> 2) * Node.SIZE,
      laneB,
    ),
  );
}

function clearEntry(entry: usize, slotA: u32, slotB: u32): void {
  store<u32>(entry, slotA, CostEntry.slotA);
  store<u32>(entry, slotB, CostEntry.slotB);
  store<u32>(entry, NOTHING, CostEntry.parent);
  store<f32>(entry, 0, CostEntry.cost);
  store<u32>(entry, 0, CostEntry.childCount);
}

// Replaces the weights of the selected nodes by costs that are predicted from the last run (`predictCost`). The
// cost of a node that was not measured is assumed to be its weight, times the last run's total cost, divided by
// the sum of the weights of the measured nodes. Keeps the weights and sets the job's `coherent` to 0 if none of
// the selected nodes was measured, or if the last run's total cost is 0. Otherwise, sets the job's `estimated`
// to the sum of the costs of the nodes that were not measured. Returns the sum of all costs.
function predictAll(job: usize, from: usize, end: usize, starts: usize): f64 {
  const lastTotal = load<f64>(job, FrontJob.lastTotal);
  let weights: f64 = 0;
  let total: f64 = 0;
  let estimated: f64 = 0;
  for (let at = from; at < end; at += FrontNode.SIZE) {
    const weight = <f64>load<f32>(at, FrontNode.cost);
    if (load<u32>(at, FrontNode.last) != ESTIMATED) weights += weight;
    total += weight;
  }
  if (!(weights > 0 && lastTotal > 0)) {
    for (let at = from; at < end; at += FrontNode.SIZE) store<u32>(at, ESTIMATED, FrontNode.last);
    store<u32>(job, 0, FrontJob.coherent);
    return total;
  }
  total = 0;
  for (let at = from; at < end; at += FrontNode.SIZE) {
    // Divide by the sum of the weights first: lastTotal / weights could overflow if that sum is tiny.
    const byWeight = <f32>((<f64>load<f32>(at, FrontNode.cost) / weights) * lastTotal);
    const isEstimated = load<u32>(at, FrontNode.last) == ESTIMATED;
    const last = isEstimated ? byWeight : lastCostOf(job, starts, load<u32>(at, FrontNode.entry));
    const cost = predictCost(last, byWeight);
    store<f32>(at, cost, FrontNode.cost);
    total += <f64>cost;
    if (isEstimated) estimated += <f64>cost;
  }
  store<f64>(job, estimated, FrontJob.estimated);
  return total;
}
