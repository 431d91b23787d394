// Tests the leaf pairs that a traversal has collected for two placed meshes. Appends the triangle pairs
// within the clearance to the output of the traversal's list (a ListRecord).
import { TOO_WIDE } from '../exact/trianglesIntersect';
import { append, appendWide, gatherCandidates } from '../narrowphase/testLeafPairs';
import { CANDIDATE_STRIDE, Clearance, Leaf, ListRecord, PairRecord } from '../records';
import { classifyByDistance4 } from './classifyByDistance';
import { computeTriangleDistance, DISTANCE_BYTES } from './computeTriangleDistance';
import { farTriangles4 } from './farTriangles';
import { placePair } from './placePair';

const RESULT_AT: usize = 144;
const WORK_AT: usize = RESULT_AT + 64;

/**
 * Tests the first leafCount leaf pairs in the list's buffer. The slacks of the pair record include the
 * clearance, so boxes within the clearance of each other count as overlapping.
 */
export function testNearLeafPairs(
  list: usize,
  pair: usize,
  pairIndex: u32,
  table: usize,
  leafCount: u32,
): void {
  const candidates: usize = load<u32>(list, ListRecord.candidatesAt);
  const count = gatherCandidates(list, pair, table, leafCount, candidates);
  if (count == 0) return;
  store<f64>(list, load<f64>(list, ListRecord.triangleTests) + <f64>count, ListRecord.triangleTests);
  const limits: usize = load<u32>(pair, PairRecord.pairingAt);
  const uncertainCount = classifyCandidates(list, candidates, count, limits);
  if (uncertainCount != 0)
    measureUncertain(list, pair, pairIndex, uncertainCount, load<f64>(limits, Clearance.distance));
}

// Classifies candidates (triangle pairs), four at a time. Appends pairs that are certainly within the
// clearance to the output, and uncertain pairs to a separate list. Drops pairs that are certainly farther
// apart. Returns the number of uncertain pairs.
function classifyCandidates(list: usize, candidates: usize, count: u32, limits: usize): u32 {
  const other = <usize>CANDIDATE_STRIDE;
  const uncertain: usize = load<u32>(list, ListRecord.uncertainAt);
  const reach = load<f32>(limits, Clearance.reach);
  const inner = load<f32>(limits, Clearance.surelyNear);
  // Pads the last group with the first candidate.
  v128.store(candidates + ((<usize>count) << 2), v128.load32_splat(candidates));
  v128.store(candidates + other + ((<usize>count) << 2), v128.load32_splat(candidates + other));
  let top = uncertain;
  for (let k: u32 = 0; k < count; k += 4) {
    const a = candidates + ((<usize>k) << 2);
    const b = a + other;
    const valid = count - k < 4 ? (1 << (count - k)) - 1 : 15;
    const a0: usize = load<u32>(a);
    const a1: usize = load<u32>(a, 4);
    const a2: usize = load<u32>(a, 8);
    const a3: usize = load<u32>(a, 12);
    const b0: usize = load<u32>(b);
    const b1: usize = load<u32>(b, 4);
    const b2: usize = load<u32>(b, 8);
    const b3: usize = load<u32>(b, 12);
    const classes = classifyByDistance4(a0, a1, a2, a3, b0, b1, b2, b3, inner, reach);
    for (let near = classes & valid; near != 0; near &= near - 1) {
      const at = (<usize>ctz(near)) << 2;
      append(list, load<u32>(load<u32>(a + at), Leaf.id), load<u32>(load<u32>(b + at), Leaf.id));
    }
    let left = ~(classes | (classes >> 4)) & valid;
    if (left != 0) left &= ~farTriangles4(a0, a1, a2, a3, b0, b1, b2, b3, reach);
    for (; left != 0; left &= left - 1, top += 4) {
      const at = (<usize>ctz(left)) << 2;
      store<u32>(top, load<u32>(load<u32>(a + at), Leaf.id));
      store<u32>(top + other, load<u32>(load<u32>(b + at), Leaf.id));
    }
  }
  return <u32>((top - uncertain) >> 2);
}

// Decides the uncertain pairs by computing their distances in doubles. If a distance exceeds the clearance, but
// the exponents of the coordinates span too wide a range for the exact intersection test, passes the pair to
// `appendWide`, because the triangles may still intersect. The working memory is the list's scratch memory,
// which held copies of leaves before.
function measureUncertain(list: usize, pair: usize, pairIndex: u32, count: u32, clearance: f64): void {
  const numbers: usize = load<u32>(list, ListRecord.uncertainAt);
  const points: usize = load<u32>(list, ListRecord.scratchAt);
  store<f64>(list, load<f64>(list, ListRecord.uncertain) + <f64>count, ListRecord.uncertain);
  for (let k: usize = 0; k < (<usize>count) << 2; k += 4) {
    const a = load<u32>(numbers + k);
    const b = load<u32>(numbers + <usize>CANDIDATE_STRIDE + k);
    placePair(pair, a, b, points);
    const verdict = computeTriangleDistance(
      points,
      points + RESULT_AT,
      points + WORK_AT,
      points + WORK_AT + DISTANCE_BYTES,
    );
    if (load<f64>(points, RESULT_AT) <= clearance) append(list, a, b);
    else if (verdict == TOO_WIDE) appendWide(list, pairIndex, a, b);
  }
}
