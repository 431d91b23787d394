// Tests two placed bodies for an intersection or, with a clearance, for a distance of at most the clearance: by
// bounding boxes, then by oriented boxes, then by trees. The traversal of the trees visits the children with
// the deepest overlap first.

import { descend } from '../narrowphase/anyHit';
import { areBoxesSeparated } from '../narrowphase/pruneBodyPairs';
import { BOXES, NEAR } from '../narrowphase/traversalModes';
import { BodyRecord, ListRecord, PairRecord, POSE_BOX_BYTES, PoseSlice, PosesJob } from '../records';
import { writePairRecord } from '../scene/placeBodyPairs';
import { le, load4, maskBits } from '../simd/lanes';
import { completeBody } from './placePose';
import { widenPair } from './widenPair';

/**
 * The result for a pair: no intersection, intersection, or undecided by this kernel. The results of several
 * pairs are combined with a bitwise OR.
 */
export const NO: u32 = 0;
export const YES: u32 = 1;
export const UNDECIDED: u32 = 2;

/**
 * More than the error of a computed distance, relative to the sum of both bodies' largest coordinates: 2^-43.
 */
export const DISTANCE_ERROR: f64 = 1.1368683772161603e-13;

export function bodyOf(job: usize, slice: usize, number: usize, movingCount: usize): usize {
  return number < movingCount
    ? <usize>load<u32>(slice, PoseSlice.bodiesAt) + number * BodyRecord.SIZE
    : <usize>load<u32>(job, PosesJob.fixedAt) + (number - movingCount) * BodyRecord.SIZE;
}

export function boxOf(job: usize, slice: usize, number: usize, movingCount: usize): usize {
  return number < movingCount
    ? <usize>load<u32>(slice, PoseSlice.boxesAt) + number * POSE_BOX_BYTES
    : <usize>load<u32>(job, PosesJob.fixedBoxesAt) + (number - movingCount) * POSE_BOX_BYTES;
}

function doOverlap(a: usize, b: usize): bool {
  return (maskBits(v128.and(le(load4(a, 0), load4(b, 12)), le(load4(b, 0), load4(a, 12)))) & 7) == 7;
}

/**
 * Returns a lower bound of the distance that is computed for two triangles in these boxes. The error of such a
 * distance is at most 2^-46 times the extent of the triangles, which is at most twice the sum of both bodies'
 * largest coordinates. Returns Infinity if a body has no triangles.
 */
export function distanceOfBoxes(a: usize, b: usize): f64 {
  let squares: f64 = 0;
  let sizeA: f64 = 0;
  let sizeB: f64 = 0;
  for (let axis: usize = 0; axis < 12; axis += 4) {
    const lowA = <f64>load<f32>(a + axis);
    const highA = <f64>load<f32>(a + axis, 12);
    const lowB = <f64>load<f32>(b + axis);
    const highB = <f64>load<f32>(b + axis, 12);
    const gap = max<f64>(0, max(lowA - highB, lowB - highA));
    squares += gap * gap;
    sizeA = max(sizeA, max(abs(lowA), abs(highA)));
    sizeB = max(sizeB, max(abs(lowB), abs(highB)));
  }
  // The box of a body without triangles has a min corner of Infinity and a max corner of -Infinity. Coordinates
  // beyond the range of floats are clamped to this range, so a box with the largest float says nothing.
  if (sizeA == Infinity || sizeB == Infinity) return Infinity;
  if (sizeA >= <f64>f32.MAX_VALUE || sizeB >= <f64>f32.MAX_VALUE) return 0;
  return sqrt(squares) * (1 - DISTANCE_ERROR) - DISTANCE_ERROR * (sizeA + sizeB);
}

/** Tests one pair of bodies. A clearance of 0 means that the bodies must share a point. */
export function testPair(job: usize, slice: usize, pair: u32, clearance: f64): u32 {
  return areBoxesNear(job, slice, pair, clearance) ? testTrees(job, slice, pair, clearance) : NO;
}

/**
 * Returns false if the boxes or the oriented boxes of a pair's bodies show that the bodies are farther apart
 * than the clearance, otherwise true.
 */
// @ts-ignore: decorator
@inline
export function areBoxesNear(job: usize, slice: usize, pair: u32, clearance: f64): bool {
  const at = <usize>load<u32>(job, PosesJob.pairsAt) + ((<usize>pair) << 3);
  const movingCount: usize = load<u32>(job, PosesJob.movingCount);
  const first: usize = load<u32>(at);
  const second: usize = load<u32>(at, 4);
  const boxA = boxOf(job, slice, first, movingCount);
  const boxB = boxOf(job, slice, second, movingCount);
  if (clearance > 0 ? distanceOfBoxes(boxA, boxB) > clearance : !doOverlap(boxA, boxB)) return false;
  const a = bodyOf(job, slice, first, movingCount);
  const b = bodyOf(job, slice, second, movingCount);
  completeBody(a);
  completeBody(b);
  return !areBoxesSeparated(a, b, clearance) && !areBoxesSeparated(b, a, clearance);
}

/**
 * Tests the trees of the bodies of a pair whose boxes are near. The result is UNDECIDED if the relative
 * transform is not accurate enough in the frame of either body, or if there is a clearance and a placement is
 * not a similarity (see widenPair.ts). It is also UNDECIDED if no hit was found and some triangle pairs have
 * coordinates that are too large or too small for this kernel.
 */
export function testTrees(job: usize, slice: usize, pairNumber: u32, clearance: f64): u32 {
  const at = <usize>load<u32>(job, PosesJob.pairsAt) + ((<usize>pairNumber) << 3);
  const movingCount: usize = load<u32>(job, PosesJob.movingCount);
  const a = bodyOf(job, slice, load<u32>(at), movingCount);
  const b = bodyOf(job, slice, load<u32>(at, 4), movingCount);
  store<f64>(slice, load<f64>(slice, PoseSlice.near) + 1, PoseSlice.near);
  const pair: usize = load<u32>(slice, PoseSlice.pairAt);
  const inverse = pair + PairRecord.SIZE;
  const list: usize = load<u32>(slice, PoseSlice.listAt);
  const hit = slice + PoseSlice.hit;
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
