// Tests many poses for intersections or, with a clearance, for bodies that are too close. A pose gives the
// placements of all moving bodies; other bodies are fixed. Each pair of bodies is tested by bounding boxes,
// then by oriented boxes, then by trees. The traversal of the trees first visits the children with the deepest
// overlap.

import { writeBox } from '../mesh/placedBox';
import { prepareMesh } from '../mesh/placedMesh';
import { descend } from '../narrowphase/anyHit';
import { areBoxesSeparated } from '../narrowphase/pruneBodyPairs';
import { BOXES, NEAR } from '../narrowphase/traversalModes';
import {
  BodyRecord,
  HAS_TRIANGLES,
  ListRecord,
  NOTHING,
  PairRecord,
  POSE_BOX_BYTES,
  PosesJob,
  PoseSlice,
  WANT_ANY,
  WANT_FIRST,
} from '../records';
import { isPlacement, updateRows, writeOrientedBox } from '../scene/placeBodies';
import { writePairRecord } from '../scene/placeBodyPairs';
import { le, load4, maskBits } from '../simd/lanes';
import { widenPair } from './widenPair';

/**
 * The result for a pair: no intersection, intersection, or undecided by this kernel. The results of several
 * pairs are combined with a bitwise OR.
 */
const NO: u32 = 0;
const YES: u32 = 1;
const UNDECIDED: u32 = 2;

/**
 * More than the error of a computed distance, relative to the sum of both bodies' largest coordinates: 2^-43.
 */
const DISTANCE_ERROR: f64 = 1.1368683772161603e-13;

/**
 * Slice i repeatedly takes the next group of 32 poses (one word of output bits) from a shared counter. It
 * stops when no poses are left or it finds an invalid matrix.
 */
export function testPoses(jobAt: usize, begin: u32, end: u32): void {
  const poseCount = load<u32>(jobAt, PosesJob.poseCount);
  for (let i = begin; i < end; i++) {
    const slice = <usize>load<u32>(jobAt, PosesJob.slicesAt) + <usize>i * PoseSlice.SIZE;
    while (load<u32>(slice, PoseSlice.invalidPose) == NOTHING) {
      const word = atomic.add<u32>(jobAt, 1, PosesJob.cursor);
      const first = word << 5;
      if (first >= poseCount) break;
      testWord(jobAt, slice, word, first, min(poseCount, first + 32));
    }
  }
}

// Tests the poses of one word. No other thread writes the output words of these poses.
function testWord(job: usize, slice: usize, word: u32, first: u32, last: u32): void {
  const want = load<u32>(job, PosesJob.want);
  const pairCount = load<u32>(job, PosesJob.pairCount);
  const each = <usize>load<u32>(job, PosesJob.eachAt) + ((<usize>word * <usize>pairCount) << 2);
  if (want > WANT_FIRST) memory.fill(each, 0, (<usize>pairCount) << 2);
  let hits: u32 = 0;
  let undecided: u32 = 0;
  for (let pose = first; pose < last; pose++) {
    if (!placePose(job, slice, pose)) {
      store<u32>(slice, pose, PoseSlice.invalidPose);
      return;
    }
    const bit = pose - first;
    const result =
      want == WANT_ANY
        ? testAny(job, slice)
        : want == WANT_FIRST
          ? testFirst(job, slice, pose)
          : testEach(job, slice, each, bit * pairCount);
    hits |= (result & YES) << bit;
    undecided |= (result >> 1) << bit;
  }
  store<u32>(<usize>load<u32>(job, PosesJob.hitsAt) + ((<usize>word) << 2), hits);
  store<u32>(<usize>load<u32>(job, PosesJob.undecidedAt) + ((<usize>word) << 2), undecided);
}

