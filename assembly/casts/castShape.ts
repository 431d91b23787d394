// Finds the first contact of a moving sphere or capsule with the triangles of meshes, or finds the triangles
// that a resting sphere, capsule or box overlaps.

import {
  CastTarget,
  LEAF_BIT,
  Leaf,
  MeshRecord,
  Node,
  SHAPE_ANY,
  SHAPE_BOX,
  SHAPE_FIRST,
  SHAPE_STACK_BYTES,
  ShapeJob,
} from '../records';
import { farLimit, MISSES, makeLocalShape, overlapBoxes, overlapTriangleBoxes, UNUSABLE } from './localShape';
import { castCapsule, OVERLAP, overlapCapsule, placeWorkingTriangle, SEPARATE } from './moveCapsule';
import { overlapBox } from './overlapBox';

/** Runs on one thread; `begin` and `end` are ignored. */
export function castShape(jobAt: usize, begin: u32, end: u32): void {
  const count = load<u32>(jobAt, ShapeJob.targetCount);
  for (let i: u32 = 0; i < count && !isDone(jobAt); i++) castAtTarget(jobAt, i);
}

// Returns whether no further triangle can change the result.
// @ts-ignore: decorator
@inline
function isDone(job: usize): bool {
  return load<u32>(job, ShapeJob.want) == SHAPE_ANY && load<u32>(job, ShapeJob.hitCount) > 0;
}

function castAtTarget(job: usize, number: u32): void {
  const target = <usize>load<u32>(job, ShapeJob.targetsAt) + <usize>number * CastTarget.SIZE;
  const local: usize = load<u32>(job, ShapeJob.localAt);
  const result = makeLocalShape(job, target, local);
  if (result == MISSES) return;
  if (result == UNUSABLE) {
    const count = load<u32>(<usize>load<u32>(target, CastTarget.meshAt), MeshRecord.triangleCount);
    for (let i: u32 = 0; i < count && !isDone(job); i++) testTriangle(job, number, target, i);
    return;
  }
  traverse(job, number, target, local);
}

// Visits the boxes that the moving box of the shape overlaps, nearest first.
function traverse(job: usize, number: u32, target: usize, local: usize): void {
  const nodes: usize = load<u32>(target, CastTarget.nodesAt);
  const leaves: usize = load<u32>(<usize>load<u32>(target, CastTarget.meshAt), MeshRecord.leavesAt);
  const nears = job + ShapeJob.work;
  const stack: usize = load<u32>(job, ShapeJob.stackAt);
  store<u32>(stack, 0);
  store<f32>(stack, 0, 4);
  let end = stack + SHAPE_STACK_BYTES;
  while (end > stack) {
    end -= SHAPE_STACK_BYTES;
    const handle = load<u32>(end);
    const far = farLimit(local, load<f64>(job, ShapeJob.bestTime));
    if (load<f32>(end, 4) > far) continue;
    if (handle & LEAF_BIT) {
      const leaf = leaves + <usize>(handle & ~LEAF_BIT) * Leaf.SIZE;
      for (let mask = overlapTriangleBoxes(leaf, local, far); mask != 0; mask &= mask - 1) {
        testTriangle(job, number, target, load<u32>(leaf + ((<usize>ctz(mask)) << 2), Leaf.id));
        if (isDone(job)) return;
      }
      continue;
    }
    const node = nodes + <usize>handle * Node.SIZE;
    const base = end;
    for (let mask = overlapBoxes(node, local, far, nears); mask != 0; mask &= mask - 1) {
      const lane: usize = ctz(mask) << 2;
      const near = load<f32>(nears + lane);
      let at = end;
      for (; at > base && load<f32>(at - SHAPE_STACK_BYTES, 4) < near; at -= SHAPE_STACK_BYTES)
        store<u64>(at, load<u64>(at - SHAPE_STACK_BYTES));
      store<u32>(at, load<u32>(node + lane, Node.child));
      store<f32>(at, near, 4);
      end += SHAPE_STACK_BYTES;
    }
  }
}

function testTriangle(job: usize, number: u32, target: usize, triangle: u32): void {
  placeWorkingTriangle(job, target, triangle);
  if (load<u32>(job, ShapeJob.want) == SHAPE_FIRST) return castCapsule(job, number, triangle);
  const result = load<u32>(job, ShapeJob.kind) == SHAPE_BOX ? overlapBox(job) : overlapCapsule(job);
  if (result == SEPARATE) return;
  if (result == OVERLAP)
    append(job, ShapeJob.hitsAt, ShapeJob.hitCapacity, ShapeJob.hitCount, number, triangle);
  else
    append(job, ShapeJob.undecidedAt, ShapeJob.undecidedCapacity, ShapeJob.undecidedCount, number, triangle);
}

// Appends a pair of words to a list. Entries beyond the capacity are only counted.
// @ts-ignore: decorator
@inline
function append(
  job: usize,
  listAt: usize,
  capacityAt: usize,
  countAt: usize,
  number: u32,
  triangle: u32,
): void {
  const count = load<u32>(job + countAt);
  store<u32>(job + countAt, count + 1);
  if (count >= load<u32>(job + capacityAt)) return;
  const at = <usize>load<u32>(job + listAt) + ((<usize>count) << 3);
  store<u32>(at, number);
  store<u32>(at, triangle, 4);
}
