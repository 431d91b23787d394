// Completes a distance search on all threads. Each thread repeatedly takes the nearest remaining pair of
// boxes from the list that `bestFirstDistance` has left (the front), and descends into this pair depth first,
// nearest children first.

import { DistanceJob, DistanceSearch, NodePairEntry, PairRecord } from '../records';
import { handleOf } from '../simd/access';
import { measureLeaves } from './measureLeaves';
import { limitOf, loadBest } from './nearest';
import { areLeaves, writeNearChildren } from './writeNearChildren';

const SIZE: usize = NodePairEntry.SIZE;

/**
 * Slice i uses the i-th DistanceSearch. The caller makes each stack large enough for the depths of both
 * trees, so no stack can overflow.
 */
export function refineDistance(jobAt: usize, begin: u32, end: u32): void {
  const front: usize = load<u32>(jobAt, DistanceJob.frontAt);
  const count = load<u32>(jobAt, DistanceJob.frontCount);
  for (let i = begin; i < end; i++) {
    const search = <usize>load<u32>(jobAt, DistanceJob.searchesAt) + <usize>i * DistanceSearch.SIZE;
    for (;;) {
      const next = atomic.add<u32>(jobAt, 1, DistanceJob.cursor);
      if (next >= count || !descend(jobAt, search, front + <usize>(count - 1 - next) * SIZE)) break;
    }
  }
}

// Searches below one pair of boxes. Returns false if the whole search is over: either this pair and all
// later pairs are too far apart to contain nearer triangles, or two triangles intersect.
function descend(job: usize, search: usize, from: usize): bool {
  const pair: usize = load<u32>(job, DistanceJob.pairAt);
  const stack: usize = load<u32>(search, DistanceSearch.stackAt);
  const nodesA: usize = load<u32>(pair, PairRecord.nodesA);
  const nodesB: usize = load<u32>(pair, PairRecord.nodesB);
  let best = loadBest(job);
  let limit = limitOf(job, best);
  if (!(load<f32>(from, NodePairEntry.squaredBound) <= limit)) return false;
  v128.store(stack, v128.load(from));
  for (let top = stack + SIZE; top > stack; ) {
    if (atomic.load<u32>(job, DistanceJob.intersects) != 0) return false;
    const known = loadBest(job);
    if (known != best) {
      best = known;
      limit = limitOf(job, best);
    }
    top -= SIZE;
    if (!(load<f32>(top, NodePairEntry.squaredBound) <= limit)) continue;
    const slotA = load<u32>(top, NodePairEntry.slotA);
    const slotB = load<u32>(top, NodePairEntry.slotB);
    if (areLeaves(pair, slotA, slotB)) {
      if (measureLeaves(job, search, pair, handleOf(nodesA, slotA), handleOf(nodesB, slotB))) return false;
      continue;
    }
    const end = writeNearChildren(job, search, pair, slotA, slotB, limit, top);
    sort(top, end);
    top = end;
  }
  return true;
}

// Sorts entries by descending bound, so that the nearest pair of boxes is on top of the stack.
function sort(from: usize, end: usize): void {
  for (let at = from + SIZE; at < end; at += SIZE) {
    const entry = v128.load(at);
    const squaredBound = load<f32>(at, NodePairEntry.squaredBound);
    let to = at;
    for (; to > from && load<f32>(to - SIZE, NodePairEntry.squaredBound) < squaredBound; to -= SIZE)
      v128.store(to, v128.load(to - SIZE));
    v128.store(to, entry);
  }
}
