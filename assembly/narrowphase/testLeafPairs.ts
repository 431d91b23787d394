// Tests the leaf pairs that a work list has collected for two placed meshes A and B, and appends the
// intersecting triangle pairs to the output of this list. There are four steps. Each step processes all leaf
// pairs before the next step begins:
// 1. Drop the leaf pairs whose oriented bounding boxes are separated.
// 2. Transform B's leaves to the local frames of A's leaves, and collect the triangle pairs whose boxes
// overlap there (candidates). The local frame of a leaf is the normalized frame of its mesh, translated to the
// leaf's origin.
// 3. Filter the candidates with floats, four at a time.
// 4. Test the uncertain candidates exactly.

import { dropSeparatedLeaves } from '../bvh/leafBoxes';
import { placeTriangle } from '../exact/place';
import { trianglesIntersect } from '../exact/trianglesIntersect';
import {
  BLOCK_BYTES,
  CANDIDATE_STRIDE,
  ERROR_AT,
  INTERSECT,
  LEAF_BIT,
  Leaf,
  ListRecord,
  PairRecord,
  TOO_WIDE,
} from '../records';
import { prefetch } from '../simd/access';
import { intervalsOverlap16 } from '../simd/boxes';
import {
  add,
  and,
  lane0,
  lane1,
  lane2,
  lane3,
  load4,
  max4,
  min4,
  mul,
  narrowMasks,
  or,
  splat,
  splatAt,
  splatMax,
  sub,
} from '../simd/lanes';
import { filterTriTri4, filterTriTriTight4, gather } from './filterTriTri';
import { placeFour } from './selfTriangles';
import { separate4 } from './separate4';

/** Tests the first leafCount leaf pairs of the list's buffer. */
export function testLeafPairs(list: usize, pair: usize, pairIndex: u32, table: usize, leafCount: u32): void {
  const candidates: usize = load<u32>(list, ListRecord.candidatesAt);
  const nearCount = dropSeparatedLeaves(list, pair, leafCount);
  if (nearCount == 0) return;
  const candidateCount = gatherCandidates(list, pair, table, nearCount, candidates);
  if (candidateCount == 0) return;
  store<f64>(list, load<f64>(list, ListRecord.triangleTests) + <f64>candidateCount, ListRecord.triangleTests);
  const uncertainCount = filterCandidates(false, list, pair, table, candidates, candidateCount);
  if (uncertainCount != 0) decideUncertain(list, pair, pairIndex, uncertainCount);
}

