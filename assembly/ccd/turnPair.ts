// Plans the pieces of a step in which at least one of two bodies rotates, and places both bodies at the start
// and the end of one piece.
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
