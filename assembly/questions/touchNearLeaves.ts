// A ring of leaf pairs of one placed pair -> its triangle pairs that are no farther apart than the clearance, appended to the list's output.
import { TOO_WIDE } from '../exact/trianglesMeet';
import { CANDIDATE_STRIDE, Clearance, Leaf, ListRecord, PairRecord } from '../layout';
import { append, appendWide, gatherCandidates } from '../touchLeaves';
import { farTriangles4 } from './farTriangles';
import { placePair } from './placePair';
import { DISTANCE_BYTES, triangleDistance } from './triangleDistance';

const ANSWER_AT: usize = 144;
const WORK_AT: usize = ANSWER_AT + 64;

/** Tests the first leafCount leaf pairs of the list's ring. The record's slacks are wide enough that boxes as near as the clearance overlap. */
export function touchNearLeaves(list: usize, pair: usize, pairIndex: u32, table: usize, leafCount: u32): void {
  const candidates: usize = load<u32>(list, ListRecord.candidatesAt), count = gatherCandidates(list, pair, table, leafCount, candidates);
  if (count == 0) return;
  store<f64>(list, load<f64>(list, ListRecord.triangleTests) + <f64>count, ListRecord.triangleTests);
  const numbers: usize = load<u32>(list, ListRecord.unsureAt);
  const limits: usize = load<u32>(pair, PairRecord.selfTreeAt), kept = keepNear(candidates, count, numbers, load<f32>(limits, Clearance.reach));
  const points: usize = load<u32>(list, ListRecord.scratchAt), clearance = load<f64>(limits, Clearance.distance);
  for (let k: usize = 0; k < <usize>kept << 2; k += 4) {
    const a = load<u32>(numbers + k), b = load<u32>(numbers + <usize>CANDIDATE_STRIDE + k);
    placePair(pair, a, b, points);
    const verdict = triangleDistance(points, points + ANSWER_AT, points + WORK_AT, points + WORK_AT + DISTANCE_BYTES);
    if (load<f64>(points, ANSWER_AT) <= clearance) append(list, a, b);
    else if (verdict == TOO_WIDE) appendWide(list, pairIndex, a, b);
  }
}

// Numbers of the triangles of candidates that are not surely too far apart, four at a time: before the copies of leaves make room for the work of distances.
function keepNear(candidates: usize, count: u32, numbers: usize, reach: f32): u32 {
  const other = <usize>CANDIDATE_STRIDE;
  // The last group is filled up with the first candidate.
  v128.store(candidates + (<usize>count << 2), v128.load32_splat(candidates));
  v128.store(candidates + other + (<usize>count << 2), v128.load32_splat(candidates + other));
  let top = numbers;
  for (let k: u32 = 0; k < count; k += 4) {
    const a = candidates + (<usize>k << 2), b = a + other;
    const far = farTriangles4(load<u32>(a), load<u32>(a, 4), load<u32>(a, 8), load<u32>(a, 12), load<u32>(b), load<u32>(b, 4), load<u32>(b, 8), load<u32>(b, 12), reach);
    for (let near = ~far & (count - k < 4 ? (1 << (count - k)) - 1 : 15); near != 0; near &= near - 1, top += 4) {
      const at = <usize>ctz(near) << 2;
      store<u32>(top, load<u32>(load<u32>(a + at), Leaf.id));
      store<u32>(top + other, load<u32>(load<u32>(b + at), Leaf.id));
    }
  }
  return <u32>((top - numbers) >> 2);
}
