// Weighed front nodes -> a front in which no node costs as much as the bound, unless it is a pair of leaves (Alg. 2, eq. 1-5).
import { handleOf } from '../access';
import { FrontNode, LEAF_BIT, PairRecord, WeighJob } from '../layout';
import { children } from '../volumes';

/** Slice i expands its even share of the nodes depth first; it writes, and counts past its capacity, in its own output. */
export function expandFront(jobAt: usize, begin: u32, end: u32): void {
  const count = <u64>load<u32>(jobAt, WeighJob.startCount), slices = <u64>load<u32>(jobAt, WeighJob.sliceCount);
  for (let slice = begin; slice < end; slice++) {
    expand(jobAt, slice, <u32>(<u64>slice * count / slices), <u32>((<u64>slice + 1) * count / slices));
  }
}

function expand(job: usize, slice: u32, from: u32, to: u32): void {
  const pairs: usize = load<u32>(job, WeighJob.pairsAt), starts: usize = load<u32>(job, WeighJob.startAt);
  const bound = load<f32>(job, WeighJob.bound);
  // With measured costs a node's own test is subtracted before its children share the rest (eq. 3).
  const own: f32 = load<u32>(job, WeighJob.coherent) != 0 ? 1 : 0;
  const capacity = load<u32>(job, WeighJob.outCapacity);
  const out = <usize>load<u32>(job, WeighJob.outAt) + <usize>slice * <usize>capacity * FrontNode.SIZE;
  const stack = <usize>load<u32>(job, WeighJob.stackAt) + <usize>slice * <usize>load<u32>(job, WeighJob.stackBytes);
  let count: u32 = 0;
  for (let k = from; k < to; k++) {
    let top = stack + FrontNode.SIZE;
    copyNode(stack, starts + <usize>k * FrontNode.SIZE);
    while (top > stack) {
      top -= FrontNode.SIZE;
      const cost = load<f32>(top, FrontNode.cost);
      const slotA = load<u32>(top, FrontNode.slotA), slotB = load<u32>(top, FrontNode.slotB), pairIndex = load<u32>(top, FrontNode.pair);
      const pair = pairs + <usize>pairIndex * PairRecord.SIZE;
      if (cost >= bound && !isLeafPair(pair, slotA, slotB)) {
        const start = load<u32>(top, FrontNode.start);
        const end = children(pair, pairIndex, slotA, slotB, top);
        split(top, end, start, cost - own);
        top = end;
        continue;
      }
      if (count < capacity) copyNode(out + <usize>count * FrontNode.SIZE, top);
      count++;
    }
  }
  store<u32>(<usize>load<u32>(job, WeighJob.countsAt) + (<usize>slice << 4), count, 8);
}

// Shares `cost` among the nodes at from..end by their volumes.
function split(from: usize, end: usize, start: u32, cost: f32): void {
  let sum: f32 = 0;
  for (let at = from; at < end; at += FrontNode.SIZE) sum += load<f32>(at, FrontNode.cost);
  const even = sum > 0 ? <f32>0 : cost / <f32>((end - from) / FrontNode.SIZE);
  const scale = sum > 0 ? max<f32>(cost, 0) / sum : <f32>0;
  for (let at = from; at < end; at += FrontNode.SIZE) {
    store<f32>(at, load<f32>(at, FrontNode.cost) * scale + even, FrontNode.cost);
    store<u32>(at, start, FrontNode.start);
  }
}

// @ts-ignore: decorator
@inline function copyNode(to: usize, from: usize): void {
  v128.store(to, v128.load(from));
  v128.store(to, v128.load(from, 16), 16);
}

// @ts-ignore: decorator
@inline function isLeafPair(pair: usize, slotA: u32, slotB: u32): bool {
  return (handleOf(load<u32>(pair, PairRecord.nodesA), slotA) & handleOf(load<u32>(pair, PairRecord.nodesB), slotB) & LEAF_BIT) != 0;
}
