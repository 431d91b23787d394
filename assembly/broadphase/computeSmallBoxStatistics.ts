// Computes the statistics of a small number of boxes on one thread, and writes them to the BoxPlan of the job
// that sweeps these boxes.
import { BoxPlan, SlabJob } from '../records';
import { addBoxes, clearStatistics } from './computeBoxStatistics';
import { mergeStatistics } from './mergeStatistics';

/** Requires scratch memory for one BoxStatistics directly after the BoxPlan. */
export function computeSmallBoxStatistics(jobAt: usize, begin: u32, end: u32): void {
  const plan: usize = load<u32>(jobAt, SlabJob.planAt);
  const statistics = plan + BoxPlan.SIZE;
  clearStatistics(statistics);
  addBoxes(load<u32>(jobAt, SlabJob.boxesAt), 0, load<u32>(jobAt, SlabJob.last), statistics);
  mergeStatistics(plan, statistics, 1);
}
