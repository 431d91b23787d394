// Builds the shapes of 4-wide subtrees (the children of each node and the triangles of each leaf) from ranges
// of triangle records. First builds a binary tree by the binned surface area heuristic (Wald 2007), and
// reorders the records in place. Then collapses the binary tree to the optimal 4-wide tree. The shape of a
// subtree depends only on its records, not on the thread that builds it.

import {
  BINS_BYTES,
  BinaryNode,
  BuildRecord,
  GrowJob,
  NOTHING,
  OpenRange,
  SAH_DEPTH,
  STACK_DEPTH,
  Subtree,
} from '../records';
import { add, load4, lt, maskBits, max4, min4, splat } from '../simd/lanes';
import { binLimit, binScale, binsFor, binsOf, clearBins, fillAxisBins, fillBins, widestAxis } from './bins';
import { collapseTree, computeForestCosts, shapeLeaf } from './collapse';
import {
  chooseSplit,
  halfArea,
  leftHigh,
  leftLow,
  marginOf,
  rightHigh,
  rightLow,
  splitAxis,
  splitBin,
} from './splits';

const LEAF_SIZE: u32 = 4;
/**
 * If a range has more triangles than this, only the widest axis is binned, unless it yields no split. In
 * smaller ranges the choice of the axis matters more: with a limit of 64, queries of the worm gear scene take
 * twice as many tests.
 */
const MAX_ALL_AXES: u32 = 1024;
const STACK: usize = BINS_BYTES;
const LISTS: usize = STACK + <usize>STACK_DEPTH * OpenRange.SIZE;
const SPARE: usize = LISTS + (3 * <usize>STACK_DEPTH + 8) * 16;

// Partitions records in place and keeps their order: first the records left of the limit, then the others,
// which are collected at `spare`. To avoid a branch, each record is written to both sides, but only one of
// the two cursors advances.
function partition(
  at: usize,
  last: usize,
  spare: usize,
  offset: v128,
  scale: v128,
  top: v128,
  limit: v128,
): void {
  let left = at;
  let right = spare;
  for (; at < last; at += BuildRecord.SIZE) {
    const low = load4(at);
    const high = load4(at, 16);
    const step = <usize>(maskBits(lt(binsOf(low, high, offset, scale, top), limit)) != 0) * BuildRecord.SIZE;
    v128.store(left, low);
    v128.store(left, high, 16);
    v128.store(right, low);
    v128.store(right, high, 16);
    left += step;
    right += BuildRecord.SIZE - step;
  }
  memory.copy(left, spare, right - spare);
}

function boxOf(at: usize, last: usize, to: usize): void {
  let low = splat(Infinity);
  let high = splat(-Infinity);
  for (; at < last; at += BuildRecord.SIZE) {
    low = min4(low, load4(at));
    high = max4(high, load4(at, 16));
  }
  storeBox(to, low, high);
}

function storeBox(range: usize, low: v128, high: v128): void {
  v128.store(range, low, OpenRange.low);
  v128.store(range, high, OpenRange.high);
}

// Stores bounds of the doubled centroids of one side of a split. (A doubled centroid is the sum of the min and
// the max corner of a triangle's box.) The side gets the bounds of the whole range, clipped to the side's own
// box with doubled coordinates.
function storeCentroids(range: usize, low: v128, high: v128, boxLow: v128, boxHigh: v128): void {
  v128.store(range, max4(low, add(boxLow, boxLow)), OpenRange.centroidLow);
  v128.store(range, min4(high, add(boxHigh, boxHigh)), OpenRange.centroidHigh);
}

// Splits the range at `open` in two. The left side replaces the range. The right side is written to the next
// entry of the stack, `open + OpenRange.SIZE`. Sets the boxes and centroid bounds of both sides.
function splitRange(records: usize, open: usize, bins: usize, spare: usize): void {
  const begin = load<u32>(open, OpenRange.begin);
  const end = load<u32>(open, OpenRange.end);
  const depth = load<u32>(open, OpenRange.depth);
  const at = records + <usize>begin * BuildRecord.SIZE;
  const last = records + <usize>end * BuildRecord.SIZE;
  const low = load4(open, OpenRange.centroidLow);
  const high = load4(open, OpenRange.centroidHigh);
  const right = open + OpenRange.SIZE;
  let left: u32 = 0;
  if (depth < SAH_DEPTH) {
    const binCount = binsFor(end - begin);
    const scale = binScale(low, high, binCount);
    const count = end - begin;
    const margin = marginOf(load4(open, OpenRange.low), load4(open, OpenRange.high));
    clearBins(bins, binCount);
    if (count > MAX_ALL_AXES) {
      const axis = widestAxis(low, high);
      fillAxisBins(bins, at, last, low, scale, binCount, axis);
      left = chooseSplit(bins, binCount, count, margin);
      if (left == 0) clearBins(bins, binCount);
    }
    if (left == 0) {
      fillBins(bins, at, last, low, scale, binCount);
      left = chooseSplit(bins, binCount, count, margin);
    }
    if (left != 0) {
      partition(
        at,
        last,
        spare,
        low,
        scale,
        splat(<f32>(binCount - 1)),
        binLimit(splitAxis(bins), splitBin(bins)),
      );
      storeBox(open, leftLow(bins), leftHigh(bins));
      storeBox(right, rightLow(bins), rightHigh(bins));
    }
  }
  if (left == 0) {
    // All centroids share a bin, or the depth limit is reached: split in half, at a multiple of the leaf
    // size.
    left = (((end - begin + 1) >> 1) + LEAF_SIZE - 1) & ~(LEAF_SIZE - 1);
    boxOf(at, at + <usize>left * BuildRecord.SIZE, open);
    boxOf(at + <usize>left * BuildRecord.SIZE, last, right);
  }
  storeCentroids(open, low, high, load4(open, OpenRange.low), load4(open, OpenRange.high));
  storeCentroids(right, low, high, load4(right, OpenRange.low), load4(right, OpenRange.high));
  store<u32>(open, begin + left, OpenRange.end);
  store<u32>(open, depth + 1, OpenRange.depth);
  store<u32>(right, begin + left, OpenRange.begin);
  store<u32>(right, end, OpenRange.end);
  store<u32>(right, depth + 1, OpenRange.depth);
}

