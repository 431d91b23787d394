// A ring of leaf pairs of one mesh -> its triangle pairs that share a point and no vertex, appended to the
// list's output.

import {
  CANDIDATE_STRIDE,
  LeafLinks,
  LeafVertices,
  LINKED_LEAVES,
  LINKS_AT,
  ListRecord,
  MeshRecord,
  PairRecord,
  SelfBoxes,
  SelfTree,
} from '../records';
import { ask } from '../simd/access';
import { load4 } from '../simd/lanes';
import { meet4 } from './selfBoxes';
import { dropApart } from './selfTriangles';
import { shared16 } from './sharedVertices';
import { decideUnsure, judgeCandidates } from './touchLeaves';

/** Tests the first leafCount leaf pairs of the list's ring. */
export function touchSelfLeaves(
  list: usize,
  pair: usize,
  pairIndex: u32,
  table: usize,
  leafCount: u32,
): void {
  const candidates: usize = load<u32>(list, ListRecord.candidatesAt);
  const all = gatherCandidates(list, pair, table, leafCount, candidates);
  if (all == 0) return;
  store<f64>(list, load<f64>(list, ListRecord.triangleTests) + <f64>all, ListRecord.triangleTests);
  const count = dropApart(pair, table, candidates, all);
  if (count == 0) return;
  const unsureCount = judgeCandidates(true, list, pair, table, candidates, count);
  if (unsureCount != 0) decideUnsure(list, pair, pairIndex, unsureCount);
}

/** Words of a leaf pair that has candidates: its LeafVertices and its mask. */
const KEPT: usize = 12;

// Pairs of triangles whose boxes meet and that share no vertex, by their lanes' addresses in LeafVertices.
function gatherCandidates(list: usize, pair: usize, table: usize, leafCount: u32, candidates: usize): u32 {
  const kept: usize = load<u32>(list, ListRecord.scratchAt);
  const keptEnd = meetLeaves(list, pair, leafCount, kept);
  let top = candidates;
  let asked: u32 = 0;
  for (let at = kept; at < keptEnd; at += KEPT) {
    const own: usize = load<u32>(at);
    const mask = load<i32>(at, 8);
    const other: usize = load<u32>(at, 4);
    asked |= load<u32>(own) | load<u32>(other);
    const lanes = i32x4.add(i32x4.splat(<i32>own), i32x4(0, 4, 8, 12));
    top = keep(table, top, mask & 15, lanes, other);
    top = keep(table, top, (mask >> 4) & 15, lanes, other + 4);
    top = keep(table, top, (mask >> 8) & 15, lanes, other + 8);
    top = keep(table, top, mask >> 12, lanes, other + 12);
  }
  store<u32>(kept, asked);
  return <u32>((top - candidates) >> 2);
}

// Leaf pairs that have candidates. Nine in ten triangles whose boxes meet are neighbours: the links of the
// first leaf, the lesser number, know them. No branch depends on what is found. Returns their end.
function meetLeaves(list: usize, pair: usize, leafCount: u32, kept: usize): usize {
  const ring: usize = load<u32>(list, ListRecord.leavesAt);
  const ringStride: usize = load<u32>(list, ListRecord.leavesStride);
  const ringEnd = ring + ((<usize>leafCount) << 2);
  const tree: usize = load<u32>(pair, PairRecord.pairingAt);
  const boxes: usize = load<u32>(tree, SelfTree.boxesAt);
  const vertices =
    <usize>load<u32>(tree, SelfTree.verticesAt) -
    <usize>load<u32>(load<u32>(tree, SelfTree.meshAt), MeshRecord.nodeCount) * LeafVertices.SIZE;
  askForLeaves(boxes, ring, ringEnd, ringStride, kept);
  for (let at = ring; at < ringEnd; at += 4) {
    const first = load<u32>(at);
    const second = load<u32>(at + ringStride);
    const a = boxes + <usize>first * SelfBoxes.SIZE;
    const b = boxes + <usize>second * SelfBoxes.SIZE;
    const lowX = load4(a, SelfBoxes.lowX);
    const lowY = load4(a, SelfBoxes.lowY);
    const lowZ = load4(a, SelfBoxes.lowZ);
    const highX = load4(a, SelfBoxes.highX);
    const highY = load4(a, SelfBoxes.highY);
    const highZ = load4(a, SelfBoxes.highZ);
    let met = 0;
    // A loop: unrolled, all boxes of B are loaded first, and there are not as many registers.
    for (let lane = b; lane < b + 16; lane += 4)
      met = (met >> 4) | (meet4(lowX, lowY, lowZ, highX, highY, highZ, lane) << 12);
    const own = vertices + <usize>first * LeafVertices.SIZE;
    const other = vertices + <usize>second * LeafVertices.SIZE;
    const mask = met & unrelatedOf(met, a + <usize>LINKS_AT, second - first, own, other);
    store<u32>(kept, <u32>own);
    store<u32>(kept, <u32>other, 4);
    store<u32>(kept, mask, 8);
    kept += <usize>(mask != 0) * KEPT;
  }
  return kept;
}

function keep(table: usize, top: usize, mask: i32, lanes: v128, other: usize): usize {
  v128.store(top, i8x16.swizzle(lanes, v128.load(table + ((<usize>mask) << 4))));
  v128.store(top, i32x4.splat(<i32>other), <usize>CANDIDATE_STRIDE);
  return top + ((<usize>popcnt(mask)) << 2);
}

// Bit 4 j + i: triangle i of the leaf that the links are of and triangle j of that many leaves later share no
// vertex. met: the bits that matter.
// @ts-ignore: decorator
@inline
function unrelatedOf(met: i32, links: usize, step: u32, vertices: usize, others: usize): i32 {
  const same = i16x8.eq(load4(links, LeafLinks.steps), i16x8.splat(<i16>step));
  // Eight bits: the mask of 16-bit lanes themselves would wait for the last swizzle.
  const found = i8x16.bitmask(i8x16.narrow_i16x8_s(same, same)) & 255;
  const place = <usize>ctz(found | (1 << LINKED_LEAVES)) & 7;
  const linked = <i32>load<u16>(links + (place << 1), LeafLinks.unrelated);
  // Bit 0 of a leaf's own is no pair of triangles.
  if (found != 0 && step < 0xffff) return linked & ~(<i32>(step == 0));
  return (load<u8>(links, LeafLinks.unrelated) & 1) != 0 && met != 0
    ? ~shared16(vertices, others) & 0xffff
    : 0xffff;
}

// All of a chunk's memory is asked for at once, as in touchLeaves.
function askForLeaves(boxes: usize, ring: usize, ringEnd: usize, ringStride: usize, scratch: usize): void {
  let asked: u32 = 0;
  for (let at = ring; at < ringEnd; at += 4) {
    asked |=
      ask(boxes + <usize>load<u32>(at) * SelfBoxes.SIZE, SelfBoxes.SIZE) |
      ask(boxes + <usize>load<u32>(at + ringStride) * SelfBoxes.SIZE, SelfBoxes.SIZE);
  }
  store<u32>(scratch, asked);
}
