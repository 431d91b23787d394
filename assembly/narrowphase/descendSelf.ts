// Traverses one front node of a mesh that is tested against itself. A front node is a pair of boxes of the
// mesh's tree. The leaf pairs below it are collected in the buffer of the work list and tested in chunks.

import {
  BATCH,
  FrontNode,
  LEAF_CHUNK,
  ListRecord,
  MeshRecord,
  PairRecord,
  SelfBoxes,
  SelfTree,
} from '../records';
import { handleOf, prefetch } from '../simd/access';
import { load4, maskBits } from '../simd/lanes';
import { push } from './push';
import { overlap4, recordOf } from './selfBoxes';
import { testSelfLeafPairs } from './testSelfLeafPairs';

const CHUNK_BYTES: usize = (<usize>LEAF_CHUNK) << 2;
const BATCH_BYTES: usize = (<usize>BATCH) << 2;

/**
 * Traverses one front node. leafCount: the number of leaf pairs that are already in the buffer. Returns the
 * number of leaf pairs left in the buffer.
 *
 * Any two different leaves are below different children of exactly one node. So if the front node pairs an
 * inner node with itself, the traversal visits this node and all inner nodes below it one after another, and
 * pairs the children of each visited node: at most six pairs of different children. There are three stacks:
 * for pairs of two inner nodes, of an inner node and a leaf, and of two leaves. A pair consists of the numbers
 * of two SelfBoxes records, and the smaller number comes first. All overlapping pairs of children are first
 * pushed onto the first of these stacks, whatever their kind. From there they are moved to the stacks of their
 * kinds, four at a time and without branches that depend on the data.
 */
export function descendSelf(
  list: usize,
  pair: usize,
  pairIndex: u32,
  table: usize,
  front: usize,
  leafCount: u32,
): u32 {
  const tree: usize = load<u32>(pair, PairRecord.pairingAt);
  const boxes: usize = load<u32>(tree, SelfTree.boxesAt);
  const nodeCount = load<u32>(load<u32>(tree, SelfTree.meshAt), MeshRecord.nodeCount);
  const nodesBase: usize = load<u32>(list, ListRecord.nodesAt);
  const nodesStride: usize = load<u32>(list, ListRecord.nodesStride);
  const mixedBase: usize = load<u32>(list, ListRecord.mixedAAt);
  const mixedStride: usize = load<u32>(list, ListRecord.mixedStride);
  const leavesBase: usize = load<u32>(list, ListRecord.leavesAt);
  const leavesStride: usize = load<u32>(list, ListRecord.leavesStride);
  let nodes = nodesBase;
  let mixed = mixedBase;
  let leaves = leavesBase + ((<usize>leafCount) << 2);
  let boxTests: u32 = 0;
  let leafPairs: u32 = 0;
  let next: u32 = 0;
  let last: u32 = 0;
  let restFrom: u32 = 0;
  let restTo: u32 = 0;

  const treeNodes: usize = load<u32>(pair, PairRecord.nodesA);
  const a = recordOf(pair, handleOf(treeNodes, load<u32>(front, FrontNode.slotA)));
  const b = recordOf(pair, handleOf(treeNodes, load<u32>(front, FrontNode.slotB)));
  // The pairs that are not yet distributed to the stacks lie between `nodes` and `end`.
  let end = nodes;
  if (a != b || a >= nodeCount) end = push(table, 1, end, nodesStride, i32x4.splat(a), b);
  else {
    next = a;
    last = a + 1;
    restFrom = firstInner(boxes, a, nodeCount);
    restTo = endOf(boxes, a, nodeCount);
  }
  for (;;) {
    const leaf = i32x4.splat(nodeCount);
    for (let at = nodes; at < end; at += 16) {
      const recordsA = v128.load(at);
      const recordsB = v128.load(at + nodesStride);
      const used = tailOf(end - at);
      const low = i32x4.min_u(recordsA, recordsB);
      const high = i32x4.max_u(recordsA, recordsB);
      const leafBits = maskBits(i32x4.ge_u(low, leaf)) & used;
      const nodeBits = maskBits(i32x4.lt_u(high, leaf)) & used;
      leaves = pushBoth(table, leafBits, leaves, leavesStride, low, high);
      nodes = pushBoth(table, nodeBits, nodes, nodesStride, low, high);
      mixed = pushBoth(table, used & ~(leafBits | nodeBits), mixed, mixedStride, low, high);
      leafPairs += popcnt(leafBits);
      if (leaves - leavesBase >= CHUNK_BYTES)
        leaves = flush(list, pair, pairIndex, table, leaves, leavesBase);
    }
    if (nodes > nodesBase && mixed - mixedBase < CHUNK_BYTES) {
      const count = min(nodes - nodesBase, BATCH_BYTES);
      nodes -= count;
      boxTests += (<u32>count) << 2;
      end = testNodePairs(boxes, table, load<u32>(list, ListRecord.batchAt), nodes, nodesStride, count);
    } else if (mixed > mixedBase) {
      const count = min(mixed - mixedBase, BATCH_BYTES);
      mixed -= count;
      boxTests += <u32>count;
      end = testMixedPairs(
        boxes,
        <usize>load<u32>(tree, SelfTree.slotsAt) - ((<usize>nodeCount) << 2),
        table,
        mixed,
        mixedStride,
        count,
        nodes,
        nodesStride,
      );
    } else if (next < last) {
      const until = min(last, next + BATCH);
      boxTests += (until - next) << 4;
      end = pairChildren(boxes, table, next, until, nodes, nodesStride);
      next = until;
    } else if (restFrom < restTo) {
      next = restFrom;
      last = restTo;
      restFrom = restTo;
      end = nodes;
    } else break;
  }
  store<u32>(front, boxTests, FrontNode.boxTests);
  store<u32>(front, leafPairs, FrontNode.leafPairs);
  return <u32>((leaves - leavesBase) >> 2);
}

