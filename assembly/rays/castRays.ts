// Casts many rays at a mesh, or at the bodies of a scene: finds the closest hit, whether there is any hit, the
// number of hits, or all hits.

import {
  LEAF_BIT,
  Leaf,
  LocalRay,
  MeshRecord,
  NOTHING,
  Node,
  RAY_ALL,
  RAY_BLOCK,
  RAY_CLOSEST,
  RAY_STACK_BYTES,
  RayJob,
  RaySlice,
  CastTarget,
} from '../records';
import { farLimit, hitBoxes, hitTriangles, MISSES, makeLocalRay, UNUSABLE } from './localRay';
import { sortHits } from './rayHits';
import { roundTime } from './roundTime';
import { deferTriangle, testTriangle } from './testTriangle';

// The magnitude of each nonzero number of a ray is in 2^-200..2^200. So no product in testTriangle overflows,
// and the constant TINY in testTriangle.ts covers underflow.
const MAX_NUMBER: f64 = 1.6069380442589903e60;
const MIN_NUMBER: f64 = 6.223015277861142e-61;

/**
 * Slice i repeatedly takes the next block of rays from a shared counter. It stops when no rays are left or a
 * ray is invalid.
 */
export function castRays(jobAt: usize, begin: u32, end: u32): void {
  const rayCount = load<u32>(jobAt, RayJob.rayCount);
  for (let i = begin; i < end; i++) {
    const slice = <usize>load<u32>(jobAt, RayJob.slicesAt) + <usize>i * RaySlice.SIZE;
    while (load<u32>(slice, RaySlice.invalidRay) == NOTHING) {
      const block = atomic.add<u32>(jobAt, 1, RayJob.cursor);
      const first = block * RAY_BLOCK;
      if (first >= rayCount) break;
      if (load<u32>(jobAt, RayJob.want) == RAY_ALL) {
        const at = <usize>load<u32>(jobAt, RayJob.blocksAt) + ((<usize>block) << 3);
        store<u32>(at, i);
        store<u32>(at, load<u32>(slice, RaySlice.hitCount), 4);
      }
      castBlock(jobAt, slice, first, min(rayCount, first + RAY_BLOCK));
    }
  }
}

function castBlock(job: usize, slice: usize, first: u32, last: u32): void {
  const want = load<u32>(job, RayJob.want);
  for (let i = first; i < last; i++) {
    if (!loadRay(job, slice, i)) {
      store<u32>(slice, i, RaySlice.invalidRay);
      return;
    }
    castRay(job, slice);
    const word = (<usize>i) << 2;
    const count = load<u32>(slice, RaySlice.count);
    if (want == RAY_CLOSEST) storeClosest(job, slice, i);
    else store<u32>(<usize>load<u32>(job, RayJob.countAt) + word, count);
    if (want == RAY_ALL && count > 1) sortHits(job, slice, count);
  }
}

// Loads a ray and clears the results. Returns false if a number of the ray is invalid.
function loadRay(job: usize, slice: usize, number: u32): bool {
  const origin = <usize>load<u32>(job, RayJob.originsAt) + <usize>number * 24;
  const direction = <usize>load<u32>(job, RayJob.directionsAt) + <usize>number * 24;
  const limit = load<f64>(<usize>load<u32>(job, RayJob.maxAt) + ((<usize>number) << 3));
  memory.copy(slice + RaySlice.ray, origin, 24);
  memory.copy(slice + RaySlice.ray + 24, direction, 24);
  store<f64>(slice, limit, RaySlice.max);
  store<f64>(slice, limit, RaySlice.bestUpper);
  store<u32>(slice, NOTHING, RaySlice.bestTriangle);
  store<u32>(slice, 0, RaySlice.count);
  store<u32>(slice, 0, RaySlice.isDone);
  store<u32>(slice, number, RaySlice.rayNumber);
  let isNull = true;
  for (let at = slice + RaySlice.ray, k = 0; k < 6; k++, at += 8) {
    const size = abs(load<f64>(at));
    if (!(size <= MAX_NUMBER && (size >= MIN_NUMBER || size == 0))) return false;
    if (k > 2 && size != 0) isNull = false;
  }
  return !isNull && limit >= 0;
}

