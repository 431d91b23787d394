// What the slices of a survey saw -> what all boxes are like. The slice is ignored: one thread a job.
import { SurveyBoxesJob } from '../records';
import { planSurveys } from './planSurveys';

export function planBoxes(jobAt: usize, begin: u32, end: u32): void {
  planSurveys(
    load<u32>(jobAt, SurveyBoxesJob.planAt),
    load<u32>(jobAt, SurveyBoxesJob.surveysAt),
    load<u32>(jobAt, SurveyBoxesJob.sliceCount),
  );
}
