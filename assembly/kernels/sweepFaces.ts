// Pairs of faces in motion whose boxes meet -> contacts of their features.
import { settlePairs } from '../featurePairs';
import { followContacts } from '../followTurning';
import { ContactList, FACES_A_TURN, SweepFacesJob, Turning } from '../layout';
import { pairFeatures } from '../pairFeatures';
import { placePiece, planTurning } from '../planTurning';

/** Slice i fills list i. Pairs are taken some at a time by whoever is free. */
export function sweepFaces(jobAt: usize, begin: u32, end: u32): void {
  const count = load<u32>(jobAt, SweepFacesJob.pairCount), lists: usize = load<u32>(jobAt, SweepFacesJob.listsAt);
  const facesA: usize = load<u32>(jobAt, SweepFacesJob.pairsAAt), facesB: usize = load<u32>(jobAt, SweepFacesJob.pairsBAt);
  const asked: usize = load<u32>(jobAt, SweepFacesJob.questionAt), bodyA: usize = load<u32>(jobAt, SweepFacesJob.bodyA), sweptA: usize = load<u32>(jobAt, SweepFacesJob.sweptA), sweptB: usize = load<u32>(jobAt, SweepFacesJob.sweptB);
  for (let i = begin; i < end; i++) {
    const list = lists + <usize>i * ContactList.SIZE, turning: usize = load<u32>(list, ContactList.turningAt), question = bodyA != 0 ? turning + Turning.question : asked;
    if (bodyA != 0) {
      planTurning(asked, bodyA, load<u32>(jobAt, SweepFacesJob.bodyB), turning);
      placePiece(turning, load<u32>(jobAt, SweepFacesJob.piece));
    }
    for (;;) {
      const first = atomic.add<u32>(jobAt, FACES_A_TURN, SweepFacesJob.cursor);
      if (first >= count) break;
      const last = min(first + FACES_A_TURN, count);
      for (let k = <usize>first; k < <usize>last; k++) pairFeatures(question, list, sweptA, load<u32>(facesA + (k << 2)), sweptB, load<u32>(facesB + (k << 2)));
    }
    settlePairs(question, list);
    if (bodyA != 0) followContacts(turning, list, 0, sweptA, sweptB);
  }
}