// For each leaf pair, writes a copy of B's leaf in the local frame of A's leaf to the list's scratch memory,
// and appends the triangle pairs whose boxes overlap there to `candidates`. Processes one axis after another
// in a loop, for the same reason as overlap16 in simd/boxes.ts. Returns the number of candidates.
export function gatherCandidates(
  list: usize,
  pair: usize,
  table: usize,
  leafCount: u32,
  candidates: usize,
): u32 {
  const buffer: usize = load<u32>(list, ListRecord.leavesAt);
  const bufferStride: usize = load<u32>(list, ListRecord.leavesStride);
  const leavesA: usize = load<u32>(pair, PairRecord.leavesA);
  const leavesB: usize = load<u32>(pair, PairRecord.leavesB);
  let block: usize = load<u32>(list, ListRecord.scratchAt);
  // A single leaf pair needs no prefetch.
  if (leafCount > 1) {
    prefetchLeaves(leavesA, buffer, leafCount, block);
    prefetchLeaves(leavesB, buffer + bufferStride, leafCount, block);
  }
  putOffsets(pair, leavesA, leavesB, buffer, bufferStride, leafCount, block);
  let top = candidates;
  for (let k: usize = 0; k < <usize>leafCount; k++) {
    const leafA = leavesA + <usize>(load<u32>(buffer + (k << 2)) & ~LEAF_BIT) * Leaf.SIZE;
    const leafB = leavesB + <usize>(load<u32>(buffer + bufferStride + (k << 2)) & ~LEAF_BIT) * Leaf.SIZE;
    let size = splatAt(leafA, Leaf.size);
    let overlap = i32x4.splat(-1);
    for (let axis: usize = 0, offsetAt = block; axis < 48; axis += 16, offsetAt += 4) {
      const offset = splatAt(offsetAt, ERROR_AT);
      const to = block + axis;
      const row = pair + axis + PairRecord.toA;
      const ownAt = leafA + axis;
      const ax = splatAt(row, 0);
      const ay = splatAt(row, 4);
      const az = splatAt(row, 8);
      const a = place(ax, ay, az, leafB + Leaf.ax, offset);
      v128.store(to, a, Leaf.ax);
      const b = place(ax, ay, az, leafB + Leaf.bx, offset);
      v128.store(to, b, Leaf.bx);
      const c = place(ax, ay, az, leafB + Leaf.cx, offset);
      v128.store(to, c, Leaf.cx);
      const low = min4(min4(a, b), c);
      const high = max4(max4(a, b), c);
      size = max4(size, max4(sub(splat(0), low), high));
      const ownA = load4(ownAt, Leaf.ax);
      const ownB = load4(ownAt, Leaf.bx);
      const ownC = load4(ownAt, Leaf.cx);
      const slack = splatAt(pair, PairRecord.boxSlack);
      overlap = and(
        overlap,
        intervalsOverlap16(
          sub(min4(min4(ownA, ownB), ownC), slack),
          add(max4(max4(ownA, ownB), ownC), slack),
          low,
          high,
        ),
      );
    }
    v128.store(
      block,
      add(splatAt(pair, PairRecord.pointError), mul(splatAt(pair, PairRecord.localError), splatMax(size))),
      ERROR_AT,
    );
    const idA = load4(leafA, Leaf.id);
    const idB = load4(leafB, Leaf.id);
    v128.store(block, idB, Leaf.id);
    // Drops unused lanes: their triangle index is NOTHING, which is negative as a signed integer.
    const mask = i8x16.bitmask(
      v128.andnot(
        overlap,
        narrowMasks(or(idA, lane0(idB)), or(idA, lane1(idB)), or(idA, lane2(idB)), or(idA, lane3(idB))),
      ),
    );
    const lanesA = i32x4.add(i32x4.splat(<i32>leafA), i32x4(0, 4, 8, 12));
    top = appendCandidates(table, top, mask & 15, lanesA, block);
    top = appendCandidates(table, top, (mask >> 4) & 15, lanesA, block + 4);
    top = appendCandidates(table, top, (mask >> 8) & 15, lanesA, block + 8);
    top = appendCandidates(table, top, (mask >> 12) & 15, lanesA, block + 12);
    block += BLOCK_BYTES;
  }
  return <u32>((top - candidates) >> 2);
}

// Prefetches the leaves of the whole chunk. Transforming one leaf takes so many instructions that the
// processor cannot start to load the next leaf at the same time.
function prefetchLeaves(leaves: usize, buffer: usize, leafCount: u32, scratch: usize): void {
  let sink: u32 = 0;
  for (let k: usize = 0; k < <usize>leafCount; k++)
    sink |= prefetch(leaves + <usize>(load<u32>(buffer + (k << 2)) & ~LEAF_BIT) * Leaf.SIZE, Leaf.SIZE);
  store<u32>(scratch, sink);
}

// Appends a candidate for each triangle of A that `mask` selects, paired with one triangle of B.
function appendCandidates(table: usize, top: usize, mask: i32, lanesA: v128, laneB: usize): usize {
  v128.store(top, i8x16.swizzle(lanesA, v128.load(table + ((<usize>mask) << 4))));
  v128.store(top, i32x4.splat(<i32>laneB), <usize>CANDIDATE_STRIDE);
  return top + ((<usize>popcnt(mask)) << 2);
}

// For each leaf pair, stores the origin of B's leaf in the local frame of A's leaf. The origin is stored at
// ERROR_AT of the leaf pair's block, where the error of the block is written later. Each coordinate is a long
// chain of dependent sums. One loop computes all origins in advance, so that the processor can work on several
// chains at once.
function putOffsets(
  pair: usize,
  leavesA: usize,
  leavesB: usize,
  buffer: usize,
  bufferStride: usize,
  leafCount: u32,
  block: usize,
): void {
  for (let k: usize = 0; k < <usize>leafCount; k++, block += BLOCK_BYTES) {
    const leafA = leavesA + <usize>(load<u32>(buffer + (k << 2)) & ~LEAF_BIT) * Leaf.SIZE;
    const leafB = leavesB + <usize>(load<u32>(buffer + bufferStride + (k << 2)) & ~LEAF_BIT) * Leaf.SIZE;
    const row = pair + PairRecord.toAExact;
    store<f32>(block, localOffset(row, leafB, load<f32>(leafA, Leaf.originX)), ERROR_AT);
    store<f32>(block, localOffset(row + 32, leafB, load<f32>(leafA, Leaf.originY)), ERROR_AT + 4);
    store<f32>(block, localOffset(row + 64, leafB, load<f32>(leafA, Leaf.originZ)), ERROR_AT + 8);
  }
}

