// A ring of leaf pairs of one placed pair -> its intersecting triangle pairs, appended to the list's output.
// Three steps over the whole chunk: local copies and box prefilter, float test of four candidates at a time, exact test of the unsure.
import { placeTriangle } from './exact/place';
import { trianglesMeet } from './exact/trianglesMeet';
import { abs, add, and, bits, le, load4, most, least, mul, splat, splatAt, sub } from './lanes';
import { BLOCK_BYTES, B_IN_BLOCK, CANDIDATE_STRIDE, ERROR_AT, Leaf, LEAF_BIT, ListRecord, MeshRecord, MEET, PairRecord, TOO_WIDE } from './layout';
import { judge4 } from './judgeTriangles';

// @ts-ignore: decorator
@inline const VECTOR: usize = 16;

/** Tests the first leafCount leaf pairs of the list's ring. */
export function touchLeaves(list: usize, pair: usize, pairIndex: u32, table: usize, leafCount: u32): void {
  const candidates: usize = load<u32>(list, ListRecord.candidatesAt);
  const candidateCount = gatherCandidates(list, pair, table, leafCount, candidates);
  if (candidateCount == 0) return;
  store<f64>(list, load<f64>(list, ListRecord.triangleTests) + <f64>candidateCount, ListRecord.triangleTests);
  const unsureCount = judgeCandidates(list, table, candidates, candidateCount);
  if (unsureCount != 0) decideUnsure(list, pair, pairIndex, unsureCount);
}

// Brings each leaf pair to the frame of A with the first vertex of A's leaf as origin, where float32 is sharpest,
// and keeps the triangle pairs whose boxes meet there.
function gatherCandidates(list: usize, pair: usize, table: usize, leafCount: u32, candidates: usize): u32 {
  const ring: usize = load<u32>(list, ListRecord.leavesAt), ringStride: usize = load<u32>(list, ListRecord.leavesStride);
  const leavesA: usize = load<u32>(pair, PairRecord.leavesA), leavesB: usize = load<u32>(pair, PairRecord.leavesB);
  const pointError = load<f32>(pair, PairRecord.pointError), localError = load<f32>(pair, PairRecord.localError);
  const exact = pair + PairRecord.toAExact, row = pair + PairRecord.toA;
  let block: usize = load<u32>(list, ListRecord.scratchAt);
  let top = candidates;
  for (let k: usize = 0; k < <usize>leafCount; k++) {
    const leafA = leavesA + <usize>(load<u32>(ring + (k << 2)) & ~LEAF_BIT) * Leaf.SIZE;
    const leafB = leavesB + <usize>(load<u32>(ring + ringStride + (k << 2)) & ~LEAF_BIT) * Leaf.SIZE;
    const blockB = block + B_IN_BLOCK;

    const oax = splatAt(leafA, Leaf.ax), oay = splatAt(leafA, Leaf.ay), oaz = splatAt(leafA, Leaf.az);
    let minAX = splat(0), minAY = splat(0), minAZ = splat(0), maxAX = splat(0), maxAY = splat(0), maxAZ = splat(0);
    for (let v: usize = 0; v < 3; v++) {
      const from = leafA + v * (3 * VECTOR), to = block + v * (3 * VECTOR);
      const x = sub(load4(from), oax), y = sub(load4(from, VECTOR), oay), z = sub(load4(from, 2 * VECTOR), oaz);
      v128.store(to, x); v128.store(to, y, VECTOR); v128.store(to, z, 2 * VECTOR);
      minAX = v == 0 ? x : least(minAX, x); minAY = v == 0 ? y : least(minAY, y); minAZ = v == 0 ? z : least(minAZ, z);
      maxAX = v == 0 ? x : most(maxAX, x); maxAY = v == 0 ? y : most(maxAY, y); maxAZ = v == 0 ? z : most(maxAZ, z);
    }

    const obx = load<f32>(leafB, Leaf.ax), oby = load<f32>(leafB, Leaf.ay), obz = load<f32>(leafB, Leaf.az);
    const dx = <f64>obx, dy = <f64>oby, dz = <f64>obz;
    const tx = splat(<f32>(load<f64>(exact, 0) * dx + load<f64>(exact, 8) * dy + load<f64>(exact, 16) * dz + load<f64>(exact, 24) - <f64>load<f32>(leafA, Leaf.ax)));
    const ty = splat(<f32>(load<f64>(exact, 32) * dx + load<f64>(exact, 40) * dy + load<f64>(exact, 48) * dz + load<f64>(exact, 56) - <f64>load<f32>(leafA, Leaf.ay)));
    const tz = splat(<f32>(load<f64>(exact, 64) * dx + load<f64>(exact, 72) * dy + load<f64>(exact, 80) * dz + load<f64>(exact, 88) - <f64>load<f32>(leafA, Leaf.az)));
    const sbx = splat(obx), sby = splat(oby), sbz = splat(obz);
    let minBX = tx, minBY = ty, minBZ = tz, maxBX = tx, maxBY = ty, maxBZ = tz;
    for (let v: usize = 0; v < 3; v++) {
      const from = leafB + v * (3 * VECTOR), to = blockB + v * (3 * VECTOR);
      const x = sub(load4(from), sbx), y = sub(load4(from, VECTOR), sby), z = sub(load4(from, 2 * VECTOR), sbz);
      const ix = place(row, x, y, z, tx), iy = place(row + 16, x, y, z, ty), iz = place(row + 32, x, y, z, tz);
      v128.store(to, ix); v128.store(to, iy, VECTOR); v128.store(to, iz, 2 * VECTOR);
      minBX = v == 0 ? ix : least(minBX, ix); minBY = v == 0 ? iy : least(minBY, iy); minBZ = v == 0 ? iz : least(minBZ, iz);
      maxBX = v == 0 ? ix : most(maxBX, ix); maxBY = v == 0 ? iy : most(maxBY, iy); maxBZ = v == 0 ? iz : most(maxBZ, iz);
    }

    const idA = load4(leafA, Leaf.id), idB = load4(leafB, Leaf.id);
    v128.store(block, idA, Leaf.id);
    v128.store(blockB, idB, Leaf.id);
    const usedA = ~i32x4.bitmask(idA) & 15, usedB = ~i32x4.bitmask(idB) & 15;

    const size = greatest(most(
      most(most(most(abs(minAX), abs(maxAX)), most(abs(minAY), abs(maxAY))), most(abs(minAZ), abs(maxAZ))),
      most(most(most(abs(minBX), abs(maxBX)), most(abs(minBY), abs(maxBY))), most(abs(minBZ), abs(maxBZ)))));
    const error = add(splat(pointError), mul(splat(localError), size));
    v128.store(block + ERROR_AT, error);
    // Both boxes are off by up to `error`, their difference is rounded once: three errors cover it.
    const slack = mul(error, splat(3));
    minAX = sub(minAX, slack); minAY = sub(minAY, slack); minAZ = sub(minAZ, slack);
    maxAX = add(maxAX, slack); maxAY = add(maxAY, slack); maxAZ = add(maxAZ, slack);

    const lanesA = i32x4.add(i32x4.splat(<i32>block), i32x4(0, 4, 8, 12));
    for (let j: i32 = 0; j < 4; j++) {
      const meet = and(and(
        and(le(minAX, laneOf(maxBX, j)), le(laneOf(minBX, j), maxAX)),
        and(le(minAY, laneOf(maxBY, j)), le(laneOf(minBY, j), maxAY))),
        and(le(minAZ, laneOf(maxBZ, j)), le(laneOf(minBZ, j), maxAZ)));
      const mask = bits(meet) & usedA & -((usedB >> j) & 1);
      v128.store(top, i8x16.swizzle(lanesA, v128.load(table + (<usize>mask << 4))));
      v128.store(top + <usize>CANDIDATE_STRIDE, i32x4.splat(<i32>blockB + (j << 2)));
      top += <usize>popcnt(mask) << 2;
    }
    block += BLOCK_BYTES;
  }
  return <u32>((top - candidates) >> 2);
}

