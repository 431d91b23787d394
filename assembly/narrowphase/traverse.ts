// Finds all intersecting triangle pairs of placed meshes. The work is given as lists of front nodes. A front
// node is a pair of boxes, one of each mesh's tree. Everything below the two boxes is traversed depth first
// (Zhang and Kim 2014, section 3.4).

import { prefetchSpheres } from '../hybrid/hybrid';
import { clearCounts, countsOf } from '../hybrid/sphereCounts';
import { testNearLeafPairs } from '../proximity/testNearLeafPairs';
import {
  BATCH,
  FrontNode,
  LEAF_BIT,
  LEAF_CHUNK,
  ListRecord,
  Node,
  PairRecord,
  TraverseJob,
} from '../records';
import { handleOf, laneAt, prefetch } from '../simd/access';
import { descendSelf } from './descendSelf';
import { overlapByMode16, overlapByModeLeafA, overlapByModeLeafB } from './overlapByMode';
import { BATCH_B, BATCH_MASK, push, pushSwapped } from './push';
import { takeNode } from './steal';
import { testLeafPairs } from './testLeafPairs';
import { testSelfLeafPairs } from './testSelfLeafPairs';
import { BOXES, NEAR, SELF, SPHERES } from './traversalModes';

/**
 * Runs the slices of a job from `begin` to end - 1. Slice i processes list i of front nodes, then takes nodes
 * from other lists if the job allows stealing. The caller sizes the stacks for the depths of the trees, so they
 * cannot overflow.
 */
export function traverse(jobAt: usize, begin: u32, end: u32): void {
  runLists(BOXES, jobAt, begin, end);
}

/** Processes the lists from `begin` to end - 1 in one traversal mode (see traversalModes.ts). */
export function runLists(mode: u32, jobAt: usize, begin: u32, end: u32): void {
  const lists: usize = load<u32>(jobAt, TraverseJob.listsAt);
  const fronts: usize = load<u32>(jobAt, TraverseJob.frontAt);
  for (let i = begin; i < end; i++) {
    const list = lists + <usize>i * ListRecord.SIZE;
    if (mode == SPHERES) clearCounts(load<u32>(jobAt, TraverseJob.pairsAt), list, i);
    for (let at = takeNode(jobAt, list); at != 0; at = takeNode(jobAt, list))
      runNode(mode, jobAt, list, fronts + <usize>load<u32>(at) * FrontNode.SIZE);
  }
  for (let i = begin; i < end; i++) finish(mode, jobAt, lists + <usize>i * ListRecord.SIZE);
}

/**
 * Traverses one front node on a list's stacks. If the node belongs to a different pair of meshes than the
 * previous node, first tests the leaf pairs in the list's buffer, and begins a new run of the list's output (a
 * sequence of results that all belong to one pair of meshes). Leaf pairs may remain in the buffer; `finish`
 * tests them.
 */
export function runNode(mode: u32, job: usize, list: usize, front: usize): void {
  const pairIndex = load<u32>(front, FrontNode.pair);
  if (pairIndex != load<u32>(list, ListRecord.pair)) {
    finish(mode, job, list);
    const run =
      <usize>load<u32>(list, ListRecord.runsAt) + ((<usize>load<u32>(list, ListRecord.runsCount)) << 3);
    store<u32>(run, pairIndex);
    store<u32>(run, load<u32>(list, ListRecord.pairsCount), 4);
    store<u32>(list, load<u32>(list, ListRecord.runsCount) + 1, ListRecord.runsCount);
    store<u32>(list, pairIndex, ListRecord.pair);
  }
  const pair = <usize>load<u32>(job, TraverseJob.pairsAt) + <usize>pairIndex * PairRecord.SIZE;
  const table: usize = load<u32>(job, TraverseJob.packTableAt);
  const bufferedCount = load<u32>(list, ListRecord.leavesCount);
  const leafCount =
    mode == SELF
      ? descendSelf(list, pair, pairIndex, table, front, bufferedCount)
      : descend(mode, list, pair, pairIndex, table, front, bufferedCount);
  store<u32>(list, leafCount, ListRecord.leavesCount);
  store<f64>(
    list,
    load<f64>(list, ListRecord.boxTests) + <f64>load<u32>(front, FrontNode.boxTests),
    ListRecord.boxTests,
  );
  store<f64>(
    list,
    load<f64>(list, ListRecord.leafPairs) + <f64>load<u32>(front, FrontNode.leafPairs),
    ListRecord.leafPairs,
  );
}