// Returns one coordinate of the origin of a leaf of B in the local frame of a leaf of A. row: the row of the
// transform for that coordinate. origin: that coordinate of the origin of A's leaf. Computes in doubles,
// because large numbers cancel in the sum.
function localOffset(row: usize, leafB: usize, origin: f32): f32 {
  return <f32>(
    (load<f64>(row) * <f64>load<f32>(leafB, Leaf.originX) +
      load<f64>(row, 8) * <f64>load<f32>(leafB, Leaf.originY) +
      (load<f64>(row, 16) * <f64>load<f32>(leafB, Leaf.originZ) + (load<f64>(row, 24) - <f64>origin)))
  );
}

// Returns one coordinate of four corners in the local frame. rowX, rowY, rowZ: the row of the transform's
// linear part for this coordinate. corners: the address of the four x coordinates; y and z follow 16 and 32
// bytes later. offset: this coordinate of the origin of B's leaf (see putOffsets).
function place(rowX: v128, rowY: v128, rowZ: v128, corners: usize, offset: v128): v128 {
  return add(
    add(mul(rowX, load4(corners)), mul(rowY, load4(corners, 16))),
    add(mul(rowZ, load4(corners, 32)), offset),
  );
}

const MAX_PAIRS: u32 = 0xffff0000;

/**
 * Filters candidates four at a time. Appends certain hits to the output, and writes uncertain pairs to the
 * list at `uncertainAt`. A candidate consists of two addresses of lanes. Without isSelf, the first address
 * points into a Leaf of A, and the second into the local copy of a leaf of B. With isSelf, both point into
 * LeafVertices. Returns the number of uncertain pairs.
 */
export function filterCandidates(
  isSelf: bool,
  list: usize,
  pair: usize,
  table: usize,
  candidates: usize,
  count: u32,
): u32 {
  const other = candidates + <usize>CANDIDATE_STRIDE;
  // The last group is padded with the first candidate; its extra results are masked out.
  v128.store(candidates + ((<usize>count) << 2), v128.load32_splat(candidates));
  v128.store(other + ((<usize>count) << 2), v128.load32_splat(other));
  const uncertainAt: usize = load<u32>(list, ListRecord.uncertainAt);
  const outA: usize = load<u32>(list, ListRecord.pairsAAt);
  const outB: usize = load<u32>(list, ListRecord.pairsBAt);
  const capacity = load<u32>(list, ListRecord.pairsCapacity);
  let found = load<u32>(list, ListRecord.pairsCount);
  let uncertainTop = uncertainAt;
  for (let k: u32 = 0; k < count; k += 4) {
    const a = candidates + ((<usize>k) << 2);
    const b = other + ((<usize>k) << 2);
    if (isSelf) placeFour(pair, a, b, load<u32>(list, ListRecord.scratchAt));
    const a0: usize = load<u32>(a);
    const a1: usize = load<u32>(a, 4);
    const a2: usize = load<u32>(a, 8);
    const a3: usize = load<u32>(a, 12);
    const b0: usize = load<u32>(b);
    const b1: usize = load<u32>(b, 4);
    const b2: usize = load<u32>(b, 8);
    const b3: usize = load<u32>(b, 12);
    const left = count - k;
    const valid = left < 4 ? (1 << left) - 1 : 15;
    const verdict = filterTriTri4(a0, a1, a2, a3, b0, b1, b2, b3);
    let hits = verdict & valid;
    let uncertain = (verdict >> 4) & valid;
    if (uncertain != 0) {
      const tight = filterTriTriTight4(a0, a1, a2, a3, b0, b1, b2, b3);
      hits |= tight & uncertain;
      uncertain &= tight >> 4;
      if (uncertain != 0) uncertain &= ~separate4(a0, a1, a2, a3, b0, b1, b2, b3);
    }
    if ((hits | uncertain) == 0) continue;
    let idA = gather(a0, a1, a2, a3, Leaf.id);
    let idB = gather(b0, b1, b2, b3, Leaf.id);
    // Within one mesh, the smaller triangle number goes first.
    if (isSelf) {
      const lesser = i32x4.min_u(idA, idB);
      idB = i32x4.max_u(idA, idB);
      idA = lesser;
    }
    // The output arrays have room for one vector store beyond their capacity.
    if (found <= capacity) {
      const pack = v128.load(table + ((<usize>hits) << 4));
      v128.store(outA + ((<usize>found) << 2), i8x16.swizzle(idA, pack));
      v128.store(outB + ((<usize>found) << 2), i8x16.swizzle(idB, pack));
    }
    found += popcnt(hits);
    const pack = v128.load(table + ((<usize>uncertain) << 4));
    v128.store(uncertainTop, i8x16.swizzle(idA, pack));
    v128.store(uncertainTop + <usize>CANDIDATE_STRIDE, i8x16.swizzle(idB, pack));
    uncertainTop += (<usize>popcnt(uncertain)) << 2;
  }
  // Saturate instead of wrapping around. No memory could hold this many pairs.
  store<u32>(list, min<u32>(found, MAX_PAIRS), ListRecord.pairsCount);
  return <u32>((uncertainTop - uncertainAt) >> 2);
}

