// Finds the first contact of a moving mesh with other meshes. Both trees are descended together: a box of the
// moving tree is transformed to the frame of the other tree, and tested, as it moves, against four boxes at a
// time.

import { pushPair } from '../bvh/pairStack';
import {
  CastTarget,
  LEAF_BIT,
  Leaf,
  LocalShape,
  MeshRecord,
  MovingFrame,
  NOTHING,
  Node,
  PAIR_ENTRY_BYTES,
  ShapeJob,
} from '../records';
import {
  farLimit,
  MISSES,
  makeLocalShape,
  overlapBoxes,
  overlapTriangleBoxes,
  setBox,
  UNUSABLE,
} from './localShape';
import { castTriangles, placeMoving } from './moveTriangle';

/** Runs on one thread; `begin` and `end` are ignored. */
export function castMesh(jobAt: usize, begin: u32, end: u32): void {
  const count = load<u32>(jobAt, ShapeJob.targetCount);
  for (let i: u32 = 0; i < count; i++) castAtTarget(jobAt, i);
}

function castAtTarget(job: usize, number: u32): void {
  const target = <usize>load<u32>(job, ShapeJob.targetsAt) + <usize>number * CastTarget.SIZE;
  const frame = <usize>load<u32>(job, ShapeJob.framesAt) + <usize>number * MovingFrame.SIZE;
  const local: usize = load<u32>(job, ShapeJob.localAt);
  const size = load<f64>(target, CastTarget.size);
  const isUsable = load<f64>(frame, MovingFrame.error) < 0.25 * size;
  const result = isUsable ? makeLocalShape(job, target, local) : UNUSABLE;
  if (result == MISSES) return;
  if (result == UNUSABLE) return testAll(job, number, target);
  store<f64>(
    local,
    load<f64>(local, LocalShape.slack) + load<f64>(frame, MovingFrame.error),
    LocalShape.slack,
  );
  traverse(job, number, target, frame, local);
}

function testAll(job: usize, number: u32, target: usize): void {
  const count = load<u32>(<usize>load<u32>(target, CastTarget.meshAt), MeshRecord.triangleCount);
  const movingCount = load<u32>(<usize>load<u32>(job, ShapeJob.movingAt), MeshRecord.triangleCount);
  for (let moving: u32 = 0; moving < movingCount; moving++) {
    placeMoving(job, moving);
    for (let i: u32 = 0; i < count; i++) castTriangles(job, number, target, i, moving);
  }
}

// Transforms the box with center (cx, cy, cz) and half extents (hx, hy, hz) from the moving mesh's frame to the
// target's frame. Sets the box of a LocalShape to the result.
function setMovingBox(
  frame: usize,
  local: usize,
  cx: f64,
  cy: f64,
  cz: f64,
  hx: f64,
  hy: f64,
  hz: f64,
): void {
  const slack = load<f64>(local, LocalShape.slack);
  for (let axis: usize = 0; axis < 3; axis++) {
    const row = frame + MovingFrame.rows + (axis << 5);
    const x = load<f64>(row);
    const y = load<f64>(row, 8);
    const z = load<f64>(row, 16);
    setBox(
      local,
      axis,
      x * cx + y * cy + z * cz + load<f64>(row, 24) + load<f64>(local + (axis << 3), LocalShape.shift),
      abs(x) * hx + abs(y) * hy + abs(z) * hz + slack,
    );
  }
}

function setLaneBox(frame: usize, local: usize, lane: usize): void {
  setMovingBox(
    frame,
    local,
    <f64>load<f32>(lane, Node.centerX),
    <f64>load<f32>(lane, Node.centerY),
    <f64>load<f32>(lane, Node.centerZ),
    <f64>load<f32>(lane, Node.halfX),
    <f64>load<f32>(lane, Node.halfY),
    <f64>load<f32>(lane, Node.halfZ),
  );
}

