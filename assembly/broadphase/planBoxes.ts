// Merges the statistics of all slices into those of all boxes. Runs on one thread: the slice is ignored.
import { SurveyBoxesJob } from '../records';
import { planSurveys } from './planSurveys';

export function planBoxes(jobAt: usize, begin: u32, end: u32): void {
  planSurveys(
    load<u32>(jobAt, SurveyBoxesJob.planAt),
    load<u32>(jobAt, SurveyBoxesJob.surveysAt),
    load<u32>(jobAt, SurveyBoxesJob.sliceCount),
  );
}
