// Tests pairs of moving features, given by 24 doubles each. For each pair, writes whether the features touch,
// and when they touch first.

import {
  CLEAR,
  EDGE_EDGE,
  FeaturePair,
  MAX_WAITING,
  Moment,
  Motion,
  QUERIES_PER_BLOCK,
  QUERY_BLOCK_BYTES,
  SWEEP_SCRATCH_BYTES,
  SweepFeaturesJob,
  SweptFeatures,
  VERTEX_FACE,
} from '../records';
import { DIFFERENCES_OUTPUT_BYTES } from './computeDifferences';
import { filterFeaturePairs } from './filterFeaturePairs';
import { findFirstContact } from './findFirstContact';
import { makeMotion, QUERY_BYTES } from './makeMotion';
import { SWEPT_POINT } from './sweptPoints';

/** POINT: bytes of a point. TIME: bytes of the four points of a query at the start, or at the end. */
const POINT: usize = 24;
const TIME: usize = 96;

// Each slice handles an equal share of the queries in its own scratch memory, so that slices can run
// concurrently.
export function sweepFeatures(jobAt: usize, begin: u32, end: u32): void {
  if (Motion.SIZE + (<usize>MAX_WAITING + 3) * Moment.SIZE > <usize>SWEEP_SCRATCH_BYTES)
    ERROR('SWEEP_SCRATCH_BYTES is too small for a motion and its moments');
  if (
    <usize>QUERIES_PER_BLOCK * (FeaturePair.SIZE + 4 * SWEPT_POINT) + DIFFERENCES_OUTPUT_BYTES >
    <usize>QUERY_BLOCK_BYTES
  )
    ERROR('QUERY_BLOCK_BYTES is too small for a block of QUERIES_PER_BLOCK queries');
  const queryCount = <u64>load<u32>(jobAt, SweepFeaturesJob.queryCount);
  const sliceCount = <u64>load<u32>(jobAt, SweepFeaturesJob.sliceCount);
  for (let slice = begin; slice < end; slice++) {
    const scratch =
      <usize>load<u32>(jobAt, SweepFeaturesJob.scratchAt) +
      <usize>slice * (SWEEP_SCRATCH_BYTES + QUERY_BLOCK_BYTES);
    const last = <u32>(((<u64>slice + 1) * queryCount) / sliceCount);
    for (let first = <u32>((<u64>slice * queryCount) / sliceCount); first < last; first += QUERIES_PER_BLOCK)
      sweepBlock(jobAt, first, min(first + QUERIES_PER_BLOCK, last), scratch);
  }
}

// Filters a block of queries in floats, and finds the first contact of each remaining pair.
function sweepBlock(job: usize, first: u32, end: u32, scratch: usize): void {
  const queries: usize = load<u32>(job, SweepFeaturesJob.queriesAt);
  const results: usize = load<u32>(job, SweepFeaturesJob.resultsAt);
  const kind = load<u32>(job, SweepFeaturesJob.isFace) ? VERTEX_FACE : EDGE_EDGE;
  const motion = scratch;
  const pairs = scratch + <usize>SWEEP_SCRATCH_BYTES;
  const points = pairs + <usize>QUERIES_PER_BLOCK * FeaturePair.SIZE;
  for (let i: usize = 0; i < <usize>(end - first); i++) {
    const query = first + <u32>i;
    const pair = pairs + i * FeaturePair.SIZE;
    writePair(queries + <usize>query * QUERY_BYTES, points + i * 4 * SWEPT_POINT, pair);
    store<u32>(pair, kind, FeaturePair.kind);
    store<u32>(pair, query, FeaturePair.a);
    writeClear(results + <usize>query * SweptFeatures.SIZE);
  }
  const left = filterFeaturePairs(
    pairs,
    <usize>(end - first),
    load<f64>(job, SweepFeaturesJob.separation),
    points + <usize>QUERIES_PER_BLOCK * 4 * SWEPT_POINT,
  );
  for (let i: usize = 0; i < left; i++) {
    const query: usize = load<u32>(pairs + i * FeaturePair.SIZE, FeaturePair.a);
    makeMotion(queries + query * QUERY_BYTES, job, motion);
    findFirstContact(
      motion,
      load<f64>(job, SweepFeaturesJob.resolution),
      motion + Motion.SIZE,
      results + query * SweptFeatures.SIZE,
      Infinity,
    );
  }
}

// Copies the points of a query to the layout of a moving mesh's points, and writes their addresses to `pair`.
function writePair(query: usize, points: usize, pair: usize): void {
  for (let i: usize = 0; i < 4; i++) {
    const from = query + i * POINT;
    const to = points + i * SWEPT_POINT;
    memory.copy(to, from, POINT);
    memory.copy(to + POINT, from + TIME, POINT);
    store<u32>(pair + (i << 2), <u32>to, FeaturePair.points);
  }
}

function writeClear(result: usize): void {
  store<f64>(result, 1, SweptFeatures.toi);
  store<f64>(result, 0, SweptFeatures.bound);
  store<u32>(result, CLEAR, SweptFeatures.verdict);
  store<u32>(result, 0, SweptFeatures.moments);
}
