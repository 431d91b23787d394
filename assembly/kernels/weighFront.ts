// Starting fronts of all pairs -> their overlapping nodes, each with its cost: last frame's (s3.2.1) or overlap volume (s3.2.2).
import { FrontNode, PairRecord, WeighJob } from '../layout';
import { volumeOf } from '../volumes';

/** Slice i weighs its even share of the starting nodes into its own part of the output, in order. */
export function weighFront(jobAt: usize, begin: u32, end: u32): void {
  const count = <u64>load<u32>(jobAt, WeighJob.startCount), slices = <u64>load<u32>(jobAt, WeighJob.sliceCount);
  for (let slice = begin; slice < end; slice++) {
    const from = <u32>(<u64>slice * count / slices), to = <u32>((<u64>slice + 1) * count / slices);
    weigh(jobAt, slice, from, to);
  }
}

function weigh(job: usize, slice: u32, from: u32, to: u32): void {
  const pairs: usize = load<u32>(job, WeighJob.pairsAt), starts: usize = load<u32>(job, WeighJob.startAt);
  const coherent = load<u32>(job, WeighJob.coherent) != 0;
  const first = <usize>load<u32>(job, WeighJob.outAt) + <usize>from * FrontNode.SIZE;
  let out = first;
  let sum: f64 = 0;
  for (let k = from; k < to; k++) {
    const start = starts + <usize>k * FrontNode.SIZE;
    const volume = volumeOf(pairs + <usize>load<u32>(start, FrontNode.pair) * PairRecord.SIZE, load<u32>(start, FrontNode.slotA), load<u32>(start, FrontNode.slotB));
    if (volume < 0) continue;
    // A node that has just come into overlap costs at least its own test.
    const cost: f32 = coherent ? max<f32>(load<f32>(start, FrontNode.cost), 1) : volume;
    v128.store(out, v128.load(start));
    store<u32>(out, k, FrontNode.start);
    store<f32>(out, cost, FrontNode.cost);
    sum += <f64>cost;
    out += FrontNode.SIZE;
  }
  const counts = <usize>load<u32>(job, WeighJob.countsAt) + (<usize>slice << 4);
  store<f64>(counts, sum);
  store<u32>(counts, <u32>((out - first) / FrontNode.SIZE), 8);
}
