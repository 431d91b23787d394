// Restores the tree of a mesh from its stored shape: the children of each node and the triangles of each
// leaf. The shape is checked as untrusted input. The boxes are not stored; they are recomputed.

import { boundReferenced, type MeshStatistics, setFrame } from '../bvh/normalize.js';
import { planRefits, refitTree, sahCost, type Tree, type TreeRange } from '../bvh/tree.js';
import { InvalidMesh } from '../core/errors.js';
import { Leaf, limits, MeshRecord, Node } from '../records/layout.js';
import { BlockGroup } from '../runtime/blockGroup.js';
import type { EngineContext } from '../runtime/engineContext.js';

const { CORNERS_BYTES, CORNERS_SLOT, LEAF_BIT, NOTHING, STACK_DEPTH, WIDTH } = limits;
/** Max number of nodes in a range of the tree. One thread refits a range. */
const RANGE_NODES = 1024;
const FIX = 'serialize the mesh again';

/**
 * What the check of a tree's shape computes. ends: for each node, one past the last node below it; 0 if there
 * is no node below it. parents: for each node, its slot in its parent. depth: the depth of the tree.
 */
interface Shape {
  ends: Uint32Array;
  parents: Uint32Array;
  depth: number;
}

const fail = (what: string): never => {
  throw new InvalidMesh(`the stored tree ${what}`, FIX);
};

/**
 * Writes a tree of the given shape to engine memory and refits it.
 * @throws InvalidMesh naming the error in the shape; Capacity. On any error, all memory of the tree is
 * released.
 */
export function restoreTree(
  context: EngineContext,
  meshAt: number,
  statistics: MeshStatistics,
  children: Uint32Array,
  triangles: Uint32Array,
): Tree {
  const { arena } = context;
  const nodeCount = children.length / WIDTH;
  const leafCount = triangles.length / WIDTH;
  const shape = checkNodes(children, leafCount);
  checkLeaves(triangles, arena.u32[(meshAt + MeshRecord.at.triangleCount) / 4]);
  const blocks = new BlockGroup(arena);
  try {
    const nodesAt = blocks.take(nodeCount * Node.size);
    const leavesAt = blocks.take(leafCount * Leaf.size);
    arena.u32.set(
      [nodesAt, nodeCount, leavesAt, leafCount, shape.depth],
      (meshAt + MeshRecord.at.nodesAt) / 4,
    );
    const ranges = cutRanges(children, shape);
    const refits = planRefits(
      context,
      meshAt,
      ranges,
      Float32Array.from(ranges, ({ begin, end }) => end - begin),
      listCorners(context, meshAt, children, triangles, blocks),
      blocks,
    );
    writeNodes(context, nodesAt, children, shape.parents);
    for (let leaf = 0; leaf < leafCount; leaf++) {
      arena.u32.set(
        triangles.subarray(leaf * WIDTH, leaf * WIDTH + WIDTH),
        (leavesAt + leaf * Leaf.size + Leaf.at.id) / 4,
      );
    }
    const bounds = boundReferenced(context, meshAt);
    setFrame(context, meshAt, bounds, statistics.minMagnitude);
    const tree: Tree = { blocks, bounds, cost: 0, ...refits };
    if (leafCount > 0) refitTree(context, tree);
    tree.cost = sahCost(context, meshAt, tree);
    return tree;
  } catch (error) {
    blocks.releaseAll();
    throw error;
  }
}

// Checks how the nodes and leaves are numbered. The numbers must be those that a depth-first walk from the root
// assigns; when the walk visits a node, it numbers all children of this node. Each node and each leaf then
// has exactly one parent, and each node comes after its parent.
function checkNodes(children: Uint32Array, leafCount: number): Shape {
  const nodeCount = children.length / WIDTH;
  if (nodeCount === 0) fail('has no node');
  const ends = new Uint32Array(nodeCount);
  const parents = new Uint32Array(nodeCount).fill(NOTHING);
  const levels = new Uint8Array(nodeCount);
  const stack = [0];
  levels[0] = 1;
  let nextNode = 1;
  let nextLeaf = 0;
  let depth = 1;
  while (stack.length > 0) {
    const node = stack.pop()!;
    if (node >= nodeCount) fail(`refers to node ${node}, but has ${nodeCount} nodes`);
    const firstChild = nextNode;
    let kind = 0;
    for (let lane = 0; lane < WIDTH; lane++) {
      const handle = children[node * WIDTH + lane];
      const laneKind = handle === NOTHING ? 2 : handle < LEAF_BIT ? 1 : 0;
      if (laneKind < kind) fail(`has node ${node} with lanes that are not in the order leaves, nodes, empty`);
      kind = laneKind;
      if (laneKind === 2) continue;
      const expected = laneKind === 0 ? LEAF_BIT + nextLeaf++ : nextNode++;
      if (handle !== expected) fail(`has child ${handle} in lane ${lane} of node ${node}, not ${expected}`);
      if (laneKind === 0) continue;
      if (handle >= nodeCount) fail(`refers to node ${handle}, but has ${nodeCount} nodes`);
      parents[handle] = node * WIDTH + lane;
      levels[handle] = levels[node] + 1;
    }
    if (children[node * WIDTH] === NOTHING && (nodeCount > 1 || leafCount > 0))
      fail(`has node ${node} without children`);
    depth = Math.max(depth, levels[node]);
    if (depth > STACK_DEPTH) fail(`is deeper than ${STACK_DEPTH} nodes`);
    for (let child = nextNode - 1; child >= firstChild; child--) stack.push(child);
  }
  if (nextNode !== nodeCount) fail(`has ${nodeCount} nodes, but only ${nextNode} are reachable`);
  if (nextLeaf !== leafCount) fail(`has ${leafCount} leaves, but only ${nextLeaf} are reachable`);
  for (let node = nodeCount - 1; node >= 0; node--) ends[node] = endOf(node, children, ends);
  return { ends, parents, depth };
}

