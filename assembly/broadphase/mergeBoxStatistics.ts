// Merges the statistics of all slices into the statistics of all boxes, and writes them to the BoxPlan of the
// job. Runs on one thread and ignores `begin` and `end`.
import { BoxStatisticsJob } from '../records';
import { mergeStatistics } from './mergeStatistics';

export function mergeBoxStatistics(jobAt: usize, begin: u32, end: u32): void {
  mergeStatistics(
    load<u32>(jobAt, BoxStatisticsJob.planAt),
    load<u32>(jobAt, BoxStatisticsJob.statisticsAt),
    load<u32>(jobAt, BoxStatisticsJob.sliceCount),
  );
}
