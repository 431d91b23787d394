// Finds the contacts of pairs of moving bodies whose boxes overlap. If only the first contact of each pair is
// requested, the trees of both bodies are descended together. Otherwise, the tree of each body is searched for
// the faces that enter the other body's box. These faces are placed at both ends of the motion and swept
// against each other (the stream-based pair test of Du, Liu and Suzumura, Alg. 2).

import {
  BodyRecord,
  ContactList,
  LARGE_FACTOR,
  MeshRecord,
  MIN_LARGE,
  MovingBody,
  RotatingBody,
  RotationPlan,
  SweepBodiesJob,
  SweepQuery,
  SweptMesh,
  TreeDescent,
} from '../records';
import { abs, gt, load4, maskBits, max4, splat } from '../simd/lanes';
import { descendTrees } from './descendTrees';
import { testPairs } from './featurePairs';
import { boxesOverlap, findFacesInRegion } from './findFacesInRegion';
import { keepEarliest } from './keepEarliest';
import { pairOverlappingFaces } from './pairOverlappingFaces';
import { ROWS } from './placeRotated';
import { placeSubstep, planSubsteps } from './planSubsteps';
import { refineContacts } from './refineContacts';
import { BOX_BYTES, boxOf } from './sweptFeatures';

/** Maximum magnitude of a box's coordinates: 2^120. */
const MAX_COORDINATE: f32 = 1.329227995784916e36;

/** Slice i fills list i. Threads take one pair at a time from a shared counter. */
export function sweepBodies(jobAt: usize, begin: u32, end: u32): void {
  const count = load<u32>(jobAt, SweepBodiesJob.pairCount);
  const sweepQuery: usize = load<u32>(jobAt, SweepBodiesJob.sweepQueryAt);
  const large: usize = load<u32>(jobAt, SweepBodiesJob.largeAt);
  const isFirst = load<u32>(sweepQuery, SweepQuery.isFirst) != 0;
  for (let i = begin; i < end; i++) {
    const list = <usize>load<u32>(jobAt, SweepBodiesJob.listsAt) + <usize>i * ContactList.SIZE;
    for (;;) {
      const pair = atomic.add<u32>(jobAt, 1, SweepBodiesJob.cursor);
      if (pair >= count) break;
      const a = load<u32>(<usize>load<u32>(jobAt, SweepBodiesJob.pairsAAt) + ((<usize>pair) << 2));
      const b = load<u32>(<usize>load<u32>(jobAt, SweepBodiesJob.pairsBAt) + ((<usize>pair) << 2));
      // If the list is too short, the search will run again with more capacity. So the remaining pairs are not
      // searched: each is counted as one contact.
      if (isFirst && load<f64>(list, ContactList.found) > <f64>load<u32>(list, ContactList.capacity)) {
        store<f64>(list, load<f64>(list, ContactList.found) + 1, ContactList.found);
        continue;
      }
      store<u32>(list, pair, ContactList.pair);
      store<f64>(list, Infinity, ContactList.earliest);
      assignMemory(list);
      const isSwept =
        load<u32>(jobAt, SweepBodiesJob.rotatingAt) != 0
          ? sweepRotating(jobAt, sweepQuery, list, a, b)
          : sweepStraight(jobAt, sweepQuery, list, a, b);
      store<u32>(large + ((<usize>pair) << 2), u32(!isSwept));
    }
  }
}

// The next two functions return true if the pair was swept, and false if `sweepPair` could not sweep it.
function sweepStraight(job: usize, sweepQuery: usize, list: usize, a: u32, b: u32): bool {
  const first = load<f64>(list, ContactList.found);
  const rows = <usize>load<u32>(list, ContactList.rotatingAt) + RotationPlan.rows;
  memory.copy(rows, movingOf(job, a) + MovingBody.from, ROWS);
  memory.copy(rows + ROWS, bodyOf(job, a) + BodyRecord.rows, ROWS);
  memory.copy(rows + 2 * ROWS, movingOf(job, b) + MovingBody.from, ROWS);
  memory.copy(rows + 3 * ROWS, bodyOf(job, b) + BodyRecord.rows, ROWS);
  const isFirst = load<u32>(sweepQuery, SweepQuery.isFirst) != 0;
  const isSwept = sweepPair(job, sweepQuery, list, 0, isFirst, a, b, rows);
  if (!isSwept) store<f64>(list, first, ContactList.found);
  else if (isFirst) keepEarliest(sweepQuery, list, <u32>first);
  return isSwept;
}

