// A ring of leaf pairs of one placed pair -> its triangle pairs that are no farther apart than the clearance, appended to the list's output.
import { TOO_WIDE } from '../exact/trianglesMeet';
import { CANDIDATE_STRIDE, Clearance, Leaf, ListRecord, PairRecord } from '../layout';
import { append, appendWide, gatherCandidates } from '../touchLeaves';
import { placePair } from './placePair';
import { DISTANCE_BYTES, triangleDistance } from './triangleDistance';

const ANSWER_AT: usize = 144;
const WORK_AT: usize = ANSWER_AT + 64;

/** Tests the first leafCount leaf pairs of the list's ring. The record's slacks are wide enough that boxes as near as the clearance overlap. */
export function touchNearLeaves(list: usize, pair: usize, pairIndex: u32, table: usize, leafCount: u32): void {
  const candidates: usize = load<u32>(list, ListRecord.candidatesAt), count = gatherCandidates(list, pair, table, leafCount, candidates);
  store<f64>(list, load<f64>(list, ListRecord.triangleTests) + <f64>count, ListRecord.triangleTests);
  const numbers: usize = load<u32>(list, ListRecord.unsureAt), other = <usize>CANDIDATE_STRIDE;
  // Before the copies of leaves make room for the work of distances.
  for (let k: usize = 0; k < <usize>count << 2; k += 4) {
    store<u32>(numbers + k, load<u32>(load<u32>(candidates + k), Leaf.id));
    store<u32>(numbers + other + k, load<u32>(load<u32>(candidates + other + k), Leaf.id));
  }
  const points: usize = load<u32>(list, ListRecord.scratchAt), clearance = load<f64>(load<u32>(pair, PairRecord.selfTreeAt), Clearance.distance);
  for (let k: usize = 0; k < <usize>count << 2; k += 4) {
    const a = load<u32>(numbers + k), b = load<u32>(numbers + other + k);
    placePair(pair, a, b, points);
    const verdict = triangleDistance(points, points + ANSWER_AT, points + WORK_AT, points + WORK_AT + DISTANCE_BYTES);
    if (load<f64>(points, ANSWER_AT) <= clearance) append(list, a, b);
    else if (verdict == TOO_WIDE) appendWide(list, pairIndex, a, b);
  }
}
