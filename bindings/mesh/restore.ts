// The shape of a tree from outside -> checked as hostile, then nodes and leaves in engine memory with boxes
// of our own.

import { boundReferenced, type Survey, setFrame } from '../bvh/normalise.js';
import { costOf, listRefits, refitTree, type Tree, type TreeRange } from '../bvh/tree.js';
import { InvalidMesh } from '../core/errors.js';
import { Leaf, limits, MeshRecord, Node } from '../records/layout.js';
import type { Backend } from '../runtime/backend.js';
import { Blocks } from '../runtime/blocks.js';

const { CORNERS_BYTES, CORNERS_SLOT, LEAF_BIT, NOTHING, STACK_DEPTH, WIDTH } = limits;
/** Nodes of the largest range that one thread refits together. */
const RANGE_NODES = 1024;
const FIX = 'serialize the mesh again';

/** What a check of the shape finds out: where each node's subtree ends, its parent slot, and the depth. */
interface Shape {
  ends: Uint32Array;
  parents: Uint32Array;
  depth: number;
}

const refuse = (what: string): never => {
  throw new InvalidMesh(`the stored tree ${what}`, FIX);
};

/** @throws InvalidMesh naming the offence; Capacity. Nothing is kept then. */
export function restoreTree(
  backend: Backend,
  meshAt: number,
  survey: Survey,
  children: Uint32Array,
  triangles: Uint32Array,
): Tree {
  const { arena } = backend;
  const nodeCount = children.length / WIDTH;
  const leafCount = triangles.length / WIDTH;
  const shape = checkNodes(children, leafCount);
  checkLeaves(triangles, arena.u32[(meshAt + MeshRecord.at.triangleCount) / 4]);
  const kept = new Blocks(arena);
  try {
    const nodesAt = kept.take(nodeCount * Node.size);
    const leavesAt = kept.take(leafCount * Leaf.size);
    arena.u32.set(
      [nodesAt, nodeCount, leavesAt, leafCount, shape.depth],
      (meshAt + MeshRecord.at.nodesAt) / 4,
    );
    const ranges = cutRanges(children, shape);
    const refits = listRefits(
      backend,
      meshAt,
      ranges,
      Float32Array.from(ranges, ({ begin, end }) => end - begin),
      listCorners(backend, meshAt, children, triangles, kept),
      kept,
    );
    writeNodes(backend, nodesAt, children, shape.parents);
    for (let leaf = 0; leaf < leafCount; leaf++) {
      arena.u32.set(
        triangles.subarray(leaf * WIDTH, leaf * WIDTH + WIDTH),
        (leavesAt + leaf * Leaf.size + Leaf.at.id) / 4,
      );
    }
    const bounds = boundReferenced(backend, meshAt);
    setFrame(backend, meshAt, bounds, survey.tiniest);
    const tree: Tree = { blocks: kept, bounds, cost: 0, ...refits };
    if (leafCount > 0) refitTree(backend, tree);
    tree.cost = costOf(backend, meshAt, tree);
    return tree;
  } catch (error) {
    kept.releaseAll();
    throw error;
  }
}

