// One front node of a mesh paired with itself -> its leaf pairs, which gather in the list's ring and are tested a chunk at a time.
import { ask, handleOf } from './access';
import { bits } from './lanes';
import { BATCH, FrontNode, LEAF_CHUNK, ListRecord, MeshRecord, PairRecord, SelfBoxes, SelfTree, TWO_CHILDREN } from './layout';
import { BATCH_B, BATCH_MASK, push, pushSwapped } from './push';
import { meet16, meet4, recordOf } from './selfBoxes';
import { touchSelfLeaves } from './touchSelfLeaves';

const FULL: usize = <usize>LEAF_CHUNK << 2;

/**
 * Two leaves meet below one node only, in two of its children: so a box with itself is a walk along all nodes below it, each of which
 * brings at most six pairs of children. Pairs of two nodes, of a leaf (named by its slot) and a node, and of two leaves wait apart. Returns
 * what the ring still holds.
 */
export function descendSelf(list: usize, pair: usize, pairIndex: u32, table: usize, front: usize, leafCount: u32): u32 {
  const tree: usize = load<u32>(pair, PairRecord.selfTreeAt), boxes: usize = load<u32>(tree, SelfTree.boxesAt);
  const nodeCount = load<u32>(load<u32>(tree, SelfTree.meshAt), MeshRecord.nodeCount);
  const nodesBase: usize = load<u32>(list, ListRecord.nodesAt), nodesStride: usize = load<u32>(list, ListRecord.nodesStride);
  const mixedBase: usize = load<u32>(list, ListRecord.mixedAAt), mixedStride: usize = load<u32>(list, ListRecord.mixedStride);
  const leavesBase: usize = load<u32>(list, ListRecord.leavesAt), leavesStride: usize = load<u32>(list, ListRecord.leavesStride);
  const batch: usize = load<u32>(list, ListRecord.batchAt);
  let nodes = nodesBase, mixed = mixedBase, leaves = leavesBase + (<usize>leafCount << 2);
  let boxTests: u32 = 0, leafPairs: u32 = 0, next: u32 = 0, last: u32 = 0, restFrom: u32 = 0, restTo: u32 = 0;

  const slotA = load<u32>(front, FrontNode.slotA), slotB = load<u32>(front, FrontNode.slotB);
  const treeNodes: usize = load<u32>(pair, PairRecord.nodesA);
  const a = recordOf(pair, handleOf(treeNodes, slotA)), b = recordOf(pair, handleOf(treeNodes, slotB));
  if (a >= nodeCount && b >= nodeCount) {
    leaves = push(table, 1, leaves, leavesStride, i32x4.splat(a), b);
    leafPairs++;
  } else if (a == b) {
    next = a; last = a + 1;
    restFrom = firstInner(boxes, a, nodeCount);
    restTo = endOf(boxes, a, nodeCount);
  } else if (a >= nodeCount) mixed = push(table, 1, mixed, mixedStride, i32x4.splat(slotA), b);
  else if (b >= nodeCount) mixed = push(table, 1, mixed, mixedStride, i32x4.splat(slotB), a);
  else nodes = push(table, 1, nodes, nodesStride, i32x4.splat(a), b);

  for (;;) {
    if (leaves - leavesBase >= FULL) {
      touchSelfLeaves(list, pair, pairIndex, table, <u32>((leaves - leavesBase) >> 2));
      leaves = leavesBase;
    }
    if (nodes > nodesBase && mixed - mixedBase < FULL) {
      const count = min(nodes - nodesBase, <usize>BATCH << 2);
      nodes -= count;
      let asked: u32 = 0;
      for (let k: usize = 0; k < count; k += 4) {
        asked |= ask(boxes + <usize>load<u32>(nodes + k) * SelfBoxes.SIZE, SelfBoxes.SIZE) | ask(boxes + <usize>load<u32>(nodes + nodesStride + k) * SelfBoxes.SIZE, SelfBoxes.SIZE);
      }
      store<u32>(batch, asked);
      for (let k: usize = 0; k < count; k += 4) {
        const a = load<u32>(nodes + k), b = load<u32>(nodes + nodesStride + k);
        store<u32>(batch + k, a);
        store<u32>(batch + k, b, BATCH_B);
        const mask = meet16(boxes + <usize>a * SelfBoxes.SIZE, boxes + <usize>b * SelfBoxes.SIZE);
        store<u32>(batch + k, a == b ? mask & <i32>TWO_CHILDREN : mask, BATCH_MASK);
      }
      boxTests += <u32>count << 2;
      for (let k: usize = 0; k < count; k += 4) {
        const mask = load<i32>(batch + k, BATCH_MASK);
        if (mask == 0) continue;
        const a = load<u32>(batch + k), b = load<u32>(batch + k, BATCH_B), nodeB = boxes + <usize>b * SelfBoxes.SIZE;
        const childA = v128.load(boxes + <usize>a * SelfBoxes.SIZE, SelfBoxes.child), slotsA = i32x4.add(i32x4.splat(a << 2), i32x4(0, 1, 2, 3));
        const leafBits = bits(i32x4.ge_u(childA, i32x4.splat(nodeCount)));
        for (let j: u32 = 0; j < 4; j++) {
          const hit = (mask >> (j << 2)) & 15;
          if (hit == 0) continue;
          const childB = load<u32>(nodeB + (<usize>j << 2), SelfBoxes.child);
          if (childB >= nodeCount) {
            leaves = push(table, hit & leafBits, leaves, leavesStride, childA, childB);
            mixed = pushSwapped(table, hit & ~leafBits, mixed, mixedStride, (b << 2) + j, childA);
            leafPairs += popcnt(hit & leafBits);
          } else {
            nodes = push(table, hit & ~leafBits, nodes, nodesStride, childA, childB);
            mixed = push(table, hit & leafBits, mixed, mixedStride, slotsA, childB);
          }
        }
        if (leaves - leavesBase >= FULL) {
          touchSelfLeaves(list, pair, pairIndex, table, <u32>((leaves - leavesBase) >> 2));
          leaves = leavesBase;
        }
      }
    } else if (mixed > mixedBase) {
      const count = min(mixed - mixedBase, <usize>BATCH << 2);
      mixed -= count;
      for (let k: usize = 0; k < count; k += 4) {
        const slot = load<u32>(mixed + k), b = load<u32>(mixed + mixedStride + k);
        store<u32>(batch + k, slot);
        store<u32>(batch + k, b, BATCH_B);
        store<u32>(batch + k, meet4(boxes + <usize>b * SelfBoxes.SIZE, laneOf(boxes, slot)), BATCH_MASK);
      }
      boxTests += <u32>count;
      for (let k: usize = 0; k < count; k += 4) {
        const slot = load<u32>(batch + k), hit = load<i32>(batch + k, BATCH_MASK);
        const childB = v128.load(boxes + <usize>load<u32>(batch + k, BATCH_B) * SelfBoxes.SIZE, SelfBoxes.child);
        const leafBits = bits(i32x4.ge_u(childB, i32x4.splat(nodeCount)));
        mixed = pushSwapped(table, hit & ~leafBits, mixed, mixedStride, slot, childB);
        leaves = pushSwapped(table, hit & leafBits, leaves, leavesStride, load<u32>(laneOf(boxes, slot), SelfBoxes.child), childB);
        leafPairs += popcnt(hit & leafBits);
        if (leaves - leavesBase >= FULL) {
          touchSelfLeaves(list, pair, pairIndex, table, <u32>((leaves - leavesBase) >> 2));
          leaves = leavesBase;
        }
      }
    } else if (next < last) {
      for (const end = min(last, next + BATCH); next < end; next++) {
        const record = boxes + <usize>next * SelfBoxes.SIZE, own = load<i32>(record, SelfBoxes.ownPairs);
        nodes = push(table, 1, nodes, nodesStride, i32x4.splat(next), next);
        // Triangles of one leaf.
        const pack = v128.load(table + (<usize>own << 4)), both = i8x16.swizzle(v128.load(record, SelfBoxes.child), pack);
        v128.store(leaves, both);
        v128.store(leaves + leavesStride, both);
        leaves += <usize>popcnt(own) << 2;
        leafPairs += popcnt(own);
        if (leaves - leavesBase >= FULL) {
          touchSelfLeaves(list, pair, pairIndex, table, <u32>((leaves - leavesBase) >> 2));
          leaves = leavesBase;
        }
      }
    } else if (restFrom < restTo) {
      next = restFrom; last = restTo;
      restFrom = restTo;
    } else break;
  }
  store<u32>(front, boxTests, FrontNode.boxTests);
  store<u32>(front, leafPairs, FrontNode.leafPairs);
  return <u32>((leaves - leavesBase) >> 2);
}

// @ts-ignore: decorator
@inline function laneOf(boxes: usize, slot: u32): usize {
  return boxes + <usize>(slot >> 2) * SelfBoxes.SIZE + (<usize>(slot & 3) << 2);
}

// The first child that is a node: all below a node follow from there in order. nodeCount: there is none.
function firstInner(boxes: usize, node: u32, nodeCount: u32): u32 {
  let first = nodeCount;
  for (let lane: usize = 0; lane < 16; lane += 4) first = min(first, load<u32>(boxes + <usize>node * SelfBoxes.SIZE + lane, SelfBoxes.child));
  return first;
}

// One past the last node below `node`; 0 where there is none. The last of its children that has some below it ends with them.
function endOf(boxes: usize, node: u32, nodeCount: u32): u32 {
  let end: u32 = 0;
  for (let parent = node; parent < nodeCount;) {
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
