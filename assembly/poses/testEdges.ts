// Tests edges of a planner's roadmap for collisions. Along an edge, every joint value changes linearly. An edge
// is free if it can be divided into intervals that are all free. To test an interval, the bodies are placed at
// its middle. The interval is free if the distance of every queried pair of bodies there is more than the
// clearance plus a length. This length is how far points of the two bodies can move relative to each other in
// half of the interval. Source: Schwarzer, Saha and Latombe 2005 (adaptive dynamic collision checking).

import {
  ChainJoint,
  ChainRecord,
  COARSE_LEVELS,
  EdgesRecord,
  JOINT_PRISMATIC,
  JOINT_REVOLUTE,
  MAX_EDGE_LEVEL,
  NOTHING,
  PosesJob,
  PoseSlice,
  UNDECIDED_EDGE,
} from '../records';
import { placeJoints } from './placeChain';
import { placePose } from './placePose';
import { areBoxesNear, DISTANCE_ERROR, NO, testPair, testTrees, UNDECIDED, YES } from './testPair';

/** Factor by which a computed motion is enlarged. It covers the rounding errors of the sum. */
const UP: f64 = 1 + 9.5367431640625e-7;
/** Bytes of the speed and the margin of a pair. */
const SPEED: usize = 16;
/**
 * Bounds of the errors of placed points, relative to the sum of both bodies' largest coordinates. Each joint
 * adds 2^-44 and, for each radian of the largest joint angle, 2^-50.
 */
const ERROR_PER_JOINT: f64 = 5.684341886080802e-14;
const ERROR_PER_RADIAN: f64 = 8.881784197001252e-16;
/** Results of testInterval that are not a number of undecided pairs. */
const HIT: u32 = 0xffffffff;
const FAILED: u32 = 0xfffffffe;
const INVALID: u32 = 0xfffffffd;

/**
 * Slice i repeatedly takes the next edge from a shared counter. It stops when no edges are left or it finds an
 * edge with an invalid matrix.
 */
export function testEdges(jobAt: usize, begin: u32, end: u32): void {
  const edges: usize = load<u32>(jobAt, PosesJob.edgesAt);
  const edgeCount = load<u32>(edges, EdgesRecord.edgeCount);
  for (let i = begin; i < end; i++) {
    const slice = <usize>load<u32>(jobAt, PosesJob.slicesAt) + <usize>i * PoseSlice.SIZE;
    while (load<u32>(slice, PoseSlice.invalidPose) == NOTHING) {
      const edge = atomic.add<u32>(jobAt, 1, PosesJob.cursor);
      if (edge >= edgeCount) break;
      if (!testEdge(jobAt, slice, edges, edge)) store<u32>(slice, edge, PoseSlice.invalidPose);
    }
  }
}

function testEdge(job: usize, slice: usize, edges: usize, edge: u32): bool {
  writeSpeeds(job, slice, edges, edge);
  const pairCount = load<u32>(job, PosesJob.pairCount);
  const all = listOf(slice, pairCount, 0);
  store<u32>(all, pairCount);
  for (let pair: u32 = 0; pair < pairCount; pair++) store<u32>(all + ((<usize>pair) << 2), pair, 4);
  const wantsAny = load<u32>(edges, EdgesRecord.wantsAny) != 0;
  setResult(edges, edge, Infinity, NOTHING);
  const result = wantsAny
    ? searchCoarseFirst(job, slice, edges, edge)
    : searchBelow(job, slice, edges, edge, 0, 0);
  if (result == FAILED) setResult(edges, edge, Infinity, UNDECIDED_EDGE);
  return result != INVALID;
}