// Numbers must be just those that a walk from the root gives: then every node and leaf is there once, after
// its parent.
function checkNodes(children: Uint32Array, leafCount: number): Shape {
  const nodeCount = children.length / WIDTH;
  if (nodeCount === 0) refuse('has no node');
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
    if (node >= nodeCount) refuse(`names node ${node} of ${nodeCount}`);
    const firstChild = nextNode;
    let kind = 0;
    for (let lane = 0; lane < WIDTH; lane++) {
      const handle = children[node * WIDTH + lane];
      const laneKind = handle === NOTHING ? 2 : handle < LEAF_BIT ? 1 : 0;
      if (laneKind < kind) refuse(`has lanes of node ${node} in another order than leaves, nodes, nothing`);
      kind = laneKind;
      if (laneKind === 2) continue;
      const expected = laneKind === 0 ? LEAF_BIT + nextLeaf++ : nextNode++;
      if (handle !== expected)
        refuse(`has child ${handle} in lane ${lane} of node ${node}, where ${expected} follows`);
      if (laneKind === 0) continue;
      if (handle >= nodeCount) refuse(`names node ${handle} of ${nodeCount}`);
      parents[handle] = node * WIDTH + lane;
      levels[handle] = levels[node] + 1;
    }
    if (children[node * WIDTH] === NOTHING && (nodeCount > 1 || leafCount > 0))
      refuse(`has node ${node} without children`);
    depth = Math.max(depth, levels[node]);
    if (depth > STACK_DEPTH) refuse(`is deeper than ${STACK_DEPTH} nodes`);
    for (let child = nextNode - 1; child >= firstChild; child--) stack.push(child);
  }
  if (nextNode !== nodeCount) refuse(`has ${nodeCount} nodes, of which ${nextNode} are reached`);
  if (nextLeaf !== leafCount) refuse(`has ${leafCount} leaves, of which ${nextLeaf} are reached`);
  for (let node = nodeCount - 1; node >= 0; node--) ends[node] = endOf(node, children, ends);
  return { ends, parents, depth };
}

// One past the last node below `node`; node + 1 may belong to a sibling, so a childless one ends at 0.
function endOf(node: number, children: Uint32Array, ends: Uint32Array): number {
  for (let lane = WIDTH - 1; lane >= 0; lane--) {
    const handle = children[node * WIDTH + lane];
    if (handle >= LEAF_BIT) continue;
    // The last sibling with descendants ends the subtree; where none has any, the siblings themselves do.
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
      if (i % WIDTH === 0) refuse(`has leaf ${i / WIDTH} without a triangle`);
      continue;
    }
    const leaf = Math.floor(i / WIDTH);
    if (i % WIDTH > 0 && triangles[i - 1] === NOTHING) refuse(`has a gap in leaf ${leaf}`);
    if (triangle >= triangleCount) refuse(`names triangle ${triangle} of ${triangleCount} in leaf ${leaf}`);
    if (isSeen[triangle]) refuse(`has triangle ${triangle} twice`);
    isSeen[triangle] = 1;
    count++;
  }
  if (count !== triangleCount) refuse(`has ${count} of ${triangleCount} triangles`);
}

// Groups of sibling subtrees that are small enough for one range; the leaves of each node above them are a
// range without nodes.
function cutRanges(children: Uint32Array, { ends }: Shape): TreeRange[] {
  const ranges: TreeRange[] = [];
  const add = (begin: number, end: number, leavesFrom: number, leavesTo: number) => {
    const leaves = children
      .subarray(leavesFrom * WIDTH, leavesTo * WIDTH)
      .filter(handle => handle >= LEAF_BIT && handle !== NOTHING);
    const firstLeaf = leaves.reduce((least, leaf) => Math.min(least, leaf), NOTHING) - LEAF_BIT;
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

// Byte offsets of the vertices of each leaf and its slot, as refitTree reads them.
function listCorners(
  { arena }: Backend,
  meshAt: number,
  children: Uint32Array,
  triangles: Uint32Array,
  kept: Blocks,
): number {
  const at = kept.take((triangles.length / WIDTH) * CORNERS_BYTES);
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

function writeNodes({ arena }: Backend, nodesAt: number, children: Uint32Array, parents: Uint32Array): void {
  const { u32, f32 } = arena;
  for (let node = 0; node < parents.length; node++) {
    const at = (nodesAt + node * Node.size) / 4;
    f32.fill(0, at, at + Node.at.halfX / 4);
    f32.fill(-Infinity, at + Node.at.halfX / 4, at + Node.at.child / 4);
    u32.set(children.subarray(node * WIDTH, node * WIDTH + WIDTH), at + Node.at.child / 4);
    u32[at + Node.at.parent / 4] = parents[node];
  }
}
