// Any-hit traversal: finds out for each pair of placed meshes whether the two meshes intersect. The work is
// given as lists of front nodes. A front node is a pair of boxes, one of each mesh's tree. The traversal
// searches below the two boxes, depth first. After a test of two inner nodes, it first visits the pair of
// children with the deepest overlap.

import { clearCounts, countsOf } from '../hybrid/sphereCounts';
import { testNearLeafPairs } from '../proximity/testNearLeafPairs';
import {
  DIAGONAL,
  FrontNode,
  LEAF_BIT,
  LEAF_PAIR_COST,
  ListRecord,
  Node,
  PairRecord,
  TraverseJob,
  UPPER_TRIANGLE,
} from '../records';
import { handleOf, laneAt } from '../simd/access';
import { deepestOverlap16 } from './deepestOverlap16';
import { overlapByMode16, overlapByModeLeafA, overlapByModeLeafB } from './overlapByMode';
import { recordOf } from './selfBoxes';
import { testLeafPairs } from './testLeafPairs';
import { testSelfLeafPairs } from './testSelfLeafPairs';
import { BOXES, NEAR, SELF, SPHERES } from './traversalModes';

/**
 * Slice i processes list i of front nodes. It skips a front node if a hit is already known, from this slice or
 * another one, for the front node's pair of meshes.
 */
export function anyHit(jobAt: usize, begin: u32, end: u32): void {
  runSearches(BOXES, jobAt, begin, end);
}

/** Processes the lists from `begin` to end - 1 in one traversal mode (see traversalModes.ts). */
export function runSearches(mode: u32, jobAt: usize, begin: u32, end: u32): void {
  const lists: usize = load<u32>(jobAt, TraverseJob.listsAt);
  for (let i = begin; i < end; i++) {
    const list = lists + <usize>i * ListRecord.SIZE;
    if (mode == SPHERES) clearCounts(load<u32>(jobAt, TraverseJob.pairsAt), list, i);
    runList(mode, jobAt, list);
  }
}

function runList(mode: u32, job: usize, list: usize): void {
  const pairs: usize = load<u32>(job, TraverseJob.pairsAt);
  const fronts: usize = load<u32>(job, TraverseJob.frontAt);
  const hits: usize = load<u32>(job, TraverseJob.hitsAt);
  const table: usize = load<u32>(job, TraverseJob.packTableAt);
  const order: usize = load<u32>(list, ListRecord.orderAt);
  const orderEnd = order + ((<usize>load<u32>(list, ListRecord.orderCount)) << 2);
  const budget = load<u32>(job, TraverseJob.budget);
  for (let at = order; at < orderEnd; at += 4) {
    const front = fronts + <usize>load<u32>(at) * FrontNode.SIZE;
    const pairIndex = load<u32>(front, FrontNode.pair);
    const hit = hits + ((<usize>pairIndex) << 2);
    if (atomic.load<u32>(hit)) continue;
    descend(mode, list, pairs + <usize>pairIndex * PairRecord.SIZE, pairIndex, table, front, hit, budget);
  }
}

/**
 * Traverses one front node of a pair of meshes until everything below the node is tested or a hit of the pair
 * is known. Sets the word at `hit` to 1 when it finds a hit, and stops if another thread has set this word.
 * budget: the max cost in box tests, where a leaf pair counts as LEAF_PAIR_COST box tests; 0 for no limit. If
 * the budget is exceeded before a box test, the traversal stops and sets `isUnfinished` in the list's record.
 */
