// A tree's shape and its mesh's indices -> children of SelfBoxes, the vertices of each leaf, and the leaves of each vertex.
import { bits } from '../lanes';
import { Leaf, LEAF_BIT, LeafVertices, MeshRecord, Node, NOTHING, SelfBoxes, SelfTree, TWO_CHILDREN } from '../layout';
import { shared16 } from '../sharedVertices';

/** The slice is ignored: one thread lists all. */
export function listVertices(tree: usize, begin: u32, end: u32): void {
  listNodes(tree);
  const vertexCount = load<u32>(load<u32>(tree, SelfTree.meshAt), MeshRecord.vertexCount);
  countLeaves(tree, vertexCount);
  listLeaves(tree);
}

function listNodes(tree: usize): void {
  const mesh: usize = load<u32>(tree, SelfTree.meshAt), nodeCount = load<u32>(mesh, MeshRecord.nodeCount);
  const vertices: usize = load<u32>(tree, SelfTree.verticesAt);
  let node: usize = load<u32>(mesh, MeshRecord.nodesAt), record: usize = load<u32>(tree, SelfTree.boxesAt);
  for (let i: u32 = 0; i < nodeCount; i++, node += Node.SIZE, record += SelfBoxes.SIZE) {
    let ownPairs: u32 = 0;
    for (let lane: u32 = 0; lane < 4; lane++) {
      const handle = load<u32>(node + (<usize>lane << 2), Node.child);
      const isLeaf = handle >= LEAF_BIT && handle != NOTHING;
      store<u32>(record + (<usize>lane << 2), isLeaf ? nodeCount + (handle & ~LEAF_BIT) : handle, SelfBoxes.child);
      if (isLeaf && fillLeaf(tree, mesh, handle & ~LEAF_BIT, nodeCount, vertices)) ownPairs |= 1 << lane;
    }
    store<u32>(record, ownPairs, SelfBoxes.ownPairs);
  }
}

// Returns whether two of the leaf's triangles share no vertex.
function fillLeaf(tree: usize, mesh: usize, leaf: u32, nodeCount: u32, vertices: usize): bool {
  const ids = v128.load(<usize>load<u32>(mesh, MeshRecord.leavesAt) + <usize>leaf * Leaf.SIZE, Leaf.id);
  const numbers: usize = load<u32>(tree, SelfTree.numbersAt), to = vertices + <usize>leaf * LeafVertices.SIZE;
  v128.store(<usize>load<u32>(tree, SelfTree.boxesAt) + <usize>(nodeCount + leaf) * SelfBoxes.SIZE, ids, SelfBoxes.child);
  fillTriangle(mesh, numbers, i32x4.extract_lane(ids, 0), to);
  fillTriangle(mesh, numbers, i32x4.extract_lane(ids, 1), to + 4);
  fillTriangle(mesh, numbers, i32x4.extract_lane(ids, 2), to + 8);
  fillTriangle(mesh, numbers, i32x4.extract_lane(ids, 3), to + 12);
  const used = ~bits(i32x4.eq(ids, i32x4.splat(NOTHING))) & 15;
  return (~shared16(to, to) & <i32>TWO_CHILDREN & lanesOfBoth(used)) != 0;
}

// Bits 4 j + i where bits i and j are set.
// @ts-ignore: decorator
@inline function lanesOfBoth(used: i32): i32 {
  return used * ((used & 1) | ((used & 2) << 3) | ((used & 4) << 6) | ((used & 8) << 9));
}

function fillTriangle(mesh: usize, numbers: usize, triangle: u32, to: usize): void {
  if (triangle == NOTHING) {
    store<u32>(to, NOTHING, LeafVertices.first);
    store<u32>(to, NOTHING, LeafVertices.second);
    store<u32>(to, NOTHING, LeafVertices.third);
    return;
  }
  const indices = <usize>load<u32>(mesh, MeshRecord.indicesAt) + <usize>triangle * 12;
  store<u32>(to, numberOf(numbers, load<u32>(indices)), LeafVertices.first);
  store<u32>(to, numberOf(numbers, load<u32>(indices, 4)), LeafVertices.second);
  store<u32>(to, numberOf(numbers, load<u32>(indices, 8)), LeafVertices.third);
}

// @ts-ignore: decorator
@inline function numberOf(numbers: usize, vertex: u32): u32 {
  return numbers == 0 ? vertex : load<u32>(numbers + (<usize>vertex << 2));
}

// Starts: where the list of each vertex begins, with room for each of its triangles' corners.
function countLeaves(tree: usize, vertexCount: u32): void {
  const starts: usize = load<u32>(tree, SelfTree.startsAt), ends: usize = load<u32>(tree, SelfTree.endsAt);
  const from: usize = load<u32>(tree, SelfTree.verticesAt), wordCount = wordsOf(tree);
  memory.fill(starts, 0, <usize>vertexCount << 2);
  for (let at = from; at < from + (<usize>wordCount << 2); at += 4) {
    const number = load<u32>(at);
    if (number != NOTHING) { const start = starts + (<usize>number << 2); store<u32>(start, load<u32>(start) + 1); }
  }
  let sum: u32 = 0;
  for (let vertex: usize = 0; vertex < <usize>vertexCount << 2; vertex += 4) {
    const count = load<u32>(starts + vertex);
    store<u32>(starts + vertex, sum);
    store<u32>(ends + vertex, sum);
    sum += count;
  }
}

// @ts-ignore: decorator
@inline function wordsOf(tree: usize): u32 {
  return load<u32>(load<u32>(tree, SelfTree.meshAt), MeshRecord.leafCount) * <u32>(LeafVertices.SIZE >> 2);
}

// Each leaf once in the list of each of its vertices, in rising order.
function listLeaves(tree: usize): void {
  const starts: usize = load<u32>(tree, SelfTree.startsAt), ends: usize = load<u32>(tree, SelfTree.endsAt);
  const entries: usize = load<u32>(tree, SelfTree.entriesAt), from: usize = load<u32>(tree, SelfTree.verticesAt), wordCount = wordsOf(tree);
  for (let i: u32 = 0; i < wordCount; i++) {
    const number = load<u32>(from + (<usize>i << 2));
    if (number == NOTHING) continue;
    const leaf = i / <u32>(LeafVertices.SIZE >> 2), end = ends + (<usize>number << 2), to = load<u32>(end);
    const isNew = to == load<u32>(starts + (<usize>number << 2)) || load<u32>(entries + (<usize>to << 2) - 4) != leaf;
    store<u32>(entries + (<usize>to << 2), leaf);
    store<u32>(end, to + <u32>isNew);
  }
}
