// Tests many poses for intersections or, with a clearance, for bodies that are too close. A pose gives the
// placements of all moving bodies, or the joint values of a chain that places them; other bodies are fixed.

import {
  ChainRecord,
  NOTHING,
  PoseSlice,
  PosesJob,
  WANT_ANY,
  WANT_DISTANCE,
  WANT_EACH,
  WANT_FIRST,
} from '../records';
import { measurePose } from './measurePose';
import { placeJoints } from './placeChain';
import { placePose } from './placePose';
import { NO, testPair, YES } from './testPair';

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
  if (want == WANT_EACH) memory.fill(each, 0, (<usize>pairCount) << 2);
  let hits: u32 = 0;
  let undecided: u32 = 0;
  for (let pose = first; pose < last; pose++) {
    if (!placeNumbered(job, slice, pose)) {
      store<u32>(slice, pose, PoseSlice.invalidPose);
      return;
    }
    const bit = pose - first;
    const result =
      want == WANT_ANY
        ? testAny(job, slice)
        : want == WANT_FIRST
          ? testFirst(job, slice, pose)
          : want == WANT_DISTANCE
            ? measurePose(job, slice, pose)
            : testEach(job, slice, each, bit * pairCount);
    hits |= (result & YES) << bit;
    undecided |= (result >> 1) << bit;
  }
  store<u32>(<usize>load<u32>(job, PosesJob.hitsAt) + ((<usize>word) << 2), hits);
  store<u32>(<usize>load<u32>(job, PosesJob.undecidedAt) + ((<usize>word) << 2), undecided);
}

// Places the moving bodies of pose number `pose`. Returns false for an invalid matrix.
function placeNumbered(job: usize, slice: usize, pose: u32): bool {
  const poses: usize = load<u32>(job, PosesJob.posesAt);
  const chain: usize = load<u32>(job, PosesJob.chainAt);
  if (chain == 0) {
    const isDouble = load<u32>(job, PosesJob.isDouble) != 0;
    const bytes: usize = isDouble ? 128 : 64;
    const count: usize = load<u32>(job, PosesJob.movingCount);
    return placePose(job, slice, poses + <usize>pose * count * bytes, isDouble);
  }
  const values = poses + ((<usize>pose * <usize>load<u32>(chain, ChainRecord.valueCount)) << 3);
  const matrices: usize = load<u32>(slice, PoseSlice.matricesAt);
  placeJoints(chain, values, load<u32>(slice, PoseSlice.framesAt), matrices);
  return placePose(job, slice, matrices, true);
}

// Tests pairs of bodies until the first hit, and moves the pair that was hit to the front of the order, since
// consecutive poses tend to collide in the same pair.
function testAny(job: usize, slice: usize): u32 {
  const order: usize = load<u32>(slice, PoseSlice.orderAt);
  const end = order + ((<usize>load<u32>(job, PosesJob.pairCount)) << 2);
  let result = NO;
  for (let at = order; at < end; at += 4) {
    const pair = load<u32>(at);
    const verdict = testPair(job, slice, pair, load<f64>(job, PosesJob.clearance));
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
    result = testPair(job, slice, pair, load<f64>(job, PosesJob.clearance));
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
    const verdict = testPair(job, slice, pair, load<f64>(job, PosesJob.clearance));
    const bit = from + pair;
    const at = each + ((<usize>(bit >> 5)) << 2);
    store<u32>(at, load<u32>(at) | ((verdict & YES) << (bit & 31)));
    result |= verdict;
  }
  return result;
}