function storeClosest(job: usize, slice: usize, number: u32): void {
  const triangle = load<u32>(slice, RaySlice.bestTriangle);
  const target = load<u32>(slice, RaySlice.bestTarget);
  const word = (<usize>number) << 2;
  store<u32>(<usize>load<u32>(job, RayJob.triangleAt) + word, triangle);
  store<u32>(<usize>load<u32>(job, RayJob.bodyAt) + word, target);
  const out = <usize>load<u32>(job, RayJob.timesAt) + (word << 1);
  store<f64>(out, Infinity);
  if (triangle == NOTHING) return;
  if (load<f64>(slice, RaySlice.bestTime) == 0 && load<f64>(slice, RaySlice.bestError) == 0) {
    store<f64>(out, 0);
    return;
  }
  const isRounded = roundTime(
    slice + RaySlice.ray,
    slice + RaySlice.bestCorners,
    slice + RaySlice.zero,
    load<u32>(slice, RaySlice.workAt),
    out,
  );
  if (!isRounded) deferTriangle(slice, target, triangle);
}

function castRay(job: usize, slice: usize): void {
  if (load<u32>(job, RayJob.targetsAt) == 0) return;
  const top: usize = load<u32>(job, RayJob.topAt);
  if (top == 0) return castAtTarget(job, slice, 0);
  const local: usize = load<u32>(slice, RaySlice.localsAt);
  const result = makeLocalRay(slice + RaySlice.ray, top, local);
  if (result == MISSES) return;
  if (result == UNUSABLE) {
    // In the CastTarget of the tree of bodies, the field `body` holds the number of targets instead of an id.
    const count = load<u32>(top, CastTarget.body);
    for (let i: u32 = 0; i < count && load<u32>(slice, RaySlice.isDone) == 0; i++)
      castAtTarget(job, slice, i);
    return;
  }
  traverse(true, job, slice, 0, top, local, load<u32>(slice, RaySlice.topStackAt));
}

function castAtTarget(job: usize, slice: usize, number: u32): void {
  const target = <usize>load<u32>(job, RayJob.targetsAt) + <usize>number * CastTarget.SIZE;
  const local = <usize>load<u32>(slice, RaySlice.localsAt) + LocalRay.SIZE;
  const result = makeLocalRay(slice + RaySlice.ray, target, local);
  if (result == MISSES) return;
  if (result == UNUSABLE) {
    const count = load<u32>(<usize>load<u32>(target, CastTarget.meshAt), MeshRecord.triangleCount);
    for (let i: u32 = 0; i < count && load<u32>(slice, RaySlice.isDone) == 0; i++)
      testTriangle(job, slice, number, i);
    return;
  }
  traverse(false, job, slice, number, target, local, load<u32>(slice, RaySlice.stackAt));
}

// Visits the boxes that the ray enters, nearest first. isTop: the leaves are bodies, not triangles.
// @ts-ignore: decorator
@inline
function traverse(
  isTop: bool,
  job: usize,
  slice: usize,
  number: u32,
  target: usize,
  local: usize,
  stack: usize,
): void {
  const nodes: usize = load<u32>(target, CastTarget.nodesAt);
  const nears: usize = load<u32>(slice, RaySlice.workAt);
  store<u32>(stack, 0);
  store<f32>(stack, -Infinity, 4);
  let end = stack + RAY_STACK_BYTES;
  while (end > stack) {
    end -= RAY_STACK_BYTES;
    const handle = load<u32>(end);
    const far = farLimit(slice, local);
    if (load<f32>(end, 4) > far) continue;
    if (handle & LEAF_BIT) {
      if (isTop) castAtTarget(job, slice, handle & ~LEAF_BIT);
      else testLeaf(job, slice, number, target, local, handle & ~LEAF_BIT);
      if (load<u32>(slice, RaySlice.isDone) != 0) return;
      continue;
    }
    const node = nodes + <usize>handle * Node.SIZE;
    const base = end;
    for (let mask = hitBoxes(node, local, far, nears); mask != 0; mask &= mask - 1) {
      const lane: usize = ctz(mask) << 2;
      const near = load<f32>(nears + lane);
      let at = end;
      for (; at > base && load<f32>(at - RAY_STACK_BYTES, 4) < near; at -= RAY_STACK_BYTES)
        store<u64>(at, load<u64>(at - RAY_STACK_BYTES));
      store<u32>(at, load<u32>(node + lane, Node.child));
      store<f32>(at, near, 4);
      end += RAY_STACK_BYTES;
    }
  }
}

function testLeaf(job: usize, slice: usize, number: u32, target: usize, local: usize, index: u32): void {
  const mesh: usize = load<u32>(target, CastTarget.meshAt);
  const leaf = <usize>load<u32>(mesh, MeshRecord.leavesAt) + <usize>index * Leaf.SIZE;
  for (let mask = hitTriangles(leaf, local); mask != 0; mask &= mask - 1) {
    testTriangle(job, slice, number, load<u32>(leaf + ((<usize>ctz(mask)) << 2), Leaf.id));
    if (load<u32>(slice, RaySlice.isDone) != 0) return;
  }
}
