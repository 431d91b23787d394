// A pair of leaves -> the distances of those of its triangles that may be the nearest.
import { add, bits, lane0, lane1, lane2, lane3, least, load4, most, mul, neg, splat, splatAt, sub } from '../lanes';
import { Leaf, LEAF_BIT, NearJob, PairRecord, Seeker } from '../layout';
import { bestOf, limitOf, measure } from './nearest';

// What boxes of two triangles are apart on an axis, at least: off by an error each, and rounded.
// @ts-ignore: decorator
@inline function gap(lowA: v128, highA: v128, lowB: v128, highB: v128, slack: v128, weight: v128): v128 {
  return mul(most(sub(most(sub(lowB, highA), sub(lowA, highB)), slack), splat(0)), weight);
}

// @ts-ignore: decorator
@inline function squares(x: v128, y: v128, z: v128): v128 { return add(add(mul(x, x), mul(y, y)), mul(z, z)); }

// @ts-ignore: decorator
@inline function greatest(v: v128): v128 {
  const w = most(v, v128.shuffle<u32>(v, v, 2, 3, 0, 1));
  return most(w, v128.shuffle<u32>(w, w, 1, 0, 3, 2));
}

// @ts-ignore: decorator
@inline function place(row: usize, x: v128, y: v128, z: v128, t: v128): v128 {
  return add(add(mul(splatAt(row, 0), x), mul(splatAt(row, 4), y)), add(mul(splatAt(row, 8), z), t));
}

// One coordinate of the origin of B's leaf in A's local frame: in doubles, since here large numbers cancel.
// @ts-ignore: decorator
@inline function localOffset(pair: usize, rowAt: usize, leafB: usize, origin: f32): v128 {
  const at = pair + PairRecord.toAExact + rowAt;
  return splat(<f32>((load<f64>(at) * <f64>load<f32>(leafB, Leaf.originX) + load<f64>(at, 8) * <f64>load<f32>(leafB, Leaf.originY))
    + (load<f64>(at, 16) * <f64>load<f32>(leafB, Leaf.originZ) + (load<f64>(at, 24) - <f64>origin))));
}

