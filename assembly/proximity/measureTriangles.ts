// Computes the distances of many pairs of triangles, on all threads. The triangles are given by their
// corners, or by their indices in two placed meshes.
import { MEASURE_BYTES, MeasureJob } from '../records';
import { computeTriangleDistance, DISTANCE_BYTES, DISTANCE_RESULT_BYTES } from './computeTriangleDistance';
import { placePair } from './placePair';

/** Handles slices begin <= i < end of a MeasureJob. Each slice is an equal share of the pairs. */
export function measureTriangles(jobAt: usize, begin: u32, end: u32): void {
  const count = <u64>load<u32>(jobAt, MeasureJob.count);
  const sliceCount = <u64>load<u32>(jobAt, MeasureJob.sliceCount);
  for (let slice = begin; slice < end; slice++) {
    const scratch = <usize>load<u32>(jobAt, MeasureJob.scratchAt) + <usize>slice * <usize>MEASURE_BYTES;
    const last = <usize>(((<u64>slice + 1) * count) / sliceCount);
    for (let i = <usize>((<u64>slice * count) / sliceCount); i < last; i++) measure(jobAt, i, scratch);
  }
}

function measure(job: usize, i: usize, scratch: usize): void {
  const pair: usize = load<u32>(job, MeasureJob.pairAt);
  const result = scratch + 144;
  const work = result + 64;
  const nearest: usize = load<u32>(job, MeasureJob.nearestAt);
  const verdicts: usize = load<u32>(job, MeasureJob.verdictsAt);
  let points = scratch;
  if (pair == 0) points = <usize>load<u32>(job, MeasureJob.pointsAt) + i * 144;
  else {
    const first = load<u32>(<usize>load<u32>(job, MeasureJob.firstAt) + (i << 2));
    const second = load<u32>(<usize>load<u32>(job, MeasureJob.secondAt) + (i << 2));
    const isSwapped = load<u32>(job, MeasureJob.swapped) != 0;
    placePair(pair, isSwapped ? second : first, isSwapped ? first : second, points);
  }
  const verdict = computeTriangleDistance(
    points,
    result,
    work,
    work + DISTANCE_BYTES,
    load<u32>(job, MeasureJob.areIntersecting) != 0,
  );
  store<f64>(<usize>load<u32>(job, MeasureJob.distancesAt) + (i << 3), load<f64>(result));
  if (nearest != 0)
    memory.copy(nearest + i * (DISTANCE_RESULT_BYTES - 8), result + 8, DISTANCE_RESULT_BYTES - 8);
  if (verdicts != 0) store<u32>(verdicts + (i << 2), verdict);
}
