// Computes the statistics of a few boxes on one thread, for the job that sweeps them.
import { BoxPlan, SlabJob } from '../records';
import { planSurveys } from './planSurveys';
import { beginSurvey, surveyBlock } from './surveyBoxes';

/** The BoxPlan is followed by memory for one BoxSurvey. */
export function surveyFew(jobAt: usize, begin: u32, end: u32): void {
  const plan: usize = load<u32>(jobAt, SlabJob.planAt);
  const statistics = plan + BoxPlan.SIZE;
  beginSurvey(statistics);
  surveyBlock(load<u32>(jobAt, SlabJob.boxesAt), 0, load<u32>(jobAt, SlabJob.last), statistics);
  planSurveys(plan, statistics, 1);
}
