// Tests the leaf pairs that a work list has collected for a mesh that is tested against itself. Appends the
// triangle pairs that intersect and share no vertex to the output of this list.

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
import { prefetch } from '../simd/access';
import { load4 } from '../simd/lanes';
import { overlap4 } from './selfBoxes';
import { dropSeparated } from './selfTriangles';
import { sharedVertices16 } from './sharedVertices';
import { decideUncertain, filterCandidates } from './testLeafPairs';

/** Tests the first leafCount leaf pairs of the list's buffer. */
export function testSelfLeafPairs(
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
  const count = dropSeparated(pair, table, candidates, all);
  if (count == 0) return;
  const uncertainCount = filterCandidates(true, list, pair, table, candidates, count);
  if (uncertainCount != 0) decideUncertain(list, pair, pairIndex, uncertainCount);
}

/** Bytes of the entry of a leaf pair: the two addresses of its LeafVertices, and the mask of its candidates. */
const ENTRY_BYTES: usize = 12;

// Collects the candidates: pairs of triangles that share no vertex and whose boxes overlap. A candidate
// consists of the addresses of the two triangles' lanes in LeafVertices. Returns the number of candidates.
function gatherCandidates(list: usize, pair: usize, table: usize, leafCount: u32, candidates: usize): u32 {
  const kept: usize = load<u32>(list, ListRecord.scratchAt);
  const keptEnd = findLeafPairs(list, pair, leafCount, kept);
  let top = candidates;
  let sink: u32 = 0;
  for (let at = kept; at < keptEnd; at += ENTRY_BYTES) {
    const own: usize = load<u32>(at);
    const mask = load<i32>(at, 8);
    const other: usize = load<u32>(at, 4);
    sink |= load<u32>(own) | load<u32>(other);
    const lanes = i32x4.add(i32x4.splat(<i32>own), i32x4(0, 4, 8, 12));
    top = appendCandidates(table, top, mask & 15, lanes, other);
    top = appendCandidates(table, top, (mask >> 4) & 15, lanes, other + 4);
    top = appendCandidates(table, top, (mask >> 8) & 15, lanes, other + 8);
    top = appendCandidates(table, top, mask >> 12, lanes, other + 12);
  }
  store<u32>(kept, sink);
  return <u32>((top - candidates) >> 2);
}

// Finds the leaf pairs that have candidates, and writes them to the list at `kept`. In about 90 % of the
// triangle pairs with overlapping boxes, the triangles share a vertex. The LeafLinks of the first leaf, which
// has the smaller number, identify these pairs. If the links are incomplete, the vertices of both leaves are
// compared instead. Leaf pairs are kept or dropped without a branch. Returns the end of the list.
function findLeafPairs(list: usize, pair: usize, leafCount: u32, kept: usize): usize {
  const buffer: usize = load<u32>(list, ListRecord.leavesAt);
  const bufferStride: usize = load<u32>(list, ListRecord.leavesStride);
  const bufferEnd = buffer + ((<usize>leafCount) << 2);
  const tree: usize = load<u32>(pair, PairRecord.pairingAt);
  const boxes: usize = load<u32>(tree, SelfTree.boxesAt);
  const vertices =
    <usize>load<u32>(tree, SelfTree.verticesAt) -
    <usize>load<u32>(load<u32>(tree, SelfTree.meshAt), MeshRecord.nodeCount) * LeafVertices.SIZE;
  prefetchLeaves(boxes, buffer, bufferEnd, bufferStride, kept);
  for (let at = buffer; at < bufferEnd; at += 4) {
    const first = load<u32>(at);
    const second = load<u32>(at + bufferStride);
    const a = boxes + <usize>first * SelfBoxes.SIZE;
    const b = boxes + <usize>second * SelfBoxes.SIZE;
    const lowX = load4(a, SelfBoxes.lowX);
    const lowY = load4(a, SelfBoxes.lowY);
    const lowZ = load4(a, SelfBoxes.lowZ);
    const highX = load4(a, SelfBoxes.highX);
    const highY = load4(a, SelfBoxes.highY);
    const highZ = load4(a, SelfBoxes.highZ);
    let overlaps = 0;
    // Not unrolled: otherwise all four boxes of `b` would be loaded first, and there are not enough
    // registers.
    for (let lane = b; lane < b + 16; lane += 4)
      overlaps = (overlaps >> 4) | (overlap4(lowX, lowY, lowZ, highX, highY, highZ, lane) << 12);
    const own = vertices + <usize>first * LeafVertices.SIZE;
    const other = vertices + <usize>second * LeafVertices.SIZE;
    const mask = overlaps & unrelatedOf(overlaps, a + <usize>LINKS_AT, second - first, own, other);
    store<u32>(kept, <u32>own);
    store<u32>(kept, <u32>other, 4);
    store<u32>(kept, mask, 8);
    kept += <usize>(mask != 0) * ENTRY_BYTES;
  }
  return kept;
}

function appendCandidates(table: usize, top: usize, mask: i32, lanes: v128, other: usize): usize {
  v128.store(top, i8x16.swizzle(lanes, v128.load(table + ((<usize>mask) << 4))));
  v128.store(top, i32x4.splat(<i32>other), <usize>CANDIDATE_STRIDE);
  return top + ((<usize>popcnt(mask)) << 2);
}

// Returns a mask for two leaves: the leaf that `links` belongs to, and the leaf whose number is larger by
// `step`. Bit 4 * j + i is set if triangle i of the first leaf and triangle j of the second leaf share no
// vertex. If both leaves are the same leaf (step 0), only bits with i < j are set. Only the bits that are set
// in `overlaps` matter, because the caller clears the others. vertices, others: the LeafVertices of the two
// leaves.
// @ts-ignore: decorator
@inline
function unrelatedOf(overlaps: i32, links: usize, step: u32, vertices: usize, others: usize): i32 {
  const same = i16x8.eq(load4(links, LeafLinks.steps), i16x8.splat(<i16>step));
  // Narrow the lanes to eight bits first: i16x8.bitmask would have a false dependency on the last swizzle.
  const found = i8x16.bitmask(i8x16.narrow_i16x8_s(same, same)) & 255;
  const place = <usize>ctz(found | (1 << LINKED_LEAVES)) & 7;
  const linked = <i32>load<u16>(links + (place << 1), LeafLinks.unrelated);
  // In a leaf's link to itself, bit 0 does not stand for a triangle pair: it is set if the record was too
  // small for all links of the leaf.
  if (found != 0 && step < 0xffff) return linked & ~(<i32>(step == 0));
  return (load<u8>(links, LeafLinks.unrelated) & 1) != 0 && overlaps != 0
    ? ~sharedVertices16(vertices, others) & 0xffff
    : 0xffff;
}

// Prefetches the boxes of the whole chunk, as in testLeafPairs.ts.
function prefetchLeaves(
  boxes: usize,
  buffer: usize,
  bufferEnd: usize,
  bufferStride: usize,
  scratch: usize,
): void {
  let sink: u32 = 0;
  for (let at = buffer; at < bufferEnd; at += 4) {
    sink |=
      prefetch(boxes + <usize>load<u32>(at) * SelfBoxes.SIZE, SelfBoxes.SIZE) |
      prefetch(boxes + <usize>load<u32>(at + bufferStride) * SelfBoxes.SIZE, SelfBoxes.SIZE);
  }
  store<u32>(scratch, sink);
}