// Returns one past the last node below `node`, or 0 if there is no node below it.
function endOf(node: number, children: Uint32Array, ends: Uint32Array): number {
  for (let lane = WIDTH - 1; lane >= 0; lane--) {
    const handle = children[node * WIDTH + lane];
    if (handle >= LEAF_BIT) continue;
    // Children have consecutive numbers; their descendants follow. So the subtree ends with a descendant of
    // the last child that has descendants, or with the last child if no child has any.
    let end = handle + 1;
    for (let sibling = lane; sibling >= 0 && children[node * WIDTH + sibling] < LEAF_BIT; sibling--) {
      end = Math.max(end, ends[children[node * WIDTH + sibling]]);
    }
    return end;
  }
  return 0;
}

function checkLeaves(triangles: Uint32Array, triangleCount: number): void {
  const isSeen = new Uint8Array(triangleCount);
  let count = 0;
  for (let i = 0; i < triangles.length; i++) {
    const triangle = triangles[i];
    if (triangle === NOTHING) {
      if (i % WIDTH === 0) fail(`has leaf ${i / WIDTH} without a triangle`);
      continue;
    }
    const leaf = Math.floor(i / WIDTH);
    if (i % WIDTH > 0 && triangles[i - 1] === NOTHING) fail(`has a gap in leaf ${leaf}`);
    if (triangle >= triangleCount)
      fail(`refers to triangle ${triangle} in leaf ${leaf}, but the mesh has ${triangleCount} triangles`);
    if (isSeen[triangle]) fail(`contains triangle ${triangle} twice`);
    isSeen[triangle] = 1;
    count++;
  }
  if (count !== triangleCount) fail(`contains only ${count} of ${triangleCount} triangles`);
}

// Splits the tree into ranges to refit. A range holds the subtrees of all inner children of one node, with at
// most RANGE_NODES nodes in total. The leaf children of each node above these subtrees form a range of their
// own.
function cutRanges(children: Uint32Array, { ends }: Shape): TreeRange[] {
  const ranges: TreeRange[] = [];
  const add = (begin: number, end: number, leavesFrom: number, leavesTo: number) => {
    const leaves = children
      .subarray(leavesFrom * WIDTH, leavesTo * WIDTH)
      .filter(handle => handle >= LEAF_BIT && handle !== NOTHING);
    const firstLeaf = leaves.reduce((min, leaf) => Math.min(min, leaf), NOTHING) - LEAF_BIT;
    if (leaves.length > 0) ranges.push({ begin, end, firstLeaf, lastLeaf: firstLeaf + leaves.length });
  };
  const stack = [0];
  while (stack.length > 0) {
    const node = stack.pop()!;
    const inner = Array.from(children.subarray(node * WIDTH, node * WIDTH + WIDTH)).filter(
      handle => handle < LEAF_BIT,
    );
    add(0, 0, node, node + 1);
    if (inner.length === 0) continue;
    if (ends[node] - inner[0] <= RANGE_NODES) add(inner[0], ends[node], inner[0], ends[node]);
    else stack.push(...inner.reverse());
  }
  return ranges;
}

// Writes the input of refitTree: for each leaf, its slot, and the byte offsets of its vertices from the start
// of the positions. In unused lanes, the offsets repeat those of lane 0. @returns the address.
function listCorners(
  { arena }: EngineContext,
  meshAt: number,
  children: Uint32Array,
  triangles: Uint32Array,
  blocks: BlockGroup,
): number {
  const at = blocks.take((triangles.length / WIDTH) * CORNERS_BYTES);
  const { u32 } = arena;
  const indices = u32[(meshAt + MeshRecord.at.indicesAt) / 4] / 4;
  const wordsOf = (leaf: number) => (at + leaf * CORNERS_BYTES) / 4;
  for (let i = 0; i < triangles.length; i++) {
    const lane = i % WIDTH;
    const triangle = triangles[i] === NOTHING ? triangles[i - lane] : triangles[i];
    const to = wordsOf((i - lane) / WIDTH) + lane;
    for (let corner = 0; corner < 3; corner++)
      u32[to + corner * WIDTH] = u32[indices + triangle * 3 + corner] * 12;
  }
  children.forEach((handle, slot) => {
    if (handle >= LEAF_BIT && handle !== NOTHING) u32[wordsOf(handle - LEAF_BIT) + CORNERS_SLOT / 4] = slot;
  });
  return at;
}

function writeNodes(
  { arena }: EngineContext,
  nodesAt: number,
  children: Uint32Array,
  parents: Uint32Array,
): void {
  const { u32, f32 } = arena;
  for (let node = 0; node < parents.length; node++) {
    const at = (nodesAt + node * Node.size) / 4;
    f32.fill(0, at, at + Node.at.halfX / 4);
    f32.fill(-Infinity, at + Node.at.halfX / 4, at + Node.at.child / 4);
    u32.set(children.subarray(node * WIDTH, node * WIDTH + WIDTH), at + Node.at.child / 4);
    u32[at + Node.at.parent / 4] = parents[node];
  }
}
