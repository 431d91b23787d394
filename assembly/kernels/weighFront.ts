// Starting fronts of all pairs -> their overlapping nodes, each with its cost: last run's (s3.2.1) or overlap weight (s3.2.2).
import { CostEntry, FrontNode, NOTHING, PairRecord, WeighJob } from '../layout';
import { predict } from '../predict';
import { weightOf } from '../overlaps';

/** The slice is ignored. Writes one entry of the cost tree a starting node, too: entry k belongs to starting node k. */
export function weighFront(jobAt: usize, begin: u32, end: u32): void {
  const pairs: usize = load<u32>(jobAt, WeighJob.pairsAt), starts: usize = load<u32>(jobAt, WeighJob.startAt);
  const count = load<u32>(jobAt, WeighJob.startCount);
  const mode = load<u32>(jobAt, WeighJob.weight);
  const first: usize = load<u32>(jobAt, WeighJob.outAt);
  let out = first, entry: usize = load<u32>(jobAt, WeighJob.treeAt);
  let total: f64 = 0;
  for (let k: u32 = 0; k < count; k++, entry += CostEntry.SIZE) {
    const start = starts + <usize>k * FrontNode.SIZE;
    const slotA = load<u32>(start, FrontNode.slotA), slotB = load<u32>(start, FrontNode.slotB);
    store<u32>(entry, slotA, CostEntry.slotA);
    store<u32>(entry, slotB, CostEntry.slotB);
    store<u32>(entry, NOTHING, CostEntry.parent);
    store<f32>(entry, 0, CostEntry.cost);
    store<u32>(entry, 0, CostEntry.childCount);
    const weight = weightOf(mode, pairs + <usize>load<u32>(start, FrontNode.pair) * PairRecord.SIZE, slotA, slotB, load<u32>(jobAt, WeighJob.stackAt));
    if (weight < 0) continue;
    v128.store(out, v128.load(start));
    store<u32>(out, load<u32>(start, FrontNode.entry), FrontNode.last);
    store<u32>(out, k, FrontNode.entry);
    store<f32>(out, weight, FrontNode.cost);
    total += <f64>weight;
    out += FrontNode.SIZE;
  }
  if (load<u32>(jobAt, WeighJob.coherent) != 0) total = predictAll(first, out, starts, <f32>(load<f64>(jobAt, WeighJob.total) / total));
  store<f64>(jobAt, total, WeighJob.total);
  store<u32>(jobAt, <u32>((out - first) / FrontNode.SIZE), WeighJob.outCount);
  store<u32>(jobAt, count, WeighJob.treeCount);
}

// Last run's costs take the place of weights; `scale` turns weights into costs.
function predictAll(from: usize, end: usize, starts: usize, scale: f32): f64 {
  let total: f64 = 0;
  for (let at = from; at < end; at += FrontNode.SIZE) {
    const last = load<f32>(starts + <usize>load<u32>(at, FrontNode.entry) * FrontNode.SIZE, FrontNode.cost);
    const cost = predict(last, load<f32>(at, FrontNode.cost) * scale);
    store<f32>(at, cost, FrontNode.cost);
    total += <f64>cost;
  }
  return total;
}
