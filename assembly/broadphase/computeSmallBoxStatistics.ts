// Computes the statistics of a few boxes on one thread, for the job that sweeps them.
import { BoxPlan, SlabJob } from '../records';
import { addBoxes, clearStatistics } from './computeBoxStatistics';
import { mergeStatistics } from './mergeStatistics';

/** The BoxPlan is followed by memory for one BoxStatistics. */
export function computeSmallBoxStatistics(jobAt: usize, begin: u32, end: u32): void {
  const plan: usize = load<u32>(jobAt, SlabJob.planAt);
  const statistics = plan + BoxPlan.SIZE;
  clearStatistics(statistics);
  addBoxes(load<u32>(jobAt, SlabJob.boxesAt), 0, load<u32>(jobAt, SlabJob.last), statistics);
  mergeStatistics(plan, statistics, 1);
}