/** Tests the leaf pairs that remain in a list's buffer, and empties the buffer. */
export function finish(mode: u32, job: usize, list: usize): void {
  const leafCount = load<u32>(list, ListRecord.leavesCount);
  if (leafCount == 0) return;
  const pairIndex = load<u32>(list, ListRecord.pair);
  const pair = <usize>load<u32>(job, TraverseJob.pairsAt) + <usize>pairIndex * PairRecord.SIZE;
  const table: usize = load<u32>(job, TraverseJob.packTableAt);
  if (mode == SELF) testSelfLeafPairs(list, pair, pairIndex, table, leafCount);
  else if (mode == NEAR) testNearLeafPairs(list, pair, pairIndex, table, leafCount);
  else testLeafPairs(list, pair, pairIndex, table, leafCount);
  store<u32>(list, 0, ListRecord.leavesCount);
}

// Traverses everything below one front node. Leaf pairs are collected in the list's buffer and tested in
// chunks. leafCount: the number of leaf pairs that are already in the buffer. Returns the number of leaf
// pairs left in the buffer.
function descend(
  mode: u32,
  list: usize,
  pair: usize,
  pairIndex: u32,
  table: usize,
  front: usize,
  leafCount: u32,
): u32 {
  const nodesA: usize = load<u32>(pair, PairRecord.nodesA);
  const nodesB: usize = load<u32>(pair, PairRecord.nodesB);
  const nodesBase: usize = load<u32>(list, ListRecord.nodesAt);
  const nodesStride: usize = load<u32>(list, ListRecord.nodesStride);
  const mixedABase: usize = load<u32>(list, ListRecord.mixedAAt);
  const mixedBBase: usize = load<u32>(list, ListRecord.mixedBAt);
  const mixedStride: usize = load<u32>(list, ListRecord.mixedStride);
  const leavesBase: usize = load<u32>(list, ListRecord.leavesAt);
  const leavesStride: usize = load<u32>(list, ListRecord.leavesStride);
  let nodes = nodesBase;
  let mixedA = mixedABase;
  let mixedB = mixedBBase;
  let leaves = leavesBase + ((<usize>leafCount) << 2);
  const counts: usize = mode == SPHERES ? countsOf(list) : 0;
  let boxTests: u32 = 0;
  let leafPairs: u32 = 0;

  const slotA = load<u32>(front, FrontNode.slotA);
  const slotB = load<u32>(front, FrontNode.slotB);
  const firstA = handleOf(nodesA, slotA);
  const firstB = handleOf(nodesB, slotB);
  const leafA = (firstA & LEAF_BIT) != 0;
  const leafB = (firstB & LEAF_BIT) != 0;
  if (leafA && leafB) {
    leaves = push(table, 1, leaves, leavesStride, i32x4.splat(firstA), firstB);
    if (leaves - leavesBase >= (<usize>LEAF_CHUNK) << 2)
      leaves = flush(mode, list, pair, pairIndex, table, leaves, leavesBase);
    leafPairs++;
  } else if (leafA) mixedA = push(table, 1, mixedA, mixedStride, i32x4.splat(firstB), slotA);
  else if (leafB) mixedB = push(table, 1, mixedB, mixedStride, i32x4.splat(firstA), slotB);
  else nodes = push(table, 1, nodes, nodesStride, i32x4.splat(firstA), firstB);

  // Node pairs are tested in batches. First all tests of a batch are run, and their results are stored. Then
  // the pairs of overlapping children are pushed onto the stacks. This keeps the unpredictable branches on
  // the results out of the loop that runs the tests.
  const full = (<usize>LEAF_CHUNK) << 2;
  const batch: usize = load<u32>(list, ListRecord.batchAt);
  for (;;) {
    if (nodes > nodesBase && mixedA - mixedABase < full && mixedB - mixedBBase < full) {
      const count = min(nodes - nodesBase, (<usize>BATCH) << 2);
      nodes -= count;
      // Prefetch the nodes of the whole batch. A test takes so many instructions that the processor cannot
      // start the loads of the next test at the same time.
      let sink: u32 = 0;
      for (let k: usize = 0; k < count; k += 4) {
        if (mode == SPHERES)
          sink |= prefetchSpheres(pair, load<u32>(nodes + k), load<u32>(nodes + nodesStride + k));
        sink |=
          prefetch(nodesA + <usize>load<u32>(nodes + k) * Node.SIZE, Node.SIZE) |
          prefetch(nodesB + <usize>load<u32>(nodes + nodesStride + k) * Node.SIZE, Node.SIZE);
      }
      store<u32>(batch, sink);
      for (let k: usize = 0; k < count; k += 4) {
        const a = load<u32>(nodes + k);
        const b = load<u32>(nodes + nodesStride + k);
        store<u32>(batch + k, a);
        store<u32>(batch + k, b, BATCH_B);
        store<u32>(
          batch + k,
          overlapByMode16(mode, pair, nodesA + <usize>a * Node.SIZE, nodesB + <usize>b * Node.SIZE, counts),
          BATCH_MASK,
        );
      }
      boxTests += (<u32>count) << 2;
      for (let k: usize = 0; k < count; k += 4) {
        const mask = load<u32>(batch + k, BATCH_MASK);
        if (mask == 0) continue;
        const a = load<u32>(batch + k);
        const b = load<u32>(batch + k, BATCH_B);
        const nodeB = nodesB + <usize>b * Node.SIZE;
        const childA = v128.load(nodesA + <usize>a * Node.SIZE, Node.child);
        const slotsA = i32x4.add(i32x4.splat(a << 2), i32x4(0, 1, 2, 3));
        const leafBits = i32x4.bitmask(childA);
        for (let j: u32 = 0; j < 4; j++) {
          const hit = <i32>(mask >> (j << 2)) & 15;
          if (hit == 0) continue;
          const childB = load<u32>(nodeB + ((<usize>j) << 2), Node.child);
          if (childB & LEAF_BIT) {
            mixedB = push(table, hit & ~leafBits, mixedB, mixedStride, childA, (b << 2) + j);
            leaves = push(table, hit & leafBits, leaves, leavesStride, childA, childB);
            leafPairs += popcnt(hit & leafBits);
          } else {
            nodes = push(table, hit & ~leafBits, nodes, nodesStride, childA, childB);
            mixedA = pushSwapped(table, hit & leafBits, mixedA, mixedStride, childB, slotsA);
          }
        }
        if (leaves - leavesBase >= full)
          leaves = flush(mode, list, pair, pairIndex, table, leaves, leavesBase);
      }
    } else if (mixedA > mixedABase || mixedB > mixedBBase) {
      // Test pairs of a leaf and an inner node. The leaf may be A's or B's; both cases take the same steps,
      // with the meshes exchanged.
      const isLeafA = mixedA > mixedABase;
      const leafNodes = isLeafA ? nodesA : nodesB;
      const innerNodes = isLeafA ? nodesB : nodesA;
      const innerAt: usize = isLeafA ? leavesStride : 0;
      const leafAt: usize = isLeafA ? 0 : leavesStride;
      let mixed = isLeafA ? mixedA : mixedB;
      const count = min(mixed - (isLeafA ? mixedABase : mixedBBase), (<usize>BATCH) << 2);
      mixed -= count;
      for (let k: usize = 0; k < count; k += 4) {
        const inner = load<u32>(mixed + k);
        const slot = load<u32>(mixed + mixedStride + k);
        store<u32>(batch + k, inner);
        store<u32>(batch + k, slot, BATCH_B);
        const leaf = laneAt(leafNodes, slot);
        const node = innerNodes + <usize>inner * Node.SIZE;
        store<u32>(
          batch + k,
          isLeafA
            ? overlapByModeLeafA(mode, pair, leaf, node, counts)
            : overlapByModeLeafB(mode, pair, node, leaf, counts),
          BATCH_MASK,
        );
      }
      boxTests += <u32>count;
      for (let k: usize = 0; k < count; k += 4) {
        const slot = load<u32>(batch + k, BATCH_B);
        const hit = load<i32>(batch + k, BATCH_MASK);
        const children = v128.load(innerNodes + <usize>load<u32>(batch + k) * Node.SIZE, Node.child);
        const leafBits = i32x4.bitmask(children);
        mixed = push(table, hit & ~leafBits, mixed, mixedStride, children, slot);
        const found = hit & leafBits;
        v128.store(leaves + innerAt, i8x16.swizzle(children, v128.load(table + ((<usize>found) << 4))));
        v128.store(leaves + leafAt, v128.load32_splat(laneAt(leafNodes, slot), Node.child));
        leaves += (<usize>popcnt(found)) << 2;
        leafPairs += popcnt(found);
        if (leaves - leavesBase >= full)
          leaves = flush(mode, list, pair, pairIndex, table, leaves, leavesBase);
      }
      if (isLeafA) mixedA = mixed;
      else mixedB = mixed;
    } else break;
  }
  store<u32>(front, boxTests, FrontNode.boxTests);
  store<u32>(front, leafPairs, FrontNode.leafPairs);
  return <u32>((leaves - leavesBase) >> 2);
}

// Tests the leaf pairs of a full buffer and empties it. Returns the new top of the buffer, which is its base.
function flush(
  mode: u32,
  list: usize,
  pair: usize,
  pairIndex: u32,
  table: usize,
  leaves: usize,
  leavesBase: usize,
): usize {
  const leafCount = <u32>((leaves - leavesBase) >> 2);
  if (mode == NEAR) testNearLeafPairs(list, pair, pairIndex, table, leafCount);
  else testLeafPairs(list, pair, pairIndex, table, leafCount);
  return leavesBase;
}
