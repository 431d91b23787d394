// Pairs of moving features (24 f64 each) -> one SweptFeatures a pair: whether and when they first touch.
import { firstContact } from '../continuous/firstContact';
import { makeMotion, QUERY_BYTES } from '../continuous/makeMotion';
import { Moment, MOST_WAITING, Motion, SWEEP_SCRATCH_BYTES, SweepFeaturesJob, SweptFeatures } from '../layout';

// Slice i does its even share of the queries in its own scratch, so that slices run side by side.
export function sweepFeatures(jobAt: usize, begin: u32, end: u32): void {
  if (Motion.SIZE + (<usize>MOST_WAITING + 3) * Moment.SIZE > <usize>SWEEP_SCRATCH_BYTES) ERROR('SWEEP_SCRATCH_BYTES is less than a motion and its moments need');
  const queries = <usize>load<u32>(jobAt, SweepFeaturesJob.queriesAt), results = <usize>load<u32>(jobAt, SweepFeaturesJob.resultsAt);
  const queryCount = <u64>load<u32>(jobAt, SweepFeaturesJob.queryCount), sliceCount = <u64>load<u32>(jobAt, SweepFeaturesJob.sliceCount);
  const resolution = load<f64>(jobAt, SweepFeaturesJob.resolution);
  for (let slice = begin; slice < end; slice++) {
    const motion = <usize>load<u32>(jobAt, SweepFeaturesJob.scratchAt) + <usize>slice * SWEEP_SCRATCH_BYTES;
    const last = <usize>((<u64>slice + 1) * queryCount / sliceCount);
    for (let query = <usize>(<u64>slice * queryCount / sliceCount); query < last; query++) {
      makeMotion(queries + query * QUERY_BYTES, jobAt, motion);
      firstContact(motion, resolution, motion + Motion.SIZE, results + query * SweptFeatures.SIZE);
    }
  }
}