/**
 * Decides the uncertain pairs. The tests are exact for the vertices that placeTriangle computes. Signs are
 * computed in doubles with an error bound and, if this leaves a sign uncertain, with expansions. Pairs with a
 * coordinate that is too large or too small for expansions are appended to the list's wide pairs, which
 * TypeScript code decides with BigInt.
 */
export function decideUncertain(list: usize, pair: usize, pairIndex: u32, count: u32): void {
  const uncertainAt: usize = load<u32>(list, ListRecord.uncertainAt);
  const points: usize = load<u32>(list, ListRecord.exactAt);
  const scratch = points + 192;
  const meshA: usize = load<u32>(pair, PairRecord.meshA);
  const meshB: usize = load<u32>(pair, PairRecord.meshB);
  const placementA = load<u32>(pair, PairRecord.placedA) ? pair + PairRecord.placementA : 0;
  const placementB = load<u32>(pair, PairRecord.placedB) ? pair + PairRecord.placementB : 0;
  store<f64>(list, load<f64>(list, ListRecord.uncertain) + <f64>count, ListRecord.uncertain);
  for (let k: usize = 0; k < <usize>count; k++) {
    const a = load<u32>(uncertainAt + (k << 2));
    const b = load<u32>(uncertainAt + <usize>CANDIDATE_STRIDE + (k << 2));
    placeTriangle(meshA, a, placementA, points);
    placeTriangle(meshB, b, placementB, points + 72);
    const verdict = trianglesIntersect(points, scratch);
    if (verdict == INTERSECT) append(list, a, b);
    else if (verdict == TOO_WIDE) appendWide(list, pairIndex, a, b);
  }
}

export function append(list: usize, a: u32, b: u32): void {
  const found = load<u32>(list, ListRecord.pairsCount);
  if (found < load<u32>(list, ListRecord.pairsCapacity)) {
    store<u32>(<usize>load<u32>(list, ListRecord.pairsAAt) + ((<usize>found) << 2), a);
    store<u32>(<usize>load<u32>(list, ListRecord.pairsBAt) + ((<usize>found) << 2), b);
  }
  store<u32>(list, found + 1, ListRecord.pairsCount);
}

export function appendWide(list: usize, pairIndex: u32, a: u32, b: u32): void {
  const count = load<u32>(list, ListRecord.wideCount);
  if (count < load<u32>(list, ListRecord.wideCapacity)) {
    const at = <usize>load<u32>(list, ListRecord.wideAt) + <usize>count * 12;
    store<u32>(at, pairIndex);
    store<u32>(at, a, 4);
    store<u32>(at, b, 8);
  }
  store<u32>(list, count + 1, ListRecord.wideCount);
}