/** Squares of what the 16 triangle pairs of two leaves are apart at least, as apart16 orders them, at `out`. Unused lanes repeat the first triangle. */
export function apartTriangles(job: usize, pair: usize, leafA: usize, leafB: usize, out: usize): void {
  const tx = localOffset(pair, 0, leafB, load<f32>(leafA, Leaf.originX));
  const ty = localOffset(pair, 32, leafB, load<f32>(leafA, Leaf.originY));
  const tz = localOffset(pair, 64, leafB, load<f32>(leafA, Leaf.originZ));
  const row = pair + PairRecord.toA;
  const ax = load4(leafB, Leaf.ax), ay = load4(leafB, Leaf.ay), az = load4(leafB, Leaf.az);
  const bx = load4(leafB, Leaf.bx), by = load4(leafB, Leaf.by), bz = load4(leafB, Leaf.bz);
  const cx = load4(leafB, Leaf.cx), cy = load4(leafB, Leaf.cy), cz = load4(leafB, Leaf.cz);
  const pax = place(row, ax, ay, az, tx), pbx = place(row, bx, by, bz, tx), pcx = place(row, cx, cy, cz, tx);
  const lowBX = least(least(pax, pbx), pcx), highBX = most(most(pax, pbx), pcx);
  const pay = place(row + 16, ax, ay, az, ty), pby = place(row + 16, bx, by, bz, ty), pcy = place(row + 16, cx, cy, cz, ty);
  const lowBY = least(least(pay, pby), pcy), highBY = most(most(pay, pby), pcy);
  const paz = place(row + 32, ax, ay, az, tz), pbz = place(row + 32, bx, by, bz, tz), pcz = place(row + 32, cx, cy, cz, tz);
  const lowBZ = least(least(paz, pbz), pcz), highBZ = most(most(paz, pbz), pcz);
  const aax = load4(leafA, Leaf.ax), abx = load4(leafA, Leaf.bx), acx = load4(leafA, Leaf.cx);
  const lowAX = least(least(aax, abx), acx), highAX = most(most(aax, abx), acx);
  const aay = load4(leafA, Leaf.ay), aby = load4(leafA, Leaf.by), acy = load4(leafA, Leaf.cy);
  const lowAY = least(least(aay, aby), acy), highAY = most(most(aay, aby), acy);
  const aaz = load4(leafA, Leaf.az), abz = load4(leafA, Leaf.bz), acz = load4(leafA, Leaf.cz);
  const lowAZ = least(least(aaz, abz), acz), highAZ = most(most(aaz, abz), acz);

  const size = most(splatAt(leafA, Leaf.size), greatest(most(most(most(neg(lowBX), highBX), most(neg(lowBY), highBY)), most(neg(lowBZ), highBZ))));
  const slack = mul(add(splatAt(pair, PairRecord.pointError), mul(splatAt(pair, PairRecord.localError), size)), splat(3));
  const wx = splatAt(job, NearJob.weightsA), wy = splatAt(job, NearJob.weightsA + 4), wz = splatAt(job, NearJob.weightsA + 8);
  v128.store(out, squares(gap(lowAX, highAX, lane0(lowBX), lane0(highBX), slack, wx), gap(lowAY, highAY, lane0(lowBY), lane0(highBY), slack, wy), gap(lowAZ, highAZ, lane0(lowBZ), lane0(highBZ), slack, wz)));
  v128.store(out, squares(gap(lowAX, highAX, lane1(lowBX), lane1(highBX), slack, wx), gap(lowAY, highAY, lane1(lowBY), lane1(highBY), slack, wy), gap(lowAZ, highAZ, lane1(lowBZ), lane1(highBZ), slack, wz)), 16);
  v128.store(out, squares(gap(lowAX, highAX, lane2(lowBX), lane2(highBX), slack, wx), gap(lowAY, highAY, lane2(lowBY), lane2(highBY), slack, wy), gap(lowAZ, highAZ, lane2(lowBZ), lane2(highBZ), slack, wz)), 32);
  v128.store(out, squares(gap(lowAX, highAX, lane3(lowBX), lane3(highBX), slack, wx), gap(lowAY, highAY, lane3(lowBY), lane3(highBY), slack, wy), gap(lowAZ, highAZ, lane3(lowBZ), lane3(highBZ), slack, wz)), 48);
}

/** Handles of two leaves; their nearest triangles first. Returns whether two of them meet. */
export function measureLeaves(job: usize, seeker: usize, pair: usize, handleA: u32, handleB: u32): bool {
  const leafA = <usize>load<u32>(pair, PairRecord.leavesA) + <usize>(handleA & ~LEAF_BIT) * Leaf.SIZE;
  const leafB = <usize>load<u32>(pair, PairRecord.leavesB) + <usize>(handleB & ~LEAF_BIT) * Leaf.SIZE;
  const bounds: usize = load<u32>(seeker, Seeker.scratchAt);
  apartTriangles(job, pair, leafA, leafB, bounds);
  store<f64>(seeker, load<f64>(seeker, Seeker.leafPairs) + 1, Seeker.leafPairs);
  const unusedA = bits(load4(leafA, Leaf.id)), unusedB = bits(load4(leafB, Leaf.id));
  let left = 0xffff;
  while (true) {
    const limit = limitOf(job, bestOf(job));
    let found: i32 = -1, least: f32 = limit;
    for (let rest = left; rest != 0; rest &= rest - 1) {
      const i = ctz(rest), bound = load<f32>(bounds + (<usize>i << 2));
      if (!(bound <= least) || ((unusedA >> (i & 3)) & 1) != 0 || ((unusedB >> (i >> 2)) & 1) != 0) continue;
      if (bound == least && found >= 0) continue;
      found = i; least = bound;
    }
    if (found < 0) break;
    left &= ~(1 << found);
    if (measure(job, seeker, load<u32>(leafA + (<usize>(found & 3) << 2), Leaf.id), load<u32>(leafB + (<usize>(found >> 2) << 2), Leaf.id))) return true;
  }
  return false;
}
