// Assigns the final numbers of all nodes and leaves of a 4-wide tree whose subtrees were built separately.
// The inputs are the sizes of the subtrees and the binary tree above the subtrees. The numbers are in
// depth-first order; siblings are adjacent, and leaves are in the first lanes of a node. Also lists the
// 4-wide nodes above the subtrees.
import { limits } from '../records/layout.js';
import { isTopSplit, type SubtreeRange, type Top } from './plan.js';

/** Size of the subtree that was built over a range. A nodeCount of 0 means a single leaf. */
export interface SubtreeSize {
  nodeCount: number;
  leafCount: number;
  nodeDepth: number;
}

/**
 * root: number of a subtree's root node; for a single leaf, the number of the node above the leaf. nodesFrom:
 * first number of the subtree's other nodes. leavesFrom: first number of its leaves. parent: slot of the root
 * in its parent node (node number * 4 + lane), or NOTHING for the root of the whole tree and for a single leaf.
 */
export interface SubtreeNumbers {
  root: number;
  nodesFrom: number;
  leavesFrom: number;
  parent: number;
}

export interface TopNode {
  number: number;
  parent: number;
  children: number[];
}

export interface NodeNumbers {
  subtreeNumbers: Map<SubtreeRange, SubtreeNumbers>;
  topNodes: TopNode[];
  nodeCount: number;
  leafCount: number;
  depth: number;
}

// Expands a split into up to four children; the most expensive splits are expanded first.
function collapseSplit(top: Top): Top[] {
  const children: Top[] = isTopSplit(top) ? [top.left, top.right] : [top];
  while (children.length < limits.WIDTH) {
    let heaviest = -1;
    children.forEach((child, i) => {
      const other = children[heaviest];
      if (isTopSplit(child) && (other === undefined || child.weight > (isTopSplit(other) ? other.weight : 0)))
        heaviest = i;
    });
    const split = children[heaviest];
    if (split === undefined || !isTopSplit(split)) break;
    children.splice(heaviest, 1, split.left, split.right);
  }
  return children;
}

/** Numbers all nodes and leaves. @param root undefined for a mesh without triangles */
export function numberNodes(
  root: Top | undefined,
  subtreeSizes: Map<SubtreeRange, SubtreeSize>,
): NodeNumbers {
  const subtreeNumbers = new Map<SubtreeRange, SubtreeNumbers>();
  const topNodes: TopNode[] = [];
  let nodeCount = 1;
  let leafCount = 0;
  let depth = 1;
  const isLeaf = (top: Top) => !isTopSplit(top) && subtreeSizes.get(top)!.nodeCount === 0;

  function numberSubtree(range: SubtreeRange, number: number, parent: number, level: number): void {
    const { nodeCount: nodes, leafCount: leaves, nodeDepth } = subtreeSizes.get(range)!;
    subtreeNumbers.set(range, { root: number, nodesFrom: nodeCount, leavesFrom: leafCount, parent });
    nodeCount += nodes - 1;
    leafCount += leaves;
    depth = Math.max(depth, level - 1 + nodeDepth);
  }

  function numberSplit(unsorted: Top[], number: number, parent: number, level: number): void {
    depth = Math.max(depth, level);
    const members = [...unsorted.filter(isLeaf), ...unsorted.filter(top => !isLeaf(top))];
    const children = members.map(member => {
      if (!isLeaf(member)) return nodeCount++;
      subtreeNumbers.set(member as SubtreeRange, {
        root: number,
        nodesFrom: number,
        leavesFrom: leafCount,
        parent: limits.NOTHING,
      });
      return limits.LEAF_BIT + leafCount++;
    });
    topNodes.push({ number, parent, children });
    members.forEach((member, lane) => {
      if (isLeaf(member)) return;
      const slot = number * limits.WIDTH + lane;
      if (isTopSplit(member)) numberSplit(collapseSplit(member), children[lane], slot, level + 1);
      else numberSubtree(member, children[lane], slot, level + 1);
    });
  }

  if (root === undefined) numberSplit([], 0, limits.NOTHING, 1);
  else if (isTopSplit(root) || isLeaf(root)) numberSplit(collapseSplit(root), 0, limits.NOTHING, 1);
  else numberSubtree(root, 0, limits.NOTHING, 1);
  return { subtreeNumbers, topNodes, nodeCount, leafCount, depth };
}
