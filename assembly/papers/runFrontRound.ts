// Runs one round of the traversal of the S-AABB paper (see docs/papers.md). The tasks of a round are pairs of
// tree nodes. Each task is replaced by the pairs of children that may intersect, which are the tasks of the
// next round. Pairs of leaves go to the triangle test instead.

import { hybrid16, hybridLeafA, hybridLeafB } from '../hybrid/hybrid';
import { testLeafPairs } from '../narrowphase/testLeafPairs';
import { LEAF_BIT, LEAF_CHUNK, ListRecord, Node, PairRecord, RoundJob } from '../records';
import { handleOf, laneAt } from '../simd/access';

/**
 * Runs the slices begin <= i < end. Slice i processes the i-th of `sliceCount` equal shares of the tasks and
 * uses the i-th list. New tasks beyond the capacity are counted but not written, so that the caller can
 * enlarge the memory and repeat the round.
 */
export function runFrontRound(jobAt: usize, begin: u32, end: u32): void {
  const taskCount: u64 = load<u32>(jobAt, RoundJob.taskCount);
  const sliceCount: u64 = load<u32>(jobAt, RoundJob.sliceCount);
  for (let slice = begin; slice < end; slice++) {
    const count = walk(
      jobAt,
      slice,
      <u32>((<u64>slice * taskCount) / sliceCount),
      <u32>(((<u64>slice + 1) * taskCount) / sliceCount),
    );
    store<u32>(<usize>load<u32>(jobAt, RoundJob.nextCountsAt) + ((<usize>slice) << 2), count);
  }
}

// Processes the tasks first <= i < last. Returns the number of tasks that they add to the next round.
function walk(job: usize, slice: u32, first: u32, last: u32): u32 {
  const list = <usize>load<u32>(job, RoundJob.listsAt) + <usize>slice * ListRecord.SIZE;
  const hits: usize = load<u32>(job, RoundJob.hitsAt);
  const stride: usize = load<u32>(job, RoundJob.tasksStride);
  const end = <usize>load<u32>(job, RoundJob.tasksAt) + ((<usize>last) << 2);
  let count: u32 = 0;
  for (let task = <usize>load<u32>(job, RoundJob.tasksAt) + ((<usize>first) << 2); task < end; task += 4) {
    const pairIndex = load<u32>(task);
    if (hits != 0 && atomic.load<u32>(hits + ((<usize>pairIndex) << 2)) != 0) continue;
    begin(job, list, pairIndex);
    count = expand(
      job,
      list,
      slice,
      pairIndex,
      load<u32>(task + stride),
      load<u32>(task + 2 * stride),
      count,
    );
  }
  testBuffer(job, list);
  return count;
}

// Makes the given pair of meshes the current pair of the list. Does nothing if it already is the current pair.
// Otherwise, first tests the leaf pairs in the list's buffer, which belong to the pair that was current before.
// Then begins a new run of the output: a sequence of results that all belong to one pair of meshes.
function begin(job: usize, list: usize, pairIndex: u32): void {
  if (pairIndex == load<u32>(list, ListRecord.pair)) return;
  testBuffer(job, list);
  const runCount = load<u32>(list, ListRecord.runsCount);
  const run = <usize>load<u32>(list, ListRecord.runsAt) + ((<usize>runCount) << 3);
  store<u32>(run, pairIndex);
  store<u32>(run, load<u32>(list, ListRecord.pairsCount), 4);
  store<u32>(list, runCount + 1, ListRecord.runsCount);
  store<u32>(list, pairIndex, ListRecord.pair);
}

