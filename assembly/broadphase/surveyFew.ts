// Computes the statistics of a few boxes on one thread, for the job that sweeps them.
import { BoxPlan, SlabJob } from '../records';
import { planSurveys } from './planSurveys';
import { beginSurvey, surveyBlock } from './surveyBoxes';

/** The BoxPlan is followed by memory for one BoxSurvey. */
export function surveyFew(jobAt: usize, begin: u32, end: u32): void {
  const plan: usize = load<u32>(jobAt, SlabJob.planAt);
  const survey = plan + BoxPlan.SIZE;
  beginSurvey(survey);
  surveyBlock(load<u32>(jobAt, SlabJob.boxesAt), 0, load<u32>(jobAt, SlabJob.last), survey);
  planSurveys(plan, survey, 1);
}