// Tests the leaf pairs of a full buffer and empties it. Returns the new top of the buffer, which is its base.
function flush(
  list: usize,
  pair: usize,
  pairIndex: u32,
  table: usize,
  leaves: usize,
  leavesBase: usize,
): usize {
  testSelfLeafPairs(list, pair, pairIndex, table, <u32>((leaves - leavesBase) >> 2));
  return leavesBase;
}

// Returns a mask of the lanes (4 bytes each) that the remaining bytes fill, at most 4 lanes.
function tailOf(bytes: usize): i32 {
  return bytes < 16 ? (1 << (<i32>(bytes >> 2))) - 1 : 15;
}

function pushBoth(table: usize, mask: i32, top: usize, stride: usize, low: v128, high: v128): usize {
  const pack = v128.load(table + ((<usize>mask) << 4));
  v128.store(top, i8x16.swizzle(low, pack));
  v128.store(top + stride, i8x16.swizzle(high, pack));
  return top + ((<usize>popcnt(mask)) << 2);
}

// Replaces the node pairs at `from` by the overlapping pairs of their children. count: the size of the node
// pairs in bytes, 4 per pair. Returns the end of the pairs of children.
function testNodePairs(
  boxes: usize,
  table: usize,
  batch: usize,
  from: usize,
  stride: usize,
  count: usize,
): usize {
  // Prefetch the boxes of the whole batch. A test takes so many instructions that the processor cannot start
  // the loads of the next test while it still waits for the loads of the current test.
  let sink: u32 = 0;
  for (let k: usize = 0; k < count; k += 4) {
    const a = load<u32>(from + k);
    const b = load<u32>(from + stride + k);
    store<u32>(batch + k, a);
    store<u32>(batch + BATCH_BYTES + k, b);
    sink |=
      prefetch(boxes + <usize>a * SelfBoxes.SIZE, SelfBoxes.SIZE) |
      prefetch(boxes + <usize>b * SelfBoxes.SIZE, SelfBoxes.SIZE);
  }
  store<u32>(batch + 2 * BATCH_BYTES, sink);
  let top = from;
  for (let k: usize = 0; k < count; k += 4) {
    const a = boxes + <usize>load<u32>(batch + k) * SelfBoxes.SIZE;
    const b = boxes + <usize>load<u32>(batch + BATCH_BYTES + k) * SelfBoxes.SIZE;
    const lowX = load4(a, SelfBoxes.lowX);
    const lowY = load4(a, SelfBoxes.lowY);
    const lowZ = load4(a, SelfBoxes.lowZ);
    const highX = load4(a, SelfBoxes.highX);
    const highY = load4(a, SelfBoxes.highY);
    const highZ = load4(a, SelfBoxes.highZ);
    const child = load4(a, SelfBoxes.child);
    // Not unrolled: otherwise all four boxes of `b` would be loaded first, and there are not enough
    // registers.
    for (let lane = b; lane < b + 16; lane += 4) {
      top = push(
        table,
        overlap4(lowX, lowY, lowZ, highX, highY, highZ, lane),
        top,
        stride,
        child,
        load<u32>(lane, SelfBoxes.child),
      );
    }
  }
  return top;
}