// @ts-ignore: decorator
@inline function place(row: usize, x: v128, y: v128, z: v128, t: v128): v128 {
  return add(add(mul(splatAt(row, 0), x), mul(splatAt(row, 4), y)), add(mul(splatAt(row, 8), z), t));
}

// @ts-ignore: decorator
@inline function laneOf(v: v128, j: i32): v128 {
  if (j == 0) return v128.shuffle<u32>(v, v, 0, 0, 0, 0);
  if (j == 1) return v128.shuffle<u32>(v, v, 1, 1, 1, 1);
  if (j == 2) return v128.shuffle<u32>(v, v, 2, 2, 2, 2);
  return v128.shuffle<u32>(v, v, 3, 3, 3, 3);
}

// @ts-ignore: decorator
@inline function greatest(v: v128): v128 {
  const w = most(v, v128.shuffle<u32>(v, v, 2, 3, 0, 1));
  return most(w, v128.shuffle<u32>(w, w, 1, 0, 3, 2));
}

// Four candidates at a time; sure hits go to the output, the unsure to their ring.
function judgeCandidates(list: usize, table: usize, candidates: usize, count: u32): u32 {
  const other = candidates + <usize>CANDIDATE_STRIDE;
  // The last group is filled up with the first candidate, whose extra verdicts are masked out.
  v128.store(candidates + (<usize>count << 2), v128.load32_splat(candidates));
  v128.store(other + (<usize>count << 2), v128.load32_splat(other));
  const unsure: usize = load<u32>(list, ListRecord.unsureAt);
  const outA: usize = load<u32>(list, ListRecord.pairsAAt), outB: usize = load<u32>(list, ListRecord.pairsBAt);
  const capacity = load<u32>(list, ListRecord.pairsCapacity);
  let found = load<u32>(list, ListRecord.pairsCount), unsureTop = unsure;
  for (let k: u32 = 0; k < count; k += 4) {
    const a = candidates + (<usize>k << 2), b = other + (<usize>k << 2);
    const a0: usize = load<u32>(a), a1: usize = load<u32>(a, 4), a2: usize = load<u32>(a, 8), a3: usize = load<u32>(a, 12);
    const b0: usize = load<u32>(b), b1: usize = load<u32>(b, 4), b2: usize = load<u32>(b, 8), b3: usize = load<u32>(b, 12);
    const left = count - k;
    const valid = left < 4 ? (1 << left) - 1 : 15;
    const verdict = judge4(a0, a1, a2, a3, b0, b1, b2, b3);
    const yes = verdict & valid, maybe = (verdict >> 4) & valid;
    if ((yes | maybe) == 0) continue;
    const idA = i32x4(load<u32>(a0, Leaf.id), load<u32>(a1, Leaf.id), load<u32>(a2, Leaf.id), load<u32>(a3, Leaf.id));
    const idB = i32x4(load<u32>(b0, Leaf.id), load<u32>(b1, Leaf.id), load<u32>(b2, Leaf.id), load<u32>(b3, Leaf.id));
    if (found + 4 <= capacity) {
      const pack = v128.load(table + (<usize>yes << 4));
      v128.store(outA + (<usize>found << 2), i8x16.swizzle(idA, pack));
      v128.store(outB + (<usize>found << 2), i8x16.swizzle(idB, pack));
    }
    found += popcnt(yes);
    const pack = v128.load(table + (<usize>maybe << 4));
    v128.store(unsureTop, i8x16.swizzle(idA, pack));
    v128.store(unsureTop + <usize>CANDIDATE_STRIDE, i8x16.swizzle(idB, pack));
    unsureTop += <usize>popcnt(maybe) << 2;
  }
  store<u32>(list, found, ListRecord.pairsCount);
  return <u32>((unsureTop - unsure) >> 2);
}

