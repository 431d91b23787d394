// Writes the final nodes and leaves of a tree from the shapes of its subtrees. The shape of a subtree lists the
// children of each node and the triangles of each leaf. Then computes all boxes while the nodes and leaves are
// still in the cache.
import {
  CORNERS_BYTES,
  CORNERS_SLOT,
  FillJob,
  LEAF_BIT,
  Leaf,
  MeshRecord,
  NOTHING,
  Node,
  RefitRange,
  Subtree,
} from '../records';
import { refitRange } from './refitTree';

function placeSubtree(mesh: usize, subtree: usize, corners: usize): void {
  const nodes: usize = load<u32>(mesh, MeshRecord.nodesAt);
  const root = load<u32>(subtree, Subtree.root);
  const nodesFrom = load<u32>(subtree, Subtree.nodesFrom);
  const leavesFrom = load<u32>(subtree, Subtree.leavesFrom);
  const first = load<u32>(subtree, Subtree.begin);
  const count = load<u32>(subtree, Subtree.end) - first;
  const leafShapes = <usize>load<u32>(subtree, Subtree.shapesAt) + <usize>first * 32;
  const nodeShapes = leafShapes + <usize>count * 16;
  const nodeCount = load<u32>(subtree, Subtree.nodeCount);
  for (let i: u32 = 0; i < nodeCount; i++) {
    const number = i == 0 ? root : nodesFrom + i - 1;
    const node = nodes + <usize>number * Node.SIZE;
    for (let lane: u32 = 0; lane < 4; lane++) {
      const to = node + ((<usize>lane) << 2);
      const child = load<u32>(nodeShapes + ((<usize>i) << 4) + ((<usize>lane) << 2));
      if (child == NOTHING) {
        store<u32>(to, NOTHING, Node.child);
        store<f32>(to, 0, Node.centerX);
        store<f32>(to, 0, Node.centerY);
        store<f32>(to, 0, Node.centerZ);
        store<f32>(to, -Infinity, Node.halfX);
        store<f32>(to, -Infinity, Node.halfY);
        store<f32>(to, -Infinity, Node.halfZ);
      } else if (child & LEAF_BIT) {
        store<u32>(to, child + leavesFrom, Node.child);
        store<u32>(
          corners + <usize>((child & ~LEAF_BIT) + leavesFrom) * CORNERS_BYTES,
          (number << 2) | lane,
          CORNERS_SLOT,
        );
      } else {
        store<u32>(to, nodesFrom + child - 1, Node.child);
        store<u32>(nodes + <usize>(nodesFrom + child - 1) * Node.SIZE, (number << 2) | lane, Node.parent);
      }
    }
  }
  placeLeaves(mesh, leafShapes, leavesFrom, load<u32>(subtree, Subtree.leafCount), corners);
}

function listCorners(to: usize, index: usize): void {
  store<u32>(to, load<u32>(index) * 12);
  store<u32>(to, load<u32>(index, 4) * 12, 16);
  store<u32>(to, load<u32>(index, 8) * 12, 32);
}

// Writes the triangle numbers of the leaves and the byte offsets of their vertices. In unused lanes, the
// triangle number is NOTHING, and the offsets repeat lane 0.
function placeLeaves(mesh: usize, shapes: usize, from: u32, count: u32, corners: usize): void {
  const indices: usize = load<u32>(mesh, MeshRecord.indicesAt);
  let leaf = <usize>load<u32>(mesh, MeshRecord.leavesAt) + <usize>from * Leaf.SIZE;
  let to = corners + <usize>from * CORNERS_BYTES;
  for (let i: u32 = 0; i < count; i++, leaf += Leaf.SIZE, to += CORNERS_BYTES) {
    const ids = v128.load(shapes + ((<usize>i) << 4));
    v128.store(leaf, ids, Leaf.id);
    const triangles = v128.bitselect(
      i32x4.splat(i32x4.extract_lane(ids, 0)),
      ids,
      i32x4.eq(ids, i32x4.splat(NOTHING)),
    );
    listCorners(to, indices + <usize>i32x4.extract_lane(triangles, 0) * 12);
    listCorners(to + 4, indices + <usize>i32x4.extract_lane(triangles, 1) * 12);
    listCorners(to + 8, indices + <usize>i32x4.extract_lane(triangles, 2) * 12);
    listCorners(to + 12, indices + <usize>i32x4.extract_lane(triangles, 3) * 12);
  }
}

export function fillTree(jobAt: usize, begin: u32, end: u32): void {
  const mesh: usize = load<u32>(jobAt, FillJob.meshAt);
  const corners: usize = load<u32>(jobAt, FillJob.cornersAt);
  const order: usize = load<u32>(jobAt, FillJob.orderAt);
  const lists: usize = load<u32>(jobAt, FillJob.listsAt);
  const last = load<u32>(lists + ((<usize>end) << 2));
  for (let i = load<u32>(lists + ((<usize>begin) << 2)); i < last; i++) {
    const number = <usize>load<u32>(order + ((<usize>i) << 2));
    placeSubtree(mesh, <usize>load<u32>(jobAt, FillJob.subtreesAt) + number * Subtree.SIZE, corners);
    refitRange(mesh, corners, <usize>load<u32>(jobAt, FillJob.rangesAt) + number * RefitRange.SIZE);
  }
}