// Builds the binary tree of a subtree in depth-first order and returns its node count. The stack has a fixed
// size, since the depth is bounded.
function growBinary(records: usize, subtree: usize, scratch: usize, tree: usize): u32 {
  const stack = scratch + STACK;
  let open = stack;
  store<u32>(open, load<u32>(subtree, Subtree.begin), OpenRange.begin);
  store<u32>(open, load<u32>(subtree, Subtree.end), OpenRange.end);
  store<u32>(open, load<u32>(subtree, Subtree.depth), OpenRange.depth);
  store<u32>(open, NOTHING, OpenRange.parent);
  memory.copy(open + OpenRange.low, subtree + Subtree.low, 64);
  let count: u32 = 0;
  while (open >= stack) {
    const begin = load<u32>(open, OpenRange.begin);
    const size = load<u32>(open, OpenRange.end) - begin;
    const parent = load<u32>(open, OpenRange.parent);
    if (parent != NOTHING) store<u32>(tree + <usize>parent * BinaryNode.SIZE, count, BinaryNode.right);
    const node = tree + <usize>count * BinaryNode.SIZE;
    store<u32>(node, 0, BinaryNode.right);
    if (size <= LEAF_SIZE) {
      store<u32>(node, begin, BinaryNode.first);
      store<u32>(node, size, BinaryNode.count);
      v128.store(node, splat(0), BinaryNode.cost1);
      open -= OpenRange.SIZE;
    } else {
      const low = load4(open, OpenRange.low);
      const high = load4(open, OpenRange.high);
      // If all areas are zero, the small constant makes the cost proportional to the number of nodes.
      store<f32>(node, halfArea(low, high, marginOf(low, high)) + <f32>1e-36, BinaryNode.cost1);
      splitRange(records, open, scratch, scratch + SPARE);
      // The left side is processed first, so it goes on top of the stack.
      swapRanges(open);
      store<u32>(open, count, OpenRange.parent);
      store<u32>(open, NOTHING, OpenRange.SIZE + OpenRange.parent);
      open += OpenRange.SIZE;
    }
    count++;
  }
  return count;
}

function swapRanges(range: usize): void {
  for (let at = range; at < range + OpenRange.SIZE; at += 16) {
    const other = load4(at, OpenRange.SIZE);
    v128.store(at, load4(at), OpenRange.SIZE);
    v128.store(at, other);
  }
}

function growSubtree(subtree: usize, scratch: usize, tree: usize): void {
  const begin = load<u32>(subtree, Subtree.begin);
  const count = load<u32>(subtree, Subtree.end) - begin;
  const records: usize = load<u32>(subtree, Subtree.recordsAt);
  const leaves = <usize>load<u32>(subtree, Subtree.shapesAt) + <usize>begin * 32;
  if (count <= LEAF_SIZE) {
    shapeLeaf(leaves, records, begin, count);
    store<u32>(subtree, 0, Subtree.nodeCount);
    store<u32>(subtree, 1, Subtree.leafCount);
    store<u32>(subtree, 0, Subtree.nodeDepth);
    return;
  }
  computeForestCosts(tree, growBinary(records, subtree, scratch, tree));
  collapseTree(tree, records, subtree, leaves, leaves + <usize>count * 16, scratch + LISTS);
}

export function growSubtrees(jobAt: usize, begin: u32, end: u32): void {
  const order: usize = load<u32>(jobAt, GrowJob.orderAt);
  const lists: usize = load<u32>(jobAt, GrowJob.listsAt);
  for (let slice = begin; slice < end; slice++) {
    const scratch: usize =
      <usize>load<u32>(jobAt, GrowJob.scratchAt) + <usize>slice * load<u32>(jobAt, GrowJob.scratchStride);
    const tree = scratch + SPARE + (<usize>load<u32>(jobAt, GrowJob.capacity) + 1) * BuildRecord.SIZE;
    const last = load<u32>(lists + ((<usize>slice) << 2), 4);
    for (let i = load<u32>(lists + ((<usize>slice) << 2)); i < last; i++) {
      const subtree =
        <usize>load<u32>(jobAt, GrowJob.subtreesAt) +
        <usize>load<u32>(order + ((<usize>i) << 2)) * Subtree.SIZE;
      growSubtree(subtree, scratch, tree);
    }
  }
}