// Doubles with a bound, then expansions: the vertices as section "common frame" defines them.
function decideUnsure(list: usize, pair: usize, pairIndex: u32, count: u32): void {
  const unsure: usize = load<u32>(list, ListRecord.unsureAt);
  const points: usize = load<u32>(list, ListRecord.exactAt), scratch = points + 192;
  const meshA: usize = load<u32>(pair, PairRecord.meshA), meshB: usize = load<u32>(pair, PairRecord.meshB);
  const placementA = load<u32>(pair, PairRecord.placedA) ? pair + PairRecord.placementA : 0;
  const placementB = load<u32>(pair, PairRecord.placedB) ? pair + PairRecord.placementB : 0;
  store<f64>(list, load<f64>(list, ListRecord.unsure) + <f64>count, ListRecord.unsure);
  for (let k: usize = 0; k < <usize>count; k++) {
    const a = load<u32>(unsure + (k << 2)), b = load<u32>(unsure + <usize>CANDIDATE_STRIDE + (k << 2));
    placeTriangle(load<u32>(meshA, MeshRecord.positionsAt), load<u32>(meshA, MeshRecord.indicesAt), a, placementA, points);
    placeTriangle(load<u32>(meshB, MeshRecord.positionsAt), load<u32>(meshB, MeshRecord.indicesAt), b, placementB, points + 72);
    const verdict = trianglesMeet(points, scratch);
    if (verdict == MEET) append(list, a, b);
    else if (verdict == TOO_WIDE) appendWide(list, pairIndex, a, b);
  }
}

function append(list: usize, a: u32, b: u32): void {
  const found = load<u32>(list, ListRecord.pairsCount);
  if (found < load<u32>(list, ListRecord.pairsCapacity)) {
    store<u32>(<usize>load<u32>(list, ListRecord.pairsAAt) + (<usize>found << 2), a);
    store<u32>(<usize>load<u32>(list, ListRecord.pairsBAt) + (<usize>found << 2), b);
  }
  store<u32>(list, found + 1, ListRecord.pairsCount);
}

function appendWide(list: usize, pairIndex: u32, a: u32, b: u32): void {
  const count = load<u32>(list, ListRecord.wideCount);
  if (count < load<u32>(list, ListRecord.wideCapacity)) {
    const at = <usize>load<u32>(list, ListRecord.wideAt) + <usize>count * 12;
    store<u32>(at, pairIndex); store<u32>(at, a, 4); store<u32>(at, b, 8);
  }
  store<u32>(list, count + 1, ListRecord.wideCount);
}