// Places the moving bodies of a pose. Skips bodies that have not moved since the pose that this slice tested
// before. Returns false for an invalid matrix.
function placePose(job: usize, slice: usize, pose: u32): bool {
  const count: usize = load<u32>(job, PosesJob.movingCount);
  const isDouble = load<u32>(job, PosesJob.isDouble) != 0;
  const bytes: usize = isDouble ? 128 : 64;
  const areShared = load<u32>(job, PosesJob.areShared) != 0;
  let matrix = <usize>load<u32>(job, PosesJob.posesAt) + <usize>pose * count * bytes;
  let body: usize = load<u32>(slice, PoseSlice.bodiesAt);
  let box: usize = load<u32>(slice, PoseSlice.boxesAt);
  for (let i: usize = 0; i < count; i++, matrix += bytes, body += BodyRecord.SIZE, box += POSE_BOX_BYTES) {
    if (!isPlacement(matrix, isDouble)) return false;
    if (!updateRows(matrix, isDouble, body) || load<u32>(body, BodyRecord.presence) != HAS_TRIANGLES)
      continue;
    writeBox(body, box);
    store<u32>(body, 1, BodyRecord.moved);
    if (areShared) complete(body);
  }
  return true;
}

// Computes the data that a moved body needs once its box overlaps another body's box. Most bodies never need
// these data. If threads will share the bodies, `placePose` completes all of them before any test.
// @ts-ignore: decorator
@inline
function complete(body: usize): void {
  if (load<u32>(body, BodyRecord.moved) == 0) return;
  store<u32>(body, 0, BodyRecord.moved);
  writeOrientedBox(body);
  prepareMesh(load<u32>(body, BodyRecord.meshAt), body + BodyRecord.rows, body + BodyRecord.placed);
}

// Tests pairs of bodies until the first hit, and moves the pair that was hit to the front of the order, since
// consecutive poses tend to collide in the same pair.
function testAny(job: usize, slice: usize): u32 {
  const order: usize = load<u32>(slice, PoseSlice.orderAt);
  const end = order + ((<usize>load<u32>(job, PosesJob.pairCount)) << 2);
  let result = NO;
  for (let at = order; at < end; at += 4) {
    const pair = load<u32>(at);
    const verdict = testPair(job, slice, pair);
    if (verdict == YES) {
      memory.copy(order + 4, order, at - order);
      store<u32>(order, pair);
      return YES;
    }
    result |= verdict;
  }
  return result;
}

// Finds the first pair that intersects, and stores its number. Stops at the first pair that is hit or
// undecided, and returns the verdict of that pair.
function testFirst(job: usize, slice: usize, pose: u32): u32 {
  const count = load<u32>(job, PosesJob.pairCount);
  let result = NO;
  let first = NOTHING;
  for (let pair: u32 = 0; pair < count && result == NO; pair++) {
    result = testPair(job, slice, pair);
    if (result == YES) first = pair;
  }
  store<u32>(<usize>load<u32>(job, PosesJob.firstAt) + ((<usize>pose) << 2), first);
  return result;
}

// Tests all pairs and sets a bit for each hit in the words at `each`. Bit number `from` + k is the bit of
// pair k.
function testEach(job: usize, slice: usize, each: usize, from: u32): u32 {
  const count = load<u32>(job, PosesJob.pairCount);
  let result = NO;
  for (let pair: u32 = 0; pair < count; pair++) {
    const verdict = testPair(job, slice, pair);
    const bit = from + pair;
    const at = each + ((<usize>(bit >> 5)) << 2);
    store<u32>(at, load<u32>(at) | ((verdict & YES) << (bit & 31)));
    result |= verdict;
  }
  return result;
}

function bodyOf(job: usize, slice: usize, number: usize, movingCount: usize): usize {
  return number < movingCount
    ? <usize>load<u32>(slice, PoseSlice.bodiesAt) + number * BodyRecord.SIZE
    : <usize>load<u32>(job, PosesJob.fixedAt) + (number - movingCount) * BodyRecord.SIZE;
}

function boxOf(job: usize, slice: usize, number: usize, movingCount: usize): usize {
  return number < movingCount
    ? <usize>load<u32>(slice, PoseSlice.boxesAt) + number * POSE_BOX_BYTES
    : <usize>load<u32>(job, PosesJob.fixedBoxesAt) + (number - movingCount) * POSE_BOX_BYTES;
}

function doOverlap(a: usize, b: usize): bool {
  return (maskBits(v128.and(le(load4(a, 0), load4(b, 12)), le(load4(b, 0), load4(a, 12)))) & 7) == 7;
}

