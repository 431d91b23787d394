// Finds the smallest distance of any tested pair of bodies in a pose. Pairs are measured in the order of the
// distances of their boxes. A pair is skipped if its boxes are farther apart than the nearest bodies so far.

import { areBoxesSeparated } from '../narrowphase/pruneBodyPairs';
import { descendToLeaves } from '../proximity/bestFirstDistance';
import { refineDistance } from '../proximity/refineDistance';
import { writeNodePair } from '../proximity/writeNearChildren';
import {
  BodyRecord,
  DistanceJob,
  DistanceSearch,
  MeshRecord,
  NOTHING,
  PairRecord,
  PoseSlice,
  PosesJob,
} from '../records';
import { writePairRecord } from '../scene/placeBodyPairs';
import { completeBody } from './placePose';
import { bodyOf, boxOf, distanceOfBoxes, NO, testPair, UNDECIDED, YES } from './testPair';
import { ERROR, scaleOf } from './widenPair';

/** Bytes of an entry of the list of pairs: a bound and the number of a pair. */
const ENTRY: usize = 16;
/**
 * Factor of lower bounds. It covers their rounding, and placements that shear slightly or scale the axes by
 * slightly different factors (see widenPair.ts).
 */
const DOWN: f64 = 1 - 3.0517578125e-5;
/** Limit of the ratio of the weights of both meshes, so that squares stay in the range of floats: 2^30. */
const MAX_RATIO: f64 = 1073741824;
/**
 * Smallest unit of lengths, relative to the extent of both bodies: 2^-60. With this unit, squares are in the
 * range of floats.
 */
const MIN_UNIT: f64 = 8.673617379884035e-19;

/**
 * Writes the smallest distance and its pair for a pose whose bodies have been placed. If several pairs are
 * equally near, the result is the pair with the smallest number. Returns UNDECIDED if a pair cannot be measured
 * by this kernel. Otherwise, returns YES if the distance is at most the job's clearance, and NO if it is not.
 */
export function measurePose(job: usize, slice: usize, pose: u32): u32 {
  const entries: usize = load<u32>(slice, PoseSlice.boundsAt);
  const end = writeBounds(job, slice, entries);
  let nearest = load<f64>(job, PosesJob.max);
  let first = NOTHING;
  let isUndecided = false;
  for (let at = entries; at < end && !isUndecided; at += ENTRY) {
    if (load<f64>(at) > nearest) break;
    const pair = load<u32>(at, 8);
    const result = measurePair(job, slice, pair, nearest);
    if (result == YES) {
      first = firstHit(job, slice, pair);
      isUndecided = first == NOTHING;
      nearest = 0;
      break;
    }
    isUndecided = result == UNDECIDED;
    const search = <usize>load<u32>(slice, PoseSlice.distanceAt) + DistanceJob.SIZE;
    if (isUndecided || load<u32>(search, DistanceSearch.triangleA) == NOTHING) continue;
    const distance = load<f64>(search, DistanceSearch.distance);
    if (distance < nearest || pair < first) first = pair;
    nearest = distance;
  }
  store<f64>(
    <usize>load<u32>(job, PosesJob.distancesAt) + ((<usize>pose) << 3),
    first == NOTHING ? Infinity : nearest,
  );
  store<u32>(<usize>load<u32>(job, PosesJob.firstAt) + ((<usize>pose) << 2), first);
  if (isUndecided) return UNDECIDED;
  return first != NOTHING && nearest <= load<f64>(job, PosesJob.clearance) ? YES : NO;
}

// Writes the pairs of bodies with triangles, sorted by a lower bound of their distances. Returns the end of the
// list.
function writeBounds(job: usize, slice: usize, entries: usize): usize {
  const movingCount: usize = load<u32>(job, PosesJob.movingCount);
  const pairCount = load<u32>(job, PosesJob.pairCount);
  const limit = load<f64>(job, PosesJob.max);
  let pairAt: usize = load<u32>(job, PosesJob.pairsAt);
  let end = entries;
  for (let pair: u32 = 0; pair < pairCount; pair++, pairAt += 8) {
    const bound = distanceOfBoxes(
      boxOf(job, slice, load<u32>(pairAt), movingCount),
      boxOf(job, slice, load<u32>(pairAt, 4), movingCount),
    );
    if (bound == Infinity || bound > limit) continue;
    let to = end;
    for (; to > entries && load<f64>(to - ENTRY) > bound; to -= ENTRY) v128.store(to, v128.load(to - ENTRY));
    store<f64>(to, bound);
    store<u32>(to, pair, 8);
    end += ENTRY;
  }
  return end;
}