// Sweeps two bodies that may rotate: divides the step into substeps, and sweeps the substeps one after another.
// If only the first contact is requested, stops when a contact is earlier than the next substep.
function sweepRotating(job: usize, stepQuery: usize, list: usize, a: u32, b: u32): bool {
  const plan: usize = load<u32>(list, ContactList.rotatingAt);
  const all: usize = load<u32>(job, SweepBodiesJob.rotatingAt);
  const before = load<f64>(list, ContactList.found);
  const sweptA: usize = load<u32>(list, ContactList.bodiesAt);
  planSubsteps(stepQuery, all + <usize>a * RotatingBody.SIZE, all + <usize>b * RotatingBody.SIZE, plan);
  const isFirst = load<u32>(stepQuery, SweepQuery.isFirst) != 0;
  if (isFirst && load<f64>(plan, RotationPlan.bend) == 0) return sweepStraight(job, stepQuery, list, a, b);
  const query = plan + RotationPlan.sweepQuery;
  const coarse = load<u32>(plan, RotationPlan.coarse);
  for (let substep: u32 = 0; substep < (<u32>1) << coarse; substep++) {
    placeSubstep(plan, substep);
    const first = load<f64>(list, ContactList.found);
    if (!sweepPair(job, query, list, plan, isFirst, a, b, plan + RotationPlan.rows)) {
      store<f64>(list, before, ContactList.found);
      return false;
    }
    if (!isFirst) {
      refineContacts(plan, list, <u32>first, sweptA, sweptA + SweptMesh.SIZE);
      continue;
    }
    keepEarliest(stepQuery, list, <u32>before);
    if (load<f64>(plan, RotationPlan.earliest) < <f64>(substep + 1) / <f64>(1 << coarse)) break;
  }
  return true;
}

// Assigns memory for points and boxes of both bodies.
function assignMemory(list: usize): void {
  const sweptA: usize = load<u32>(list, ContactList.bodiesAt);
  const sweptB = sweptA + SweptMesh.SIZE;
  const points = sweptB + SweptMesh.SIZE;
  const pointsBytes: usize = load<u32>(list, ContactList.pointsBytes);
  const boxes = points + 2 * pointsBytes;
  store<u32>(sweptA, <u32>points, SweptMesh.pointsAt);
  store<u32>(sweptB, <u32>(points + pointsBytes), SweptMesh.pointsAt);
  store<u32>(sweptA, <u32>boxes, SweptMesh.boxesAt);
  store<u32>(sweptB, <u32>(boxes + load<u32>(list, ContactList.boxesBytes)), SweptMesh.boxesAt);
}

// Returns the address of the memory after the lists and boxes of faces.
function scratchOf(list: usize): usize {
  const sweptA: usize = load<u32>(list, ContactList.bodiesAt);
  return (
    <usize>load<u32>(sweptA, SweptMesh.boxesAt) +
    3 * <usize>load<u32>(list, ContactList.boxesBytes) +
    2 * <usize>load<u32>(list, ContactList.facesBytes)
  );
}

// Sweeps two bodies, each from one placement to another. rows: the placements, as in RotationPlan. plan: the
// RotationPlan of a coarse substep, or 0 if points move linearly. isFirst: whether only the first contact is
// requested. Returns false in three cases: the coordinates are too large for floats; the exact test cannot
// decide whether faces intersect at the start; or all contacts are requested, and too many faces overlap the
// other body's region.
function sweepPair(
  job: usize,
  sweepQuery: usize,
  list: usize,
  plan: usize,
  isFirst: bool,
  a: u32,
  b: u32,
  rows: usize,
): bool {
  const boxA = <usize>load<u32>(job, SweepBodiesJob.boxesAt) + <usize>a * BOX_BYTES;
  const boxB = <usize>load<u32>(job, SweepBodiesJob.boxesAt) + <usize>b * BOX_BYTES;
  if (!isRepresentable(boxA) || !isRepresentable(boxB)) return false;
  return isFirst
    ? findFirst(job, sweepQuery, list, plan, a, b, rows, boxA, boxB)
    : findAll(job, sweepQuery, list, a, b, rows, boxB);
}

function findFirst(
  job: usize,
  sweepQuery: usize,
  list: usize,
  plan: usize,
  a: u32,
  b: u32,
  rows: usize,
  boxA: usize,
  boxB: usize,
): bool {
  const sweptA: usize = load<u32>(list, ContactList.bodiesAt);
  const descent = scratchOf(list);
  const meshA = setTables(job, a, sweptA);
  const meshB = setTables(job, b, sweptA + SweptMesh.SIZE);
  if (
    load<u32>(meshA, MeshRecord.leafCount) == 0 ||
    load<u32>(meshB, MeshRecord.leafCount) == 0 ||
    !boxesOverlap(boxA, boxB)
  )
    return true;
  for (let axis: usize = 0; axis < 12; axis += 4) {
    const at = descent + TreeDescent.region + axis;
    store<f32>(at, max(load<f32>(boxA + axis), load<f32>(boxB + axis)));
    store<f32>(at, min(load<f32>(boxA + axis, 12), load<f32>(boxB + axis, 12)), 12);
  }
  store<u32>(descent, <u32>meshA, TreeDescent.meshA);
  store<u32>(descent, <u32>meshB, TreeDescent.meshB);
  // Copied, because the refinement of contacts overwrites the rows of the plan.
  memory.copy(descent + TreeDescent.placements, rows, 4 * ROWS);
  return descendTrees(sweepQuery, list, plan, descent);
}