// Returns whether the distance of two boxes may be at most the clearance. The margin covers the error of the
// distance that is computed for two triangles: at most 2^-46 times their extent, which is at most twice the sum
// of both bodies' largest coordinates.
function areNear(a: usize, b: usize, clearance: f64): bool {
  let gap: f64 = 0;
  let sizeA: f64 = 0;
  let sizeB: f64 = 0;
  for (let axis: usize = 0; axis < 12; axis += 4) {
    const lowA = <f64>load<f32>(a + axis);
    const highA = <f64>load<f32>(a + axis, 12);
    const lowB = <f64>load<f32>(b + axis);
    const highB = <f64>load<f32>(b + axis, 12);
    gap = max(gap, max(lowA - highB, lowB - highA));
    sizeA = max(sizeA, max(abs(lowA), abs(highA)));
    sizeB = max(sizeB, max(abs(lowB), abs(highB)));
  }
  // The box of a body without triangles has a min corner of Infinity and a max corner of -Infinity. Coordinates
  // beyond the range of floats are clamped to this range, so a box with the largest float counts as near.
  if (sizeA == Infinity || sizeB == Infinity) return false;
  return (
    sizeA >= <f64>f32.MAX_VALUE ||
    sizeB >= <f64>f32.MAX_VALUE ||
    gap <= clearance * (1 + DISTANCE_ERROR) + DISTANCE_ERROR * (sizeA + sizeB)
  );
}

// Tests one pair of bodies: bounding boxes, then oriented boxes, then trees.
function testPair(job: usize, slice: usize, pair: u32): u32 {
  const at = <usize>load<u32>(job, PosesJob.pairsAt) + ((<usize>pair) << 3);
  const movingCount: usize = load<u32>(job, PosesJob.movingCount);
  const first: usize = load<u32>(at);
  const second: usize = load<u32>(at, 4);
  const boxA = boxOf(job, slice, first, movingCount);
  const boxB = boxOf(job, slice, second, movingCount);
  const clearance = load<f64>(job, PosesJob.clearance);
  if (clearance > 0 ? !areNear(boxA, boxB, clearance) : !doOverlap(boxA, boxB)) return NO;
  const a = bodyOf(job, slice, first, movingCount);
  const b = bodyOf(job, slice, second, movingCount);
  complete(a);
  complete(b);
  if (areBoxesSeparated(a, b, clearance) || areBoxesSeparated(b, a, clearance)) return NO;
  store<f64>(slice, load<f64>(slice, PoseSlice.near) + 1, PoseSlice.near);
  return testTrees(job, slice, a, b);
}

// Tests the trees of two bodies. The result is UNDECIDED if the relative transform is not accurate enough in
// the frame of either body, or if there is a clearance and a placement is not a similarity (see widenPair.ts).
// It is also UNDECIDED if no hit was found and some triangle pairs have coordinates that are too large or too
// small for this kernel.
function testTrees(job: usize, slice: usize, a: usize, b: usize): u32 {
  const pair: usize = load<u32>(slice, PoseSlice.pairAt);
  const inverse = pair + PairRecord.SIZE;
  const list: usize = load<u32>(slice, PoseSlice.listAt);
  const hit = slice + PoseSlice.hit;
  const clearance = load<f64>(job, PosesJob.clearance);
  const isSwapped = !writePairRecord(pair, a, b, inverse);
  if (isSwapped && !writePairRecord(pair, b, a, inverse)) return UNDECIDED;
  if (
    clearance > 0 &&
    !widenPair(pair, isSwapped ? b : a, isSwapped ? a : b, clearance, slice + PoseSlice.limits)
  )
    return UNDECIDED;
  store<u32>(list, 0, ListRecord.pairsCount);
  store<u32>(list, 0, ListRecord.wideCount);
  store<u32>(hit, 0);
  descend(
    clearance > 0 ? NEAR : BOXES,
    list,
    pair,
    0,
    load<u32>(job, PosesJob.packTableAt),
    load<u32>(slice, PoseSlice.frontAt),
    hit,
    0,
  );
  return load<u32>(hit) != 0 ? YES : load<u32>(list, ListRecord.wideCount) != 0 ? UNDECIDED : NO;
}
