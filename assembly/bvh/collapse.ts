// Collapses a binary tree to the 4-wide tree with the same leaves whose node areas have the smallest sum. For
// each binary node, dynamic programming finds the cheapest ways to cover the leaves below the node with a
// forest of at most 1, 2, 3 or 4 trees. The result is a shape: the children of each node and the triangle
// numbers of each leaf. Nodes with the same parent are adjacent, and these groups of nodes are in depth-first
// order. The first lanes of a node hold the children that are leaves.
import { BinaryNode, BuildRecord, LEAF_BIT, NOTHING, Subtree } from '../records';

const ENTRY_BYTES: usize = 16;

function nodeAt(tree: usize, index: u32): usize {
  return tree + <usize>index * BinaryNode.SIZE;
}

function minCost(a: f32, b: f32): f32 {
  return a < b ? a : b;
}

/**
 * Computes cost1 to cost4 of all inner nodes: costN is the minimum cost of a forest of at most N trees that
 * covers the leaves below the node. On entry, cost1 of an inner node is its area, and all four costs of a leaf
 * are zero.
 */
export function computeForestCosts(tree: usize, count: u32): void {
  for (let i = count; i > 0; i--) {
    const node = nodeAt(tree, i - 1);
    const right = load<u32>(node, BinaryNode.right);
    if (right == 0) continue;
    const l = node + BinaryNode.SIZE;
    const r = nodeAt(tree, right);
    const l1 = load<f32>(l, BinaryNode.cost1);
    const l2 = load<f32>(l, BinaryNode.cost2);
    const l3 = load<f32>(l, BinaryNode.cost3);
    const r1 = load<f32>(r, BinaryNode.cost1);
    const r2 = load<f32>(r, BinaryNode.cost2);
    const r3 = load<f32>(r, BinaryNode.cost3);
    const two = l1 + r1;
    const three = minCost(two, minCost(l1 + r2, l2 + r1));
    const four = minCost(three, minCost(l1 + r3, minCost(l2 + r2, l3 + r1)));
    store<f32>(node, load<f32>(node, BinaryNode.cost1) + four, BinaryNode.cost1);
    store<f32>(node, two, BinaryNode.cost2);
    store<f32>(node, three, BinaryNode.cost3);
    store<f32>(node, four, BinaryNode.cost4);
  }
}

function isLeaf(tree: usize, index: u32): bool {
  return load<u32>(nodeAt(tree, index), BinaryNode.right) == 0;
}

// Moves the leaves among the nodes from `at` up to `last` to the front, keeps their order, and returns their
// count.
function moveLeavesToFront(tree: usize, at: usize, last: usize): u32 {
  let front = at;
  for (let from = at; from < last; from += 4) {
    const index = load<u32>(from);
    if (!isLeaf(tree, index)) continue;
    for (let to = from; to > front; to -= 4) store<u32>(to, load<u32>(to - 4));
    store<u32>(front, index);
    front += 4;
  }
  return <u32>((front - at) >> 2);
}

// Writes the roots of the cheapest forest of at most `maxRoots` trees that covers the leaves below node
// `index`. Returns the end of the list.
function listForest(tree: usize, index: u32, maxRoots: u32, to: usize): usize {
  const node = nodeAt(tree, index);
  const right = load<u32>(node, BinaryNode.right);
  if (maxRoots == 1 || right == 0) {
    store<u32>(to, index);
    return to + 4;
  }
  const l = node + BinaryNode.SIZE;
  const r = nodeAt(tree, right);
  let roots = maxRoots;
  if (roots == 4 && !(load<f32>(node, BinaryNode.cost4) < load<f32>(node, BinaryNode.cost3))) roots = 3;
  if (roots == 3 && !(load<f32>(node, BinaryNode.cost3) < load<f32>(node, BinaryNode.cost2))) roots = 2;
  const l1 = load<f32>(l, BinaryNode.cost1);
  const l2 = load<f32>(l, BinaryNode.cost2);
  const l3 = load<f32>(l, BinaryNode.cost3);
  const r1 = load<f32>(r, BinaryNode.cost1);
  const r2 = load<f32>(r, BinaryNode.cost2);
  const r3 = load<f32>(r, BinaryNode.cost3);
  let left: u32 = 1;
  if (roots == 3) left = l2 + r1 < l1 + r2 ? 2 : 1;
  if (roots == 4) {
    left = l2 + r2 < l1 + r3 ? 2 : 1;
    if (l3 + r1 < minCost(l1 + r3, l2 + r2)) left = 3;
  }
  return listForest(tree, right, roots - left, listForest(tree, index + 1, left, to));
}

/**
 * Writes the shape of the 4-wide tree of a subtree: leaf shapes to `leaves`, node shapes to `nodes`, counts
 * and depth to the Subtree record. `stack` has 16 bytes for each of 3 * (binary depth) + 4 entries.
 */
export function collapseTree(
  tree: usize,
  records: usize,
  subtree: usize,
  leaves: usize,
  nodes: usize,
  stack: usize,
): void {
  let nodeCount: u32 = 1;
  let leafCount: u32 = 0;
  let maxDepth: u32 = 1;
  let top = stack + ENTRY_BYTES;
  store<u32>(top, 0);
  store<u32>(top, 0, 4);
  store<u32>(top, 1, 8);
  top += ENTRY_BYTES;
  while (top > stack + ENTRY_BYTES) {
    top -= ENTRY_BYTES;
    const shape = nodes + ((<usize>load<u32>(top, 4)) << 4);
    const depth = load<u32>(top, 8);
    maxDepth = max(maxDepth, depth);
    // The first entry of the stack holds the list of the node's children.
    const last = listForest(tree, load<u32>(top), 4, stack);
    const leafLanes = moveLeavesToFront(tree, stack, last);
    const childCount = <u32>((last - stack) >> 2);
    for (let lane: u32 = 0; lane < 4; lane++) {
      let handle = NOTHING;
      if (lane < leafLanes) {
        const leaf = nodeAt(tree, load<u32>(stack + ((<usize>lane) << 2)));
        shapeLeaf(
          leaves + ((<usize>leafCount) << 4),
          records,
          load<u32>(leaf, BinaryNode.first),
          load<u32>(leaf, BinaryNode.count),
        );
        handle = LEAF_BIT | leafCount++;
      } else if (lane < childCount) handle = nodeCount++;
      store<u32>(shape + ((<usize>lane) << 2), handle);
    }
    let number = nodeCount;
    for (let lane = childCount; lane > leafLanes; lane--) {
      store<u32>(top, load<u32>(stack + ((<usize>lane) << 2) - 4));
      store<u32>(top, --number, 4);
      store<u32>(top, depth + 1, 8);
      top += ENTRY_BYTES;
    }
  }
  store<u32>(subtree, nodeCount, Subtree.nodeCount);
  store<u32>(subtree, leafCount, Subtree.leafCount);
  store<u32>(subtree, maxDepth, Subtree.nodeDepth);
}

/** Writes the shape of a leaf: the triangle numbers of 1 to 4 records, NOTHING in the other lanes. */
export function shapeLeaf(to: usize, records: usize, first: u32, count: u32): void {
  for (let lane: u32 = 0; lane < 4; lane++) {
    const id =
      lane < count ? load<u32>(records + <usize>(first + lane) * BuildRecord.SIZE, BuildRecord.id) : NOTHING;
    store<u32>(to + ((<usize>lane) << 2), id);
  }
}
