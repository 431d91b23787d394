// Starting fronts of all pairs -> their overlapping nodes, each with its cost: last run's (s3.2.1) or overlap weight (s3.2.2).
import { laneAt } from '../access';
import { CostEntry, FrontNode, Node, NOTHING, PairRecord, WeighJob } from '../layout';
import { weightOfTrees, weightsOfNode } from '../overlaps';
import { predict } from '../predict';

/** The slice is ignored. Writes one entry of the cost tree a starting node, too: entry k belongs to starting node k. */
export function weighFront(jobAt: usize, begin: u32, end: u32): void {
  const starts: usize = load<u32>(jobAt, WeighJob.startAt), first: usize = load<u32>(jobAt, WeighJob.outAt);
  const weights: usize = load<u32>(jobAt, WeighJob.stackAt);
  const count = load<u32>(jobAt, WeighJob.startCount);
  let out = first, entry: usize = load<u32>(jobAt, WeighJob.treeAt);
  let total: f64 = 0, nodeA = NOTHING, slotB = NOTHING, pair = NOTHING;
  for (let k: u32 = 0; k < count; k++, entry += CostEntry.SIZE) {
    const start = starts + <usize>k * FrontNode.SIZE;
    const slotA = load<u32>(start, FrontNode.slotA);
    clearEntry(entry, slotA, load<u32>(start, FrontNode.slotB));
    // Starting nodes with one box of B and boxes of one node of A stand together: they are weighed at once.
    if (slotA == NOTHING || slotA >> 2 != nodeA || load<u32>(start, FrontNode.slotB) != slotB || load<u32>(start, FrontNode.pair) != pair) {
      nodeA = slotA >> 2; slotB = load<u32>(start, FrontNode.slotB); pair = load<u32>(start, FrontNode.pair);
      weigh(jobAt, pair, slotA, slotB, weights);
    }
    const weight = load<f32>(weights + (<usize>(slotA & 3) << 2));
    if (weight < 0) continue;
    v128.store(out, v128.load(start));
    store<u32>(out, load<u32>(start, FrontNode.entry), FrontNode.last);
    store<u32>(out, k, FrontNode.entry);
    store<f32>(out, weight, FrontNode.cost);
    total += <f64>weight;
    out += FrontNode.SIZE;
  }
  if (load<u32>(jobAt, WeighJob.coherent) != 0) total = predictAll(first, out, starts, load<f64>(jobAt, WeighJob.total), total);
  store<f64>(jobAt, total, WeighJob.total);
  store<u32>(jobAt, <u32>((out - first) / FrontNode.SIZE), WeighJob.outCount);
}

// Four weights: of the boxes beside slotA with that of slotB; of the whole trees in all four.
function weigh(job: usize, pairIndex: u32, slotA: u32, slotB: u32, weights: usize): void {
  const pair = <usize>load<u32>(job, WeighJob.pairsAt) + <usize>pairIndex * PairRecord.SIZE;
  const mode = load<u32>(job, WeighJob.weight);
  if (slotA == NOTHING) {
    v128.store(weights, f32x4.splat(weightOfTrees(mode, pair, weights)));
    return;
  }
  const laneB = laneAt(load<u32>(pair, PairRecord.nodesB), slotB);
  v128.store(weights, weightsOfNode(mode, pair, <usize>load<u32>(pair, PairRecord.nodesA) + <usize>(slotA >> 2) * Node.SIZE, laneB));
}

// @ts-ignore: decorator
@inline function clearEntry(entry: usize, slotA: u32, slotB: u32): void {
  store<u32>(entry, slotA, CostEntry.slotA);
  store<u32>(entry, slotB, CostEntry.slotB);
  store<u32>(entry, NOTHING, CostEntry.parent);
  store<f32>(entry, 0, CostEntry.cost);
  store<u32>(entry, 0, CostEntry.childCount);
}

// Last run's costs take the place of weights, which are shares of the last run's whole cost. Shares are formed first: weights may
// be so small that nothing can be divided by their sum.
function predictAll(from: usize, end: usize, starts: usize, lastTotal: f64, weights: f64): f64 {
  let total: f64 = 0;
  for (let at = from; at < end; at += FrontNode.SIZE) {
    const last = load<f32>(starts + <usize>load<u32>(at, FrontNode.entry) * FrontNode.SIZE, FrontNode.cost);
    const share = weights > 0 ? <f64>load<f32>(at, FrontNode.cost) / weights : 0;
    const cost = predict(last, <f32>(share * lastTotal));
    store<f32>(at, cost, FrontNode.cost);
    total += <f64>cost;
  }
  return total;
}