// Computes two lengths for each pair: how far points of one body can move relative to the other body along the
// whole edge, and a bound of the errors of placed points and of computed distances. Also computes the tolerance
// of the edge, which is at least the sum of the motion in a shortest interval and four times the error bound.
function writeSpeeds(job: usize, slice: usize, edges: usize, edge: u32): void {
  const chain: usize = load<u32>(job, PosesJob.chainAt);
  const bytes = (<usize>load<u32>(chain, ChainRecord.valueCount)) << 3;
  const from = <usize>load<u32>(edges, EdgesRecord.fromAt) + <usize>edge * bytes;
  const to = <usize>load<u32>(edges, EdgesRecord.toAt) + <usize>edge * bytes;
  const largest = <usize>load<u32>(slice, PoseSlice.valuesAt) + bytes;
  for (let i: usize = 0; i < bytes; i += 8)
    store<f64>(largest + i, max(abs(load<f64>(from + i)), abs(load<f64>(to + i))));
  const radians = largestOf(chain, largest, JOINT_REVOLUTE);
  const travel = largestOf(chain, largest, JOINT_PRISMATIC) * load<f64>(edges, EdgesRecord.growth);
  const error =
    DISTANCE_ERROR +
    <f64>load<u32>(chain, ChainRecord.jointCount) * (ERROR_PER_JOINT + ERROR_PER_RADIAN * radians);
  const pairCount = load<u32>(job, PosesJob.pairCount);
  let at: usize = load<u32>(slice, PoseSlice.speedsAt);
  let size: usize = load<u32>(edges, EdgesRecord.sizesAt);
  let lever: usize = load<u32>(edges, EdgesRecord.leversAt);
  let grown: usize = load<u32>(edges, EdgesRecord.travelsAt);
  let tolerance = load<f64>(edges, EdgesRecord.tolerance);
  for (let pair: u32 = 0; pair < pairCount; pair++, at += SPEED, size += 16) {
    let speed: f64 = 0;
    for (let i: usize = 0; i < bytes; i += 8, lever += 8) {
      const change = abs(load<f64>(to + i) - load<f64>(from + i));
      let length = load<f64>(lever);
      if (grown != 0)
        for (let k: usize = 0; k < bytes; k += 8, grown += 8)
          length += load<f64>(grown) * load<f64>(largest + k);
      if (change > 0) speed += change * length;
    }
    const margin = (load<f64>(size) + travel) * (error + load<f64>(size, 8));
    store<f64>(at, speed * UP);
    store<f64>(at, margin, 8);
    tolerance = max(tolerance, speed * UP * (2 * halfOf(MAX_EDGE_LEVEL)) + 4 * margin);
  }
  store<f64>(slice, tolerance, PoseSlice.tolerance);
}

// Returns the largest magnitude of a joint value of this kind or, for prismatic joints, the sum of all
// magnitudes.
function largestOf(chain: usize, largest: usize, kind: u32): f64 {
  const count = load<u32>(chain, ChainRecord.jointCount);
  let joint: usize = load<u32>(chain, ChainRecord.jointsAt);
  let result: f64 = 0;
  for (let i: u32 = 0; i < count; i++, joint += ChainJoint.SIZE) {
    if (load<u32>(joint, ChainJoint.kind) != kind) continue;
    const value = load<f64>(largest + ((<usize>load<u32>(joint, ChainJoint.valueIndex)) << 3));
    result = kind == JOINT_PRISMATIC ? result + value : max(result, value);
  }
  return result;
}

// Returns half the length of an interval of this level: 2^-(level + 1).
// @ts-ignore: decorator
@inline
function halfOf(level: u32): f64 {
  return 0.5 / <f64>(1 << level);
}

function listOf(slice: usize, pairCount: u32, list: u32): usize {
  return <usize>load<u32>(slice, PoseSlice.listsAt) + ((<usize>list * (<usize>pairCount + 1)) << 2);
}

function setResult(edges: usize, edge: u32, time: f64, pair: u32): void {
  store<f64>(<usize>load<u32>(edges, EdgesRecord.timesAt) + ((<usize>edge) << 3), time);
  store<u32>(<usize>load<u32>(edges, EdgesRecord.firstAt) + ((<usize>edge) << 2), pair);
}

// Tests the intervals of the first levels breadth first, because the poses of a coarse grid find most
// collisions. Then searches each interval of the next level depth first, if it has pairs left. The intervals
// are numbered as in a heap: interval i of level k is 2^k + i. The pairs that interval n leaves undecided are
// in list MAX_EDGE_LEVEL + 2 + n.
function searchCoarseFirst(job: usize, slice: usize, edges: usize, edge: u32): u32 {
  const pairCount = load<u32>(job, PosesJob.pairCount);
  const coarse: u32 = MAX_EDGE_LEVEL + 2;
  memory.copy(listOf(slice, pairCount, coarse), listOf(slice, pairCount, 0), (<usize>pairCount + 1) << 2);
  for (let level: u32 = 0; level < COARSE_LEVELS; level++) {
    for (let i: u32 = 0; i < 1 << level; i++) {
      const interval = ((<u32>1) << level) + i;
      const pairs = listOf(slice, pairCount, coarse + (interval >> 1));
      const left = listOf(slice, pairCount, coarse + interval);
      store<u32>(left, 0);
      if (load<u32>(pairs) == 0) continue;
      const result = testInterval(job, slice, edges, edge, level, i, pairs, left);
      if (result >= INVALID) return result;
    }
  }
  for (let i: u32 = 0; i < 1 << COARSE_LEVELS; i++) {
    const pairs = listOf(slice, pairCount, coarse + ((((<u32>1) << COARSE_LEVELS) + i) >> 1));
    const count = load<u32>(pairs);
    if (count == 0) continue;
    memory.copy(listOf(slice, pairCount, COARSE_LEVELS), pairs, (<usize>count + 1) << 2);
    const result = searchBelow(job, slice, edges, edge, COARSE_LEVELS, i);
    if (result != NO) return result;
  }
  return NO;
}