// For each node from `next` to until - 1, pushes the overlapping pairs of different children. A child that is a
// leaf is also paired with itself if some of its triangles share no vertex and must therefore be tested.
function pairChildren(boxes: usize, table: usize, next: u32, until: u32, top: usize, stride: usize): usize {
  for (; next < until; next++) {
    const a = boxes + <usize>next * SelfBoxes.SIZE;
    const child = load4(a, SelfBoxes.child);
    const lowX = load4(a, SelfBoxes.lowX);
    const lowY = load4(a, SelfBoxes.lowY);
    const lowZ = load4(a, SelfBoxes.lowZ);
    const highX = load4(a, SelfBoxes.highX);
    const highY = load4(a, SelfBoxes.highY);
    const highZ = load4(a, SelfBoxes.highZ);
    top = pushBoth(table, load<i32>(a, SelfBoxes.ownPairs), top, stride, child, child);
    let others = 1;
    for (let lane = a + 4; lane < a + 16; lane += 4) {
      top = push(
        table,
        overlap4(lowX, lowY, lowZ, highX, highY, highZ, lane) & others,
        top,
        stride,
        child,
        load<u32>(lane, SelfBoxes.child),
      );
      others = 2 * others + 1;
    }
  }
  return top;
}

// Tests the pairs of a node and a leaf at `from`, and pushes the node's children that overlap the leaf onto
// the stack at `top`, each paired with the leaf. slots: the address of an array that is indexed by the record
// numbers of the leaves, and contains the slot of each leaf. count: the size of the pairs in bytes, 4 per pair.
// Returns the new top of the stack.
function testMixedPairs(
  boxes: usize,
  slots: usize,
  table: usize,
  from: usize,
  fromStride: usize,
  count: usize,
  top: usize,
  stride: usize,
): usize {
  for (let k: usize = 0; k < count; k += 4) {
    const node = boxes + <usize>load<u32>(from + k) * SelfBoxes.SIZE;
    const leaf = load<u32>(from + fromStride + k);
    const slot = load<u32>(slots + ((<usize>leaf) << 2));
    const hit = overlap4(
      load4(node, SelfBoxes.lowX),
      load4(node, SelfBoxes.lowY),
      load4(node, SelfBoxes.lowZ),
      load4(node, SelfBoxes.highX),
      load4(node, SelfBoxes.highY),
      load4(node, SelfBoxes.highZ),
      boxes + <usize>(slot >> 2) * SelfBoxes.SIZE + ((<usize>(slot & 3)) << 2),
    );
    top = push(table, hit, top, stride, load4(node, SelfBoxes.child), leaf);
  }
  return top;
}

// Returns the number of the first child of `node` that is an inner node, or nodeCount if there is none. The
// inner nodes below `node` have consecutive numbers, beginning with that child.
function firstInner(boxes: usize, node: u32, nodeCount: u32): u32 {
  let first = nodeCount;
  for (let lane: usize = 0; lane < 16; lane += 4)
    first = min(first, load<u32>(boxes + <usize>node * SelfBoxes.SIZE + lane, SelfBoxes.child));
  return first;
}

// Returns the number of the last inner node below `node`, plus 1, or 0 if there is none. Descends into the
// last child that has inner nodes below it, since that child's subtree contains the last inner node.
function endOf(boxes: usize, node: u32, nodeCount: u32): u32 {
  let end: u32 = 0;
  for (let parent = node; parent < nodeCount; ) {
    const children = boxes + <usize>parent * SelfBoxes.SIZE;
    parent = nodeCount;
    for (let lane: usize = 0; lane < 16; lane += 4) {
      const child = load<u32>(children + lane, SelfBoxes.child);
      if (child >= nodeCount) continue;
      end = max(end, child + 1);
      if (firstInner(boxes, child, nodeCount) < nodeCount) parent = child;
    }
  }
  return end;
}
