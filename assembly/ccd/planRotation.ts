// Plans the pieces of a step in which at least one of two bodies rotates, and places both bodies at the start
// and the end of one piece.
import { PlanRotationJob } from '../records';
import { placePiece, planPieces } from './planPieces';

export function planRotation(jobAt: usize, begin: u32, end: u32): void {
  const plan: usize = load<u32>(jobAt, PlanRotationJob.rotatingAt);
  planPieces(
    load<u32>(jobAt, PlanRotationJob.sweepQueryAt),
    load<u32>(jobAt, PlanRotationJob.bodyA),
    load<u32>(jobAt, PlanRotationJob.bodyB),
    plan,
  );
  placePiece(plan, load<u32>(jobAt, PlanRotationJob.piece));
}