// Sets the box of a LocalShape to the bounding box of some triangles of a leaf of the moving mesh. `mask`
// selects the lanes of these triangles.
function setLeafBox(frame: usize, local: usize, leaf: usize, mask: i32): void {
  let low0: f64 = Infinity;
  let low1: f64 = Infinity;
  let low2: f64 = Infinity;
  let high0: f64 = -Infinity;
  let high1: f64 = -Infinity;
  let high2: f64 = -Infinity;
  for (; mask != 0; mask &= mask - 1) {
    const at = leaf + ((<usize>ctz(mask)) << 2);
    for (let corner: usize = 0; corner < 144; corner += 48) {
      const x = <f64>load<f32>(at + corner, Leaf.ax);
      const y = <f64>load<f32>(at + corner, Leaf.ay);
      const z = <f64>load<f32>(at + corner, Leaf.az);
      low0 = min(low0, x);
      low1 = min(low1, y);
      low2 = min(low2, z);
      high0 = max(high0, x);
      high1 = max(high1, y);
      high2 = max(high2, z);
    }
  }
  setMovingBox(
    frame,
    local,
    0.5 * (low0 + high0) + <f64>load<f32>(leaf, Leaf.originX),
    0.5 * (low1 + high1) + <f64>load<f32>(leaf, Leaf.originY),
    0.5 * (low2 + high2) + <f64>load<f32>(leaf, Leaf.originZ),
    0.5 * (high0 - low0),
    0.5 * (high1 - low1),
    0.5 * (high2 - low2),
  );
}

function usedLanes(leaf: usize): i32 {
  return i32x4.bitmask(i32x4.ne(v128.load(leaf, Leaf.id), i32x4.splat(NOTHING)));
}

// Visits the pairs of boxes that overlap, in about the order in which they begin to overlap.
function traverse(job: usize, number: u32, target: usize, frame: usize, local: usize): void {
  const nodes: usize = load<u32>(target, CastTarget.nodesAt);
  const leaves: usize = load<u32>(<usize>load<u32>(target, CastTarget.meshAt), MeshRecord.leavesAt);
  const moving: usize = load<u32>(job, ShapeJob.movingAt);
  const movingNodes: usize = load<u32>(moving, MeshRecord.nodesAt);
  const movingLeaves: usize = load<u32>(moving, MeshRecord.leavesAt);
  const nears = job + ShapeJob.work;
  const stack: usize = load<u32>(job, ShapeJob.stackAt);
  let end = pushPair(stack, stack, 0, 0, 0);
  while (end > stack) {
    end -= PAIR_ENTRY_BYTES;
    const own = load<u32>(end);
    const other = load<u32>(end, 4);
    const far = farLimit(local, load<f64>(job, ShapeJob.bestTime));
    const pairNear = load<f32>(end, 8);
    if (pairNear > far) continue;
    const base = end;
    const node = nodes + <usize>other * Node.SIZE;
    const leaf = leaves + <usize>(other & ~LEAF_BIT) * Leaf.SIZE;
    if (own & LEAF_BIT) {
      const ownLeaf = movingLeaves + <usize>(own & ~LEAF_BIT) * Leaf.SIZE;
      if (other & LEAF_BIT) {
        testLeaves(job, number, target, frame, local, ownLeaf, leaf);
        continue;
      }
      setLeafBox(frame, local, ownLeaf, usedLanes(ownLeaf));
      for (let mask = overlapBoxes(node, local, far, nears); mask != 0; mask &= mask - 1) {
        const lane: usize = ctz(mask) << 2;
        end = pushPair(base, end, own, load<u32>(node + lane, Node.child), load<f32>(nears + lane));
      }
      continue;
    }
    const ownNode = movingNodes + <usize>own * Node.SIZE;
    for (let lane = ownNode; lane < ownNode + 16; lane += 4) {
      const child = load<u32>(lane, Node.child);
      if (child == NOTHING) continue;
      setLaneBox(frame, local, lane);
      if (other & LEAF_BIT) {
        if (overlapTriangleBoxes(leaf, local, far) == 0) continue;
        end = pushPair(base, end, child, other, pairNear);
        continue;
      }
      for (let mask = overlapBoxes(node, local, far, nears); mask != 0; mask &= mask - 1) {
        const at: usize = ctz(mask) << 2;
        end = pushPair(base, end, child, load<u32>(node + at, Node.child), load<f32>(nears + at));
      }
    }
  }
}

function testLeaves(
  job: usize,
  number: u32,
  target: usize,
  frame: usize,
  local: usize,
  ownLeaf: usize,
  leaf: usize,
): void {
  for (let own = usedLanes(ownLeaf); own != 0; own &= own - 1) {
    setLeafBox(frame, local, ownLeaf, own & -own);
    const moving = load<u32>(ownLeaf + ((<usize>ctz(own)) << 2), Leaf.id);
    let isPlaced = false;
    const far = farLimit(local, load<f64>(job, ShapeJob.bestTime));
    for (let mask = overlapTriangleBoxes(leaf, local, far); mask != 0; mask &= mask - 1) {
      if (!isPlaced) placeMoving(job, moving);
      isPlaced = true;
      castTriangles(job, number, target, load<u32>(leaf + ((<usize>ctz(mask)) << 2), Leaf.id), moving);
    }
  }
}
