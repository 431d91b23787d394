// A few boxes -> what they are like: one slice's survey and its plan, for the job that they are going to be
// swept by.
import { BoxPlan, SlabJob } from '../records';
import { planSurveys } from './planSurveys';
import { beginSurvey, surveyBlock } from './surveyBoxes';

/** Behind the BoxPlan there is room for a BoxSurvey. */
export function surveyFew(jobAt: usize, begin: u32, end: u32): void {
  const plan: usize = load<u32>(jobAt, SlabJob.planAt);
  const survey = plan + BoxPlan.SIZE;
  beginSurvey(survey);
  surveyBlock(load<u32>(jobAt, SlabJob.boxesAt), 0, load<u32>(jobAt, SlabJob.last), survey);
  planSurveys(plan, survey, 1);
}