// Writes the addresses of a body's faces and edges to a SweptMesh. Returns the address of its MeshRecord.
function setTables(job: usize, index: u32, swept: usize): usize {
  const moving = movingOf(job, index);
  store<u32>(swept, load<u32>(moving, MovingBody.facesAt), SweptMesh.facesAt);
  store<u32>(swept, load<u32>(moving, MovingBody.edgesAt), SweptMesh.edgesAt);
  return load<u32>(bodyOf(job, index), BodyRecord.meshAt);
}

function findAll(job: usize, sweepQuery: usize, list: usize, a: u32, b: u32, rows: usize, boxB: usize): bool {
  const sweptA: usize = load<u32>(list, ContactList.bodiesAt);
  const sweptB = sweptA + SweptMesh.SIZE;
  const facesA: usize =
    <usize>load<u32>(sweptA, SweptMesh.boxesAt) + 2 * <usize>load<u32>(list, ContactList.boxesBytes);
  const facesBytes: usize = load<u32>(list, ContactList.facesBytes);
  const facesB = facesA + facesBytes;
  const blocks = facesB + facesBytes;
  const scratch = scratchOf(list);
  let countA = findFaces(job, sweepQuery, a, rows, boxB, sweptA, facesA, scratch);
  if (countA == 0) return true;
  // Narrow the region twice: find the faces of B near the found faces of A, then keep only the faces of A
  // near the found faces of B.
  let region = boundFaces(sweptA, facesA, countA, scratch);
  const countB = findFaces(job, sweepQuery, b, rows + 2 * ROWS, region, sweptB, facesB, scratch + 32);
  if (countB == 0) return true;
  region = boundFaces(sweptB, facesB, countB, scratch);
  countA = selectFaces(sweptA, facesA, countA, region);
  if (
    <f64>countA * <f64>countB >
    <f64>MIN_LARGE + <f64>LARGE_FACTOR * (faceCountOf(job, a) + faceCountOf(job, b))
  )
    return false;
  const isSwept = pairOverlappingFaces(
    sweepQuery,
    list,
    sweptA,
    facesA,
    countA,
    sweptB,
    facesB,
    countB,
    blocks,
  );
  testPairs(sweepQuery, list);
  return isSwept;
}

// Returns whether the coordinates of a box, and the sums that the search for its faces computes, are well
// within the range of floats.
function isRepresentable(box: usize): bool {
  return maskBits(gt(max4(abs(load4(box)), abs(load4(box, 8))), splat(MAX_COORDINATE))) == 0;
}

function bodyOf(job: usize, index: u32): usize {
  return <usize>load<u32>(job, SweepBodiesJob.bodiesAt) + <usize>index * BodyRecord.SIZE;
}
function movingOf(job: usize, index: u32): usize {
  return <usize>load<u32>(job, SweepBodiesJob.movingAt) + <usize>index * MovingBody.SIZE;
}
function faceCountOf(job: usize, index: u32): f64 {
  return <f64>load<u32>(load<u32>(bodyOf(job, index), BodyRecord.meshAt), MeshRecord.triangleCount);
}

// Finds the body's faces that enter a region. rows: the body's placements at the start and at the end. Returns
// the number of these faces.
function findFaces(
  job: usize,
  sweepQuery: usize,
  index: u32,
  rows: usize,
  region: usize,
  swept: usize,
  faces: usize,
  scratch: usize,
): u32 {
  const mesh = setTables(job, index, swept);
  return load<u32>(mesh, MeshRecord.leafCount) == 0
    ? 0
    : findFacesInRegion(
        mesh,
        rows,
        rows + ROWS,
        region,
        load<f64>(sweepQuery, SweepQuery.margin),
        swept,
        faces,
        scratch,
      );
}

// Writes the union of the boxes of some faces to `to`.
function boundFaces(swept: usize, faces: usize, count: u32, to: usize): usize {
  let low = f32x4.splat(Infinity);
  let high = f32x4.splat(-Infinity);
  for (let i: usize = 0; i < (<usize>count) << 2; i += 4) {
    const box = boxOf(swept, load<u32>(faces + i));
    low = f32x4.min(low, v128.load(box));
    high = f32x4.max(high, v128.load(box, 12));
  }
  v128.store(to, high, 12);
  v128.store(to, v128.shuffle<f32>(low, high, 0, 1, 2, 4));
  return to;
}

// Moves the faces that overlap the region to the beginning of their list. Returns the number of these faces.
function selectFaces(swept: usize, faces: usize, count: u32, region: usize): u32 {
  let selected: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const face = load<u32>(faces + ((<usize>i) << 2));
    store<u32>(faces + ((<usize>selected) << 2), face);
    selected += u32(boxesOverlap(boxOf(swept, face), region));
  }
  return selected;
}
