// A ring of leaf pairs of one mesh -> its triangle pairs that share a point and no vertex, appended to the list's output.
import { ask } from './access';
import { bits, load4 } from './lanes';
import { CANDIDATE_STRIDE, LeafLinks, LeafVertices, LINKED_LEAVES, ListRecord, MeshRecord, PairRecord, SelfBoxes, SelfTree } from './layout';
import { meet16 } from './selfBoxes';
import { dropApart } from './selfTriangles';
import { shared16 } from './sharedVertices';
import { decideUnsure, judgeCandidates } from './touchLeaves';

/** Tests the first leafCount leaf pairs of the list's ring. */
export function touchSelfLeaves(list: usize, pair: usize, pairIndex: u32, table: usize, leafCount: u32): void {
  const candidates: usize = load<u32>(list, ListRecord.candidatesAt);
  const all = gatherCandidates(list, pair, table, leafCount, candidates);
  if (all == 0) return;
  store<f64>(list, load<f64>(list, ListRecord.triangleTests) + <f64>all, ListRecord.triangleTests);
  const count = dropApart(pair, table, candidates, all);
  if (count == 0) return;
  const unsureCount = judgeCandidates(true, list, pair, table, candidates, count);
  if (unsureCount != 0) decideUnsure(list, pair, pairIndex, unsureCount);
}

/** Words of a leaf pair that has candidates: its records' addresses, its links and its mask. */
const KEPT: usize = 16;

// Pairs of triangles whose boxes meet and that share no vertex, by number.
function gatherCandidates(list: usize, pair: usize, table: usize, leafCount: u32, candidates: usize): u32 {
  const kept: usize = load<u32>(list, ListRecord.scratchAt), keptEnd = meetLeaves(list, pair, leafCount, kept);
  const tree: usize = load<u32>(pair, PairRecord.selfTreeAt), boxes: usize = load<u32>(tree, SelfTree.boxesAt);
  let top = candidates;
  for (let at = kept; at < keptEnd; at += KEPT) {
    const a: usize = load<u32>(at), b: usize = load<u32>(at, 4);
    let mask = load<i32>(at, 12);
    if (load<u16>(load<u32>(at, 8), LeafLinks.allowed + 2 * <usize>(LINKED_LEAVES + 1)) != 0) mask &= ~sharedOf(tree, boxes, a, b);
    const numbers = load4(a, SelfBoxes.child);
    top = keep(table, top, mask & 15, numbers, b);
    top = keep(table, top, (mask >> 4) & 15, numbers, b + 4);
    top = keep(table, top, (mask >> 8) & 15, numbers, b + 8);
    top = keep(table, top, mask >> 12, numbers, b + 12);
  }
  return <u32>((top - candidates) >> 2);
}

// Leaf pairs that have candidates. No branch depends on what is found. Returns their end.
function meetLeaves(list: usize, pair: usize, leafCount: u32, kept: usize): usize {
  const ring: usize = load<u32>(list, ListRecord.leavesAt), ringStride: usize = load<u32>(list, ListRecord.leavesStride);
  const tree: usize = load<u32>(pair, PairRecord.selfTreeAt), boxes: usize = load<u32>(tree, SelfTree.boxesAt);
  const links: usize = <usize>load<u32>(tree, SelfTree.linksAt) - <usize>load<u32>(load<u32>(tree, SelfTree.meshAt), MeshRecord.nodeCount) * LeafLinks.SIZE;
  // All memory is asked for at once, as in touchLeaves.
  let asked: u32 = 0;
  for (let k: usize = 0; k < <usize>leafCount << 2; k += 4) {
    const a = load<u32>(ring + k), b = load<u32>(ring + ringStride + k);
    asked |= ask(boxes + <usize>a * SelfBoxes.SIZE, SelfBoxes.SIZE) | ask(boxes + <usize>b * SelfBoxes.SIZE, SelfBoxes.SIZE) | load<u32>(links + <usize>min(a, b) * LeafLinks.SIZE);
  }
  store<u32>(kept, asked);
  for (let k: usize = 0; k < <usize>leafCount << 2; k += 4) {
    const one = load<u32>(ring + k), other = load<u32>(ring + ringStride + k);
    const first = min(one, other), second = max(one, other);
    const a = boxes + <usize>first * SelfBoxes.SIZE, b = boxes + <usize>second * SelfBoxes.SIZE, link = links + <usize>first * LeafLinks.SIZE;
    const wanted = i32x4.splat(second);
    const found = bits(i32x4.eq(load4(link, LeafLinks.leaves), wanted)) | (bits(i32x4.eq(load4(link, LeafLinks.leaves + 16), wanted)) << 4);
    const mask = meet16(a, b) & <i32>load<u16>(link + (<usize>ctz(found | (1 << LINKED_LEAVES)) << 1), LeafLinks.allowed);
    store<u32>(kept, <u32>a);
    store<u32>(kept, <u32>b, 4);
    store<u32>(kept, <u32>link, 8);
    store<u32>(kept, mask, 12);
    kept += <usize>(mask != 0) * KEPT;
  }
  return kept;
}

// A leaf that shares vertices with more leaves than its links have room for: the vertices themselves are compared.
function sharedOf(tree: usize, boxes: usize, a: usize, b: usize): i32 {
  const nodeCount: usize = load<u32>(load<u32>(tree, SelfTree.meshAt), MeshRecord.nodeCount);
  const vertices: usize = <usize>load<u32>(tree, SelfTree.verticesAt) - nodeCount * LeafVertices.SIZE;
  return shared16(vertices + (a - boxes) / SelfBoxes.SIZE * LeafVertices.SIZE, vertices + (b - boxes) / SelfBoxes.SIZE * LeafVertices.SIZE);
}

// @ts-ignore: decorator
@inline function keep(table: usize, top: usize, mask: i32, numbers: v128, other: usize): usize {
  v128.store(top, i8x16.swizzle(numbers, v128.load(table + (<usize>mask << 4))));
  v128.store(top, v128.load32_splat(other, SelfBoxes.child), <usize>CANDIDATE_STRIDE);
  return top + (<usize>popcnt(mask) << 2);
}
