// Searches for the nearest triangles of two placed meshes on one thread, best first. If the search exceeds
// the job's budget of box tests or its heap is full, it stops and leaves the remaining box pairs, sorted, for
// the parallel search that follows (refineDistance.ts).

import { DistanceJob, DistanceSearch, NOTHING, NodePairEntry, PairRecord } from '../records';
import { handleOf } from '../simd/access';
import { measureLeaves } from './measureLeaves';
import { limitOf, loadBest, measure } from './nearest';
import { areLeaves, writeNearChildren, writeNodePair } from './writeNearChildren';

const MAX_CHILDREN: u32 = 16;
const DESCENTS: u32 = 3;
const SIZE: usize = NodePairEntry.SIZE;

/**
 * Runs the search on one thread, with the job's first DistanceSearch; the slice is ignored. Box pairs are
 * kept in a heap at frontAt, ordered by the lower bound of their distance. Pairs that remain when the search
 * stops are sorted so that the pair with the smallest bound is last.
 */
export function bestFirstDistance(jobAt: usize, begin: u32, end: u32): void {
  const search: usize = load<u32>(jobAt, DistanceJob.searchesAt);
  const pair: usize = load<u32>(jobAt, DistanceJob.pairAt);
  const front: usize = load<u32>(jobAt, DistanceJob.frontAt);
  const maxCount = load<u32>(jobAt, DistanceJob.frontCapacity) - MAX_CHILDREN;
  const nodesA: usize = load<u32>(pair, PairRecord.nodesA);
  const nodesB: usize = load<u32>(pair, PairRecord.nodesB);
  const budget = <f64>load<u32>(jobAt, DistanceJob.budget);
  store<u32>(jobAt, 0, DistanceJob.frontCount);
  if (
    load<u32>(jobAt, DistanceJob.hintA) != NOTHING &&
    measure(jobAt, search, load<u32>(jobAt, DistanceJob.hintA), load<u32>(jobAt, DistanceJob.hintB))
  )
    return;
  if (descendToLeaves(jobAt, search, pair, front)) return;
  let count: u32 = 1;
  writeNodePair(front, NOTHING, NOTHING, 0);
  while (count > 0) {
    const squaredBound = load<f32>(front, NodePairEntry.squaredBound);
    const limit = limitOf(jobAt, loadBest(jobAt));
    // If the smallest bound exceeds the limit, all other bounds do too, and the search is finished.
    if (!(squaredBound <= limit)) {
      count = 0;
      break;
    }
    if (count > maxCount || load<f64>(search, DistanceSearch.boxTests) > budget) break;
    const slotA = load<u32>(front, NodePairEntry.slotA);
    const slotB = load<u32>(front, NodePairEntry.slotB);
    count--;
    siftDown(front, count, front + <usize>count * SIZE);
    if (areLeaves(pair, slotA, slotB)) {
      if (measureLeaves(jobAt, search, pair, handleOf(nodesA, slotA), handleOf(nodesB, slotB))) return;
      continue;
    }
    const from = front + <usize>(count + 1) * SIZE;
    const to = writeNearChildren(jobAt, search, pair, slotA, slotB, limit, from);
    for (let at = from; at < to; at += SIZE) siftUp(front, count++, at);
  }
  store<u32>(jobAt, count, DistanceJob.frontCount);
  // Heap sort: repeatedly move the entry with the smallest bound to the end.
  const spare = front + <usize>load<u32>(jobAt, DistanceJob.frontCapacity) * SIZE;
  for (; count > 1; count--) {
    const last = front + <usize>(count - 1) * SIZE;
    v128.store(spare, v128.load(last));
    v128.store(last, v128.load(front));
    siftDown(front, count - 1, spare);
  }
}

/**
 * Finds a first distance, which lets the search prune pairs of boxes that are farther apart. Starts at the
 * roots and repeatedly moves to the nearest pair of children, down to a pair of leaves. Repeats the descent:
 * once two near points are known, boxes are also bounded along the direction between these points, and the
 * tighter bounds lead to nearer leaves. Returns true if two triangles intersect.
 */
export function descendToLeaves(job: usize, search: usize, pair: usize, scratch: usize): bool {
  const nodesA: usize = load<u32>(pair, PairRecord.nodesA);
  const nodesB: usize = load<u32>(pair, PairRecord.nodesB);
  for (let times: u32 = load<u32>(job, DistanceJob.hintA) != NOTHING ? 1 : 0; times < DESCENTS; times++) {
    let slotA: u32 = NOTHING;
    let slotB: u32 = NOTHING;
    while (!areLeaves(pair, slotA, slotB)) {
      const end = writeNearChildren(job, search, pair, slotA, slotB, limitOf(job, loadBest(job)), scratch);
      if (end == scratch) return false;
      let nearest = scratch;
      for (let at = scratch + SIZE; at < end; at += SIZE)
        if (load<f32>(at, NodePairEntry.squaredBound) < load<f32>(nearest, NodePairEntry.squaredBound))
          nearest = at;
      slotA = load<u32>(nearest, NodePairEntry.slotA);
      slotB = load<u32>(nearest, NodePairEntry.slotB);
    }
    if (measureLeaves(job, search, pair, handleOf(nodesA, slotA), handleOf(nodesB, slotB))) return true;
  }
  return false;
}

// Puts the entry at `from` into the empty root of a heap and moves it down to its place. count: the number of
// entries, including the new entry.
function siftDown(heap: usize, count: u32, from: usize): void {
  const entry = v128.load(from);
  const squaredBound = load<f32>(from, NodePairEntry.squaredBound);
  let position: u32 = 0;
  for (let child: u32 = 1; child < count; child = 2 * position + 1) {
    if (
      child + 1 < count &&
      load<f32>(heap + <usize>(child + 1) * SIZE, NodePairEntry.squaredBound) <
        load<f32>(heap + <usize>child * SIZE, NodePairEntry.squaredBound)
    )
      child++;
    if (!(load<f32>(heap + <usize>child * SIZE, NodePairEntry.squaredBound) < squaredBound)) break;
    v128.store(heap + <usize>position * SIZE, v128.load(heap + <usize>child * SIZE));
    position = child;
  }
  v128.store(heap + <usize>position * SIZE, entry);
}

// Adds the entry at `from` at the end of a heap of `count` entries and moves it up to its place.
function siftUp(heap: usize, count: u32, from: usize): void {
  const entry = v128.load(from);
  const squaredBound = load<f32>(from, NodePairEntry.squaredBound);
  let position = count;
  while (position > 0) {
    const above = (position - 1) >> 1;
    if (!(squaredBound < load<f32>(heap + <usize>above * SIZE, NodePairEntry.squaredBound))) break;
    v128.store(heap + <usize>position * SIZE, v128.load(heap + <usize>above * SIZE));
    position = above;
  }
  v128.store(heap + <usize>position * SIZE, entry);
}