// Returns the first pair that intersects, or NOTHING if this kernel cannot decide which pair is the first.
// known: a pair that intersects.
function firstHit(job: usize, slice: usize, known: u32): u32 {
  for (let pair: u32 = 0; pair < known; pair++) {
    const verdict = testPair(job, slice, pair, 0);
    if (verdict != NO) return verdict == YES ? pair : NOTHING;
  }
  return known;
}

// Searches for the distance of one pair, if it is at most `limit`. The result is in the slice's DistanceSearch.
// Returns YES if the bodies intersect. Returns UNDECIDED if the relative transform is not accurate enough, if a
// placement is not a similarity, or if coordinates of triangles span too wide a range. Otherwise, returns NO.
function measurePair(job: usize, slice: usize, pair: u32, limit: f64): u32 {
  const at = <usize>load<u32>(job, PosesJob.pairsAt) + ((<usize>pair) << 3);
  const movingCount: usize = load<u32>(job, PosesJob.movingCount);
  const distances: usize = load<u32>(slice, PoseSlice.distanceAt);
  const search = distances + DistanceJob.SIZE;
  const a = bodyOf(job, slice, load<u32>(at), movingCount);
  const b = bodyOf(job, slice, load<u32>(at, 4), movingCount);
  store<u32>(search, NOTHING, DistanceSearch.triangleA);
  completeBody(a);
  completeBody(b);
  if (limit < Infinity && (areBoxesSeparated(a, b, limit) || areBoxesSeparated(b, a, limit))) return NO;
  store<f64>(slice, load<f64>(slice, PoseSlice.near) + 1, PoseSlice.near);
  const record: usize = load<u32>(slice, PoseSlice.pairAt);
  const isSwapped = !writePairRecord(record, a, b, record + PairRecord.SIZE);
  if (isSwapped && !writePairRecord(record, b, a, record + PairRecord.SIZE)) return UNDECIDED;
  if (!prepare(distances, record, isSwapped ? b : a, isSwapped ? a : b)) return UNDECIDED;
  store<f64>(distances, limit, DistanceJob.best);
  memory.fill(search + DistanceSearch.alongA, 0, DistanceSearch.SIZE - DistanceSearch.alongA);
  store<u32>(search, 0, DistanceSearch.wideCount);
  // The front has one entry: both roots, with the bound 0. Pairs of boxes are searched depth first.
  writeNodePair(load<u32>(distances, DistanceJob.frontAt), NOTHING, NOTHING, 0);
  store<u32>(distances, 1, DistanceJob.frontCount);
  store<u32>(distances, 0, DistanceJob.cursor);
  if (!descendToLeaves(distances, search, record, load<u32>(search, DistanceSearch.stackAt)))
    refineDistance(distances, 0, 1);
  if (load<u32>(distances, DistanceJob.intersects) != 0) return YES;
  return load<u32>(search, DistanceSearch.wideCount) != 0 ? UNDECIDED : NO;
}

// Writes the fields of a DistanceJob that depend on the placements. This is the counterpart of `#prepare` in
// bindings/proximity/distanceQuery.ts, for placements that are similarities. Returns false for other
// placements.
function prepare(distances: usize, record: usize, a: usize, b: usize): bool {
  const lengthA = scaleOf(a + BodyRecord.rows);
  const lengthB = scaleOf(b + BodyRecord.rows);
  if (lengthA == 0 || lengthB == 0) return false;
  // Factors from lengths in the normalized frames to lengths in the common frame.
  const scaleA = <f64>load<f32>(load<u32>(a, BodyRecord.meshAt), MeshRecord.scale);
  const weightA = (DOWN * lengthA) / scaleA;
  const weightB = (DOWN * lengthB) / <f64>load<f32>(load<u32>(b, BodyRecord.meshAt), MeshRecord.scale);
  const extent = 2.02 * (load<f64>(a, BodyRecord.size) + load<f64>(b, BodyRecord.size));
  const unit = max(weightA, extent * MIN_UNIT);
  const ratio = weightB / unit;
  const isUsable = ratio < MAX_RATIO && ratio > 1 / MAX_RATIO;
  store<u32>(distances, <u32>record, DistanceJob.pairAt);
  store<u32>(distances, 0, DistanceJob.intersects);
  store<f64>(distances, unit, DistanceJob.unit);
  store<f64>(distances, ERROR * extent, DistanceJob.margin);
  for (let i: usize = 0; i < 12; i += 4) {
    store<f32>(distances + i, <f32>(weightA / unit), DistanceJob.weightsA);
    store<f32>(distances + i, isUsable ? <f32>ratio : 0, DistanceJob.weightsB);
  }
  for (let row: usize = 0; row < 3; row++)
    for (let column: usize = 0; column < 24; column += 8)
      store<f64>(
        distances + row * 24 + column,
        load<f64>(a + (row << 5) + column, BodyRecord.rows) / scaleA / unit,
        DistanceJob.toCommon,
      );
  return true;
}