export function descend(
  mode: u32,
  list: usize,
  pair: usize,
  pairIndex: u32,
  table: usize,
  front: usize,
  hit: usize,
  budget: u32,
): void {
  const nodesA: usize = load<u32>(pair, PairRecord.nodesA);
  const nodesB: usize = load<u32>(pair, PairRecord.nodesB);
  const base: usize = load<u32>(list, ListRecord.nodesAt);
  const stride: usize = load<u32>(list, ListRecord.nodesStride);
  const buffer: usize = load<u32>(list, ListRecord.leavesAt);
  const bufferStride: usize = load<u32>(list, ListRecord.leavesStride);
  const lanes = i32x4(0, 1, 2, 3);
  const counts: usize = mode == SPHERES ? countsOf(list) : 0;
  const foundBefore = load<u32>(list, ListRecord.pairsCount);
  let top = base + 4;
  let boxTests: u32 = 0;
  let leafPairs: u32 = 0;
  store<u32>(base, load<u32>(front, FrontNode.slotA));
  store<u32>(base + stride, load<u32>(front, FrontNode.slotB));
  while (top > base) {
    top -= 4;
    const slotA = load<u32>(top);
    const slotB = load<u32>(top + stride);
    const handleA = handleOf(nodesA, slotA);
    const handleB = handleOf(nodesB, slotB);
    const leafA = (handleA & LEAF_BIT) != 0;
    const leafB = (handleB & LEAF_BIT) != 0;
    if (leafA && leafB) {
      store<u32>(buffer, mode == SELF ? recordOf(pair, min(handleA, handleB)) : handleA);
      store<u32>(buffer + bufferStride, mode == SELF ? recordOf(pair, max(handleA, handleB)) : handleB);
      if (mode == SELF) testSelfLeafPairs(list, pair, pairIndex, table, 1);
      else if (mode == NEAR) testNearLeafPairs(list, pair, pairIndex, table, 1);
      else testLeafPairs(list, pair, pairIndex, table, 1);
      leafPairs++;
      if (load<u32>(list, ListRecord.pairsCount) != foundBefore) {
        atomic.store<u32>(hit, 1);
        break;
      }
      continue;
    }
    if (budget != 0 && <f32>boxTests + <f32>LEAF_PAIR_COST * <f32>leafPairs > <f32>budget) {
      store<u32>(list, 1, ListRecord.isUnfinished);
      break;
    }
    if (atomic.load<u32>(hit)) break;
    const addressA = nodesA + <usize>handleA * Node.SIZE;
    const addressB = nodesB + <usize>handleB * Node.SIZE;
    if (leafA) {
      const mask = overlapByModeLeafA(mode, pair, laneAt(nodesA, slotA), addressB, counts);
      boxTests += 4;
      v128.store(top, i32x4.splat(slotA));
      v128.store(
        top + stride,
        i8x16.swizzle(i32x4.add(i32x4.splat(handleB << 2), lanes), v128.load(table + ((<usize>mask) << 4))),
      );
      top += (<usize>popcnt(mask)) << 2;
    } else if (leafB) {
      const mask = overlapByModeLeafB(mode, pair, addressA, laneAt(nodesB, slotB), counts);
      boxTests += 4;
      v128.store(
        top,
        i8x16.swizzle(i32x4.add(i32x4.splat(handleA << 2), lanes), v128.load(table + ((<usize>mask) << 4))),
      );
      v128.store(top + stride, i32x4.splat(slotB));
      top += (<usize>popcnt(mask)) << 2;
    } else {
      const isDiagonal = mode == SELF && handleA == handleB;
      const overlap =
        mode == BOXES
          ? deepestOverlap16(pair, addressA, addressB, 0)
          : overlapByMode16(mode, pair, addressA, addressB, counts);
      const mask = overlap & (isDiagonal ? <i32>UPPER_TRIANGLE : 0xffff);
      boxTests += 16;
      if (mask == 0) continue;
      // If a node is paired with itself, the deepest overlap is between a child and itself, which does not make
      // an intersection likely. So if any two different children overlap, a pair of different children goes
      // first.
      const different = isDiagonal ? mask & ~(<i32>DIAGONAL) : 0;
      const best =
        (mode == BOXES
          ? overlap
          : deepestOverlap16(pair, addressA, addressB, different != 0 ? different : mask)) >> 16;
      const others = mask & ~(1 << best);
      const slotsA = i32x4.add(i32x4.splat(handleA << 2), lanes);
      const firstB = handleB << 2;
      for (let j: u32 = 0; j < 4; j++) {
        const bits = (others >> (j << 2)) & 15;
        v128.store(top, i8x16.swizzle(slotsA, v128.load(table + ((<usize>bits) << 4))));
        v128.store(top + stride, i32x4.splat(firstB + j));
        top += (<usize>popcnt(bits)) << 2;
      }
      store<u32>(top, (handleA << 2) + (best & 3));
      store<u32>(top + stride, firstB + (best >> 2));
      top += 4;
    }
  }
  store<f64>(list, load<f64>(list, ListRecord.boxTests) + <f64>boxTests, ListRecord.boxTests);
  store<f64>(list, load<f64>(list, ListRecord.leafPairs) + <f64>leafPairs, ListRecord.leafPairs);
}
