// Two bodies of which one turns at least -> how their step is cut, and where they are at both ends of one of
// its pieces.
import { TurnPairJob } from '../records';
import { placePiece, planTurning } from './planTurning';

export function turnPair(jobAt: usize, begin: u32, end: u32): void {
  const turning: usize = load<u32>(jobAt, TurnPairJob.turningAt);
  planTurning(
    load<u32>(jobAt, TurnPairJob.questionAt),
    load<u32>(jobAt, TurnPairJob.bodyA),
    load<u32>(jobAt, TurnPairJob.bodyB),
    turning,
  );
  placePiece(turning, load<u32>(jobAt, TurnPairJob.piece));
}