// Searches interval `first` of level `top` depth first, in the order of time. List `top` has the pairs to test.
function searchBelow(job: usize, slice: usize, edges: usize, edge: u32, top: u32, first: u32): u32 {
  const pairCount = load<u32>(job, PosesJob.pairCount);
  let level = top;
  let index = first;
  while (true) {
    const pairs = listOf(slice, pairCount, level);
    const left = listOf(slice, pairCount, level + 1);
    const count = testInterval(job, slice, edges, edge, level, index, pairs, left);
    if (count >= INVALID) return count;
    if (count > 0) {
      level++;
      index <<= 1;
      continue;
    }
    // The interval is free. Goes up as long as it is the second half of its parent.
    while (level > top && (index & 1) == 1) {
      level--;
      index >>= 1;
    }
    if (level == top) return NO;
    index++;
  }
}

// Tests the pose in the middle of an interval. Writes to `left` the pairs that may still collide in the
// interval, and returns their number. Returns HIT if a collision is found, FAILED if this kernel cannot decide
// a pair, and INVALID if the pose has an invalid matrix. pairs, left: a number of pairs, then the pairs.
function testInterval(
  job: usize,
  slice: usize,
  edges: usize,
  edge: u32,
  level: u32,
  index: u32,
  pairs: usize,
  left: usize,
): u32 {
  const half = halfOf(level);
  if (!placeAt(job, slice, edges, edge, <f64>((index << 1) + 1) * half)) return INVALID;
  const clearance = load<f64>(job, PosesJob.clearance);
  const tolerance = load<f64>(slice, PoseSlice.tolerance);
  const wantsAny = load<u32>(edges, EdgesRecord.wantsAny) != 0;
  const speeds: usize = load<u32>(slice, PoseSlice.speedsAt);
  const treeReaches: usize = load<u32>(edges, EdgesRecord.treeReachesAt);
  const end = pairs + ((<usize>load<u32>(pairs)) << 2);
  let count: u32 = 0;
  for (let at = pairs; at < end; at += 4) {
    const pair = load<u32>(at, 4);
    const speed = speeds + <usize>pair * SPEED;
    const reach = load<f64>(speed) * half + load<f64>(speed, 8);
    if (!areBoxesNear(job, slice, pair, clearance + reach)) continue;
    // If two bodies can move far, a test of their trees would rarely show that the bodies stay apart.
    const isFar = reach > max(tolerance, load<f64>(treeReaches + ((<usize>pair) << 3)));
    let verdict = isFar ? YES : testTrees(job, slice, pair, clearance + reach);
    if (verdict == NO) continue;
    // If points can move by more than the tolerance, a pair that could meet in this interval does not count as
    // a collision yet. If any collision is wanted, the pair is also tested in this pose.
    if (verdict == YES && reach > tolerance) verdict = wantsAny ? testPair(job, slice, pair, clearance) : NO;
    if (verdict == UNDECIDED) return FAILED;
    if (verdict == YES) {
      setResult(edges, edge, <f64>(index << 1) * half, pair);
      return HIT;
    }
    store<u32>(left + ((<usize>count) << 2), pair, 4);
    count++;
  }
  store<u32>(left, count);
  return count;
}

// Places the bodies at a time from 0 (the start of the edge) to 1 (its end).
function placeAt(job: usize, slice: usize, edges: usize, edge: u32, time: f64): bool {
  const chain: usize = load<u32>(job, PosesJob.chainAt);
  const valueCount: usize = load<u32>(chain, ChainRecord.valueCount);
  const start = (<usize>edge * valueCount) << 3;
  const from = <usize>load<u32>(edges, EdgesRecord.fromAt) + start;
  const to = <usize>load<u32>(edges, EdgesRecord.toAt) + start;
  const values: usize = load<u32>(slice, PoseSlice.valuesAt);
  const matrices: usize = load<u32>(slice, PoseSlice.matricesAt);
  for (let i: usize = 0; i < valueCount << 3; i += 8)
    store<f64>(values + i, load<f64>(from + i) + time * (load<f64>(to + i) - load<f64>(from + i)));
  store<f64>(slice, load<f64>(slice, PoseSlice.poses) + 1, PoseSlice.poses);
  placeJoints(chain, values, load<u32>(slice, PoseSlice.framesAt), matrices);
  return placePose(job, slice, matrices, true);
}