// Tests the leaf pairs in the list's buffer.
function testBuffer(job: usize, list: usize): void {
  const bufferedCount = load<u32>(list, ListRecord.leavesCount);
  if (bufferedCount == 0) return;
  const pairIndex = load<u32>(list, ListRecord.pair);
  const found = load<u32>(list, ListRecord.pairsCount);
  const hits: usize = load<u32>(job, RoundJob.hitsAt);
  testLeafPairs(list, pairAt(job, pairIndex), pairIndex, load<u32>(job, RoundJob.packTableAt), bufferedCount);
  store<u32>(list, 0, ListRecord.leavesCount);
  if (hits != 0 && load<u32>(list, ListRecord.pairsCount) != found)
    atomic.store<u32>(hits + ((<usize>pairIndex) << 2), 1);
}

function pairAt(job: usize, pairIndex: u32): usize {
  return <usize>load<u32>(job, RoundJob.pairsAt) + <usize>pairIndex * PairRecord.SIZE;
}

// Processes one task. If the task is a pair of leaves, adds the pair to the list's buffer. Otherwise appends
// one new task for each pair of children that may intersect. count: the number of new tasks before the call.
// Returns the number of new tasks after the call.
function expand(
  job: usize,
  list: usize,
  slice: u32,
  pairIndex: u32,
  slotA: u32,
  slotB: u32,
  count: u32,
): u32 {
  const pair = pairAt(job, pairIndex);
  const nodesA: usize = load<u32>(pair, PairRecord.nodesA);
  const nodesB: usize = load<u32>(pair, PairRecord.nodesB);
  const handleA = handleOf(nodesA, slotA);
  const handleB = handleOf(nodesB, slotB);
  const leafA = (handleA & LEAF_BIT) != 0;
  const leafB = (handleB & LEAF_BIT) != 0;
  if (leafA && leafB) {
    bufferLeafPair(job, list, handleA, handleB);
    return count;
  }
  const nodeA = leafA ? laneAt(nodesA, slotA) : nodesA + <usize>handleA * Node.SIZE;
  const nodeB = leafB ? laneAt(nodesB, slotB) : nodesB + <usize>handleB * Node.SIZE;
  let mask = leafA
    ? hybridLeafA(pair, nodeA, nodeB, 0)
    : leafB
      ? hybridLeafB(pair, nodeA, nodeB, 0)
      : hybrid16(pair, nodeA, nodeB, 0);
  store<f64>(list, load<f64>(list, ListRecord.boxTests) + (leafA || leafB ? 4 : 16), ListRecord.boxTests);
  const capacity = load<u32>(job, RoundJob.capacity);
  const stride: usize = load<u32>(job, RoundJob.nextStride);
  const to = <usize>load<u32>(job, RoundJob.nextAt) + ((<usize>slice * <usize>capacity) << 2);
  for (; mask != 0; mask &= mask - 1, count++) {
    if (count >= capacity) continue;
    // Bit 4 * j + i stands for child i of A and child j of B. If one node is a leaf, bit i stands for child i
    // of the other node.
    const bit = ctz(mask);
    const next = to + ((<usize>count) << 2);
    store<u32>(next, pairIndex);
    store<u32>(next + stride, leafA ? slotA : (handleA << 2) + (bit & 3));
    store<u32>(next + 2 * stride, leafB ? slotB : (handleB << 2) + (leafA ? bit : bit >> 2));
  }
  return count;
}

// Adds a pair of leaves to the list's buffer. Tests the buffer when it holds a full chunk, or, in an any-hit
// query, immediately.
function bufferLeafPair(job: usize, list: usize, handleA: u32, handleB: u32): void {
  const bufferedCount = load<u32>(list, ListRecord.leavesCount);
  const buffer = <usize>load<u32>(list, ListRecord.leavesAt) + ((<usize>bufferedCount) << 2);
  store<u32>(buffer, handleA);
  store<u32>(buffer + <usize>load<u32>(list, ListRecord.leavesStride), handleB);
  store<u32>(list, bufferedCount + 1, ListRecord.leavesCount);
  store<f64>(list, load<f64>(list, ListRecord.leafPairs) + 1, ListRecord.leafPairs);
  if (bufferedCount + 1 == LEAF_CHUNK || load<u32>(job, RoundJob.hitsAt) != 0) testBuffer(job, list);
}
