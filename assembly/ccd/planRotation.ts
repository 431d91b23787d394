// Plans the substeps of a step in which at least one of two bodies rotates, and places both bodies at the start
// and the end of one substep.
import { PlanRotationJob } from '../records';
import { placeSubstep, planSubsteps } from './planSubsteps';

export function planRotation(jobAt: usize, begin: u32, end: u32): void {
  const plan: usize = load<u32>(jobAt, PlanRotationJob.rotatingAt);
  planSubsteps(
    load<u32>(jobAt, PlanRotationJob.sweepQueryAt),
    load<u32>(jobAt, PlanRotationJob.bodyA),
    load<u32>(jobAt, PlanRotationJob.bodyB),
    plan,
  );
  placeSubstep(plan, load<u32>(jobAt, PlanRotationJob.substep));
}
