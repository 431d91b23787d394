// Fills the SelfBoxes of a tree that was built or refitted. A SelfBoxes record holds the min and max corners of
// four boxes: the boxes of a node's children or of a leaf's triangles.

import { Leaf, MeshRecord, NOTHING, Node, SelfBoxes, SelfTree } from '../records';
import { abs, add, load4, max4, min4, mul, splat, splatAt, sub } from '../simd/lanes';

/**
 * A leaf's corners are stored relative to the first corner of the leaf. This factor, 4 * 2^-24, covers three
 * roundings: when a corner is made relative, when the first corner is added again, and when a side of the box
 * is moved outward by the margin. Each of them has an error of at most 2^-24, relative to the operands.
 */
const LOCAL_SLACK: f32 = 2.384185791015625e-7;

/** Runs the slices from `begin` to end - 1. Slice i writes an equal share of the nodes and of the leaves. */
export function fillBoxes(tree: usize, begin: u32, end: u32): void {
  const mesh: usize = load<u32>(tree, SelfTree.meshAt);
  const sliceCount: u64 = load<u32>(tree, SelfTree.sliceCount);
  const nodeCount: u64 = load<u32>(mesh, MeshRecord.nodeCount);
  const leafCount: u64 = load<u32>(mesh, MeshRecord.leafCount);
  const boxes: usize = load<u32>(tree, SelfTree.boxesAt);
  // Each side of a box is moved outward by a slack of four times the error of stored coordinates. The slack is
  // 0 if all coordinates are stored exactly, as for most meshes near the origin. For most other meshes, it is
  // 2^-23: the distance between neighboring float32 values from 1 to 2.
  const slack = splat(4 * load<f32>(mesh, MeshRecord.storedError));
  fillNodes(
    load<u32>(mesh, MeshRecord.nodesAt),
    boxes,
    <usize>((<u64>begin * nodeCount) / sliceCount),
    <usize>((<u64>end * nodeCount) / sliceCount),
    slack,
  );
  fillLeaves(
    load<u32>(mesh, MeshRecord.leavesAt),
    boxes + <usize>nodeCount * SelfBoxes.SIZE,
    <usize>((<u64>begin * leafCount) / sliceCount),
    <usize>((<u64>end * leafCount) / sliceCount),
    slack,
  );
}

function fillNodes(nodes: usize, boxes: usize, first: usize, last: usize, slack: v128): void {
  let to = boxes + first * SelfBoxes.SIZE;
  for (
    let node = nodes + first * Node.SIZE, end = nodes + last * Node.SIZE;
    node < end;
    node += Node.SIZE, to += SelfBoxes.SIZE
  ) {
    const x = load4(node, Node.centerX);
    const y = load4(node, Node.centerY);
    const z = load4(node, Node.centerZ);
    const hx = load4(node, Node.halfX);
    const hy = load4(node, Node.halfY);
    const hz = load4(node, Node.halfZ);
    // A box is stored as its center and its half extents, which were rounded up. So the center minus the half
    // extents, computed exactly, is at most the box's low corner. This corner is a float and rounding is
    // monotone, so the rounded difference is at most the low corner, too. Correspondingly, the rounded sum is
    // at least the high corner.
    v128.store(to, sub(sub(x, hx), slack), SelfBoxes.lowX);
    v128.store(to, sub(sub(y, hy), slack), SelfBoxes.lowY);
    v128.store(to, sub(sub(z, hz), slack), SelfBoxes.lowZ);
    v128.store(to, add(add(x, hx), slack), SelfBoxes.highX);
    v128.store(to, add(add(y, hy), slack), SelfBoxes.highY);
    v128.store(to, add(add(z, hz), slack), SelfBoxes.highZ);
  }
}

function fillLeaves(leaves: usize, boxes: usize, first: usize, last: usize, slack: v128): void {
  let to = boxes + first * SelfBoxes.SIZE;
  for (
    let leaf = leaves + first * Leaf.SIZE, end = leaves + last * Leaf.SIZE;
    leaf < end;
    leaf += Leaf.SIZE, to += SelfBoxes.SIZE
  ) {
    const unused = i32x4.eq(load4(leaf, Leaf.id), i32x4.splat(NOTHING));
    const size = splatAt(leaf, Leaf.size);
    fillAxis(
      to,
      unused,
      load4(leaf, Leaf.ax),
      load4(leaf, Leaf.bx),
      load4(leaf, Leaf.cx),
      splatAt(leaf, Leaf.originX),
      size,
      slack,
    );
    fillAxis(
      to + 16,
      unused,
      load4(leaf, Leaf.ay),
      load4(leaf, Leaf.by),
      load4(leaf, Leaf.cy),
      splatAt(leaf, Leaf.originY),
      size,
      slack,
    );
    fillAxis(
      to + 32,
      unused,
      load4(leaf, Leaf.az),
      load4(leaf, Leaf.bz),
      load4(leaf, Leaf.cz),
      splatAt(leaf, Leaf.originZ),
      size,
      slack,
    );
  }
}

function fillAxis(
  to: usize,
  unused: v128,
  a: v128,
  b: v128,
  c: v128,
  origin: v128,
  size: v128,
  slack: v128,
): void {
  const margin = add(slack, mul(add(abs(origin), size), splat(LOCAL_SLACK)));
  const low = sub(add(min4(a, min4(b, c)), origin), margin);
  const high = add(add(max4(a, max4(b, c)), origin), margin);
  v128.store(to, v128.bitselect(splat(Infinity), low, unused), SelfBoxes.lowX);
  v128.store(to, v128.bitselect(splat(-Infinity), high, unused), SelfBoxes.highX);
}
