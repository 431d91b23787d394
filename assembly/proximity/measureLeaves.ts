// Computes the distances between the triangles of one leaf and the triangles of another leaf. Skips pairs
// whose lower bound exceeds the smallest distance found so far.
import { dot } from '../narrowphase/filterTriTri';
import { DistanceJob, DistanceSearch, LEAF_BIT, Leaf, PairRecord } from '../records';
import {
  abs,
  add,
  and,
  lane0,
  lane1,
  lane2,
  lane3,
  le,
  load4,
  maskBits,
  max4,
  min4,
  mul,
  neg,
  splat,
  splatAt,
  sub,
} from '../simd/lanes';
import { lengthOf, limitOf, loadBest, measure } from './nearest';

// A bound of the relative error of sixteen float roundings: 16 * 2^-24.
const ROUNDINGS: f32 = 9.5367431640625e-7;
// Twice the relative error of one float rounding: 2^-23. The factor two covers the rounding of the bound
// itself.
const ROUNDING: f32 = 1.1920928955078125e-7;
// The factor of the limit in `boundsWithin`. It covers the rounding of the length, the limit and the squared
// gaps.
const ROUND_UP: f32 = 1.0000019073486328125;

function ge(a: v128, b: v128): v128 {
  return f32x4.ge(a, b);
}

// Returns a lower bound of the gap between the boxes of two triangles on an axis, times `weight`. slack
// covers the errors of the boxes and rounding.
function gap(lowA: v128, highA: v128, lowB: v128, highB: v128, slack: v128, weight: v128): v128 {
  return mul(max4(sub(max4(sub(lowB, highA), sub(lowA, highB)), slack), splat(0)), weight);
}

function sumOfSquares(x: v128, y: v128, z: v128): v128 {
  return add(add(mul(x, x), mul(y, y)), mul(z, z));
}

function maxLane(v: v128): v128 {
  const w = max4(v, v128.shuffle<u32>(v, v, 2, 3, 0, 1));
  return max4(w, v128.shuffle<u32>(w, w, 1, 0, 3, 2));
}

function place(row: usize, x: v128, y: v128, z: v128, t: v128): v128 {
  return add(add(mul(splatAt(row, 0), x), mul(splatAt(row, 4), y)), add(mul(splatAt(row, 8), z), t));
}

// Returns one coordinate of a difference: the origin of B's leaf, in A's normalized frame, minus the origin of
// A's leaf. Computes it in doubles, because large numbers cancel in the difference.
function localOffset(pair: usize, rowAt: usize, leafB: usize, origin: f32): v128 {
  const at = pair + PairRecord.toAExact + rowAt;
  return splat(
    <f32>(
      (load<f64>(at) * <f64>load<f32>(leafB, Leaf.originX) +
        load<f64>(at, 8) * <f64>load<f32>(leafB, Leaf.originY) +
        (load<f64>(at, 16) * <f64>load<f32>(leafB, Leaf.originZ) + (load<f64>(at, 24) - <f64>origin)))
    ),
  );
}

// `lowest` and `highest` project the corners of a leaf's four triangles, relative to the leaf's origin, onto
// the direction at `along`. For each triangle, they return the minimum (`lowest`) or the maximum (`highest`) of
// its three projections.
function lowest(
  along: usize,
  ax: v128,
  ay: v128,
  az: v128,
  bx: v128,
  by: v128,
  bz: v128,
  cx: v128,
  cy: v128,
  cz: v128,
): v128 {
  const x = splatAt(along, 0);
  const y = splatAt(along, 4);
  const z = splatAt(along, 8);
  return min4(min4(dot(ax, ay, az, x, y, z), dot(bx, by, bz, x, y, z)), dot(cx, cy, cz, x, y, z));
}
function highest(
  along: usize,
  ax: v128,
  ay: v128,
  az: v128,
  bx: v128,
  by: v128,
  bz: v128,
  cx: v128,
  cy: v128,
  cz: v128,
): v128 {
  const x = splatAt(along, 0);
  const y = splatAt(along, 4);
  const z = splatAt(along, 8);
  return max4(max4(dot(ax, ay, az, x, y, z), dot(bx, by, bz, x, y, z)), dot(cx, cy, cz, x, y, z));
}

// Returns one coordinate of the vector from the origin of A's leaf to the origin of B's leaf, in A's normalized
// frame. axis: 0, 1 or 2. Computes it in doubles, so that it is precise even if the leaves are far apart.
function originDifference(pair: usize, axis: usize, leafA: usize, leafB: usize): f64 {
  const row = pair + PairRecord.toAExact + (axis << 5);
  return (
    load<f64>(row) * <f64>load<f32>(leafB, Leaf.originX) +
    load<f64>(row, 8) * <f64>load<f32>(leafB, Leaf.originY) +
    (load<f64>(row, 16) * <f64>load<f32>(leafB, Leaf.originZ) +
      (load<f64>(row, 24) - <f64>load<f32>(leafA + (axis << 2), Leaf.originX)))
  );
}

// Returns the projection of the vector (x, y, z) onto direction `which` (0 to 2) of the search.
function distanceAlong(search: usize, which: usize, x: f64, y: f64, z: f64): f64 {
  const along = search + which * 12;
  return (
    <f64>load<f32>(along, DistanceSearch.alongA) * x +
    <f64>load<f32>(along, DistanceSearch.alongA + 4) * y +
    <f64>load<f32>(along, DistanceSearch.alongA + 8) * z
  );
}

// Returns a bound of the error of the projection of (x, y, z) onto any direction of the search. Each component
// of a direction is rounded to a float, which changes it by at most 2^-24 of its size. If A is not scaled by
// the same factor along all axes, the change may be a large part of the projection, so the margin in the length
// of the direction (see putDirection) does not cover it.
function errorOfDistanceAlong(search: usize, x: f64, y: f64, z: f64): f32 {
  let maxSum: f64 = 0;
  for (let which: usize = 0; which < 3; which++) {
    const along = search + which * 12;
    const sum =
      f64.abs(<f64>load<f32>(along, DistanceSearch.alongA) * x) +
      f64.abs(<f64>load<f32>(along, DistanceSearch.alongA + 4) * y) +
      f64.abs(<f64>load<f32>(along, DistanceSearch.alongA + 8) * z);
    maxSum = max(maxSum, sum);
  }
  return ROUNDING * <f32>maxSum;
}

// Returns a bound of the error of a projection onto a direction of the search, not including the error of the
// vector between the leaves' origins. The error has two parts. First, each coordinate of a vertex has an
// error of at most pointError. Second, a projection is rounded fewer than 16 times. It is a sum of products.
// One factor of a product is a component of the direction, which is rounded itself. The other factor is a
// coordinate, whose magnitude is at most the size of the leaf. DistanceSearch.size and sizeB bound the sum of
// the absolute values of the direction's components, in the frames of A and B.
function errorAlong(search: usize, pair: usize, leafA: usize, leafB: usize): f32 {
  const directionA = load<f32>(search, DistanceSearch.size);
  const directionB = load<f32>(search, DistanceSearch.sizeB);
  return (
    3 * directionA * load<f32>(pair, PairRecord.pointError) +
    ROUNDINGS * (directionA * load<f32>(leafA, Leaf.size) + directionB * load<f32>(leafB, Leaf.size))
  );
}

// Returns `bounds` for the pairs whose distance may be at most `length`, and infinity for the other pairs.
// excess: an upper bound of `length` minus the separation along the search's first direction. If this bound is
// negative, the distance of the pair is more than `length`. gap2, gap3: the gaps along the second and third
// directions.
//
// If two triangles are separated by at least length - excess along the first direction, and their distance is
// at most `length`, then the square of their offset perpendicular to this direction is at most
// length^2 - (length - excess)^2 = (2 length - excess) excess. The code uses the larger bound
// (2 length + |excess|) excess. This bound is also valid if the projections overlap, that is, if
// excess > length: the offset is then at most `length`, and the bound exceeds length^2. The parameter is the
// excess instead of the separation, because subtracting two large floats would lose precision if the pair is
// distant. The caller subtracts in doubles.
function boundsWithin(excess: v128, length: v128, gap2: v128, gap3: v128, bounds: v128): v128 {
  const limit = mul(mul(add(add(length, length), abs(excess)), excess), splat(ROUND_UP));
  return v128.bitselect(
    bounds,
    splat(Infinity),
    and(ge(excess, splat(0)), le(add(mul(gap2, gap2), mul(gap3, gap3)), limit)),
  );
}

// Returns the gap between two ranges, or 0 if they overlap.
function gapBetween(lowA: v128, highA: v128, lowB: v128, highB: v128): v128 {
  return max4(max4(sub(lowB, highA), sub(lowA, highB)), splat(0));
}

/**
 * Writes 16 floats to `out`, one per pair of a triangle of leaf A and a triangle of leaf B: a lower bound of
 * the squared distance, in squares of the job's `unit`, or infinity if the distance is certainly more than
 * `best`. Float 4 * j + i belongs to triangle i of leaf A and triangle j of leaf B.
 */
export function distanceBoundTriangles(
  job: usize,
  search: usize,
  pair: usize,
  leafA: usize,
  leafB: usize,
  best: f64,
  out: usize,
): void {
  const tx = localOffset(pair, 0, leafB, load<f32>(leafA, Leaf.originX));
  const ty = localOffset(pair, 32, leafB, load<f32>(leafA, Leaf.originY));
  const tz = localOffset(pair, 64, leafB, load<f32>(leafA, Leaf.originZ));
  const row = pair + PairRecord.toA;
  const ax = load4(leafB, Leaf.ax);
  const ay = load4(leafB, Leaf.ay);
  const az = load4(leafB, Leaf.az);
  const bx = load4(leafB, Leaf.bx);
  const by = load4(leafB, Leaf.by);
  const bz = load4(leafB, Leaf.bz);
  const cx = load4(leafB, Leaf.cx);
  const cy = load4(leafB, Leaf.cy);
  const cz = load4(leafB, Leaf.cz);
  const pax = place(row, ax, ay, az, tx);
  const pbx = place(row, bx, by, bz, tx);
  const pcx = place(row, cx, cy, cz, tx);
  const lowBX = min4(min4(pax, pbx), pcx);
  const highBX = max4(max4(pax, pbx), pcx);
  const pay = place(row + 16, ax, ay, az, ty);
  const pby = place(row + 16, bx, by, bz, ty);
  const pcy = place(row + 16, cx, cy, cz, ty);
  const lowBY = min4(min4(pay, pby), pcy);
  const highBY = max4(max4(pay, pby), pcy);
  const paz = place(row + 32, ax, ay, az, tz);
  const pbz = place(row + 32, bx, by, bz, tz);
  const pcz = place(row + 32, cx, cy, cz, tz);
  const lowBZ = min4(min4(paz, pbz), pcz);
  const highBZ = max4(max4(paz, pbz), pcz);
  const aax = load4(leafA, Leaf.ax);
  const abx = load4(leafA, Leaf.bx);
  const acx = load4(leafA, Leaf.cx);
  const lowAX = min4(min4(aax, abx), acx);
  const highAX = max4(max4(aax, abx), acx);
  const aay = load4(leafA, Leaf.ay);
  const aby = load4(leafA, Leaf.by);
  const acy = load4(leafA, Leaf.cy);
  const lowAY = min4(min4(aay, aby), acy);
  const highAY = max4(max4(aay, aby), acy);
  const aaz = load4(leafA, Leaf.az);
  const abz = load4(leafA, Leaf.bz);
  const acz = load4(leafA, Leaf.cz);
  const lowAZ = min4(min4(aaz, abz), acz);
  const highAZ = max4(max4(aaz, abz), acz);

  const size = max4(
    splatAt(leafA, Leaf.size),
    maxLane(max4(max4(max4(neg(lowBX), highBX), max4(neg(lowBY), highBY)), max4(neg(lowBZ), highBZ))),
  );
  const slack = mul(
    add(splatAt(pair, PairRecord.pointError), mul(splatAt(pair, PairRecord.localError), size)),
    splat(3),
  );
  const wx = splatAt(job, DistanceJob.weightsA);
  const wy = splatAt(job, DistanceJob.weightsA + 4);
  const wz = splatAt(job, DistanceJob.weightsA + 8);
  const own = search + DistanceSearch.alongA;
  const other = search + DistanceSearch.alongB;
  const dx = originDifference(pair, 0, leafA, leafB);
  const dy = originDifference(pair, 1, leafA, leafB);
  const dz = originDifference(pair, 2, leafA, leafB);
  const error = splat(errorAlong(search, pair, leafA, leafB) + errorOfDistanceAlong(search, dx, dy, dz));
  const maxLength = lengthOf(job, best);
  const length = splat(<f32>maxLength);
  // The `excess` of boundsWithin is maxLength + error - separation. The separation along the first direction
  // is the distance between the leaves' origins, plus the minimum of B, minus the maximum of A. excessA: the
  // excess without the minimum of B. lowA2 to highB2: the ranges of A and of B along the second direction.
  // lowA3 to highB3: the same along the third direction.
  const excessA = add(
    highest(own, aax, aay, aaz, abx, aby, abz, acx, acy, acz),
    add(error, splat(<f32>(maxLength - distanceAlong(search, 0, dx, dy, dz)))),
  );
  const nearestB = lowest(other, ax, ay, az, bx, by, bz, cx, cy, cz);
  const offset2 = splat(<f32>distanceAlong(search, 1, dx, dy, dz));
  const offset3 = splat(<f32>distanceAlong(search, 2, dx, dy, dz));
  const lowA2 = sub(lowest(own + 12, aax, aay, aaz, abx, aby, abz, acx, acy, acz), error);
  const highA2 = add(highest(own + 12, aax, aay, aaz, abx, aby, abz, acx, acy, acz), error);
  const lowB2 = add(lowest(other + 12, ax, ay, az, bx, by, bz, cx, cy, cz), offset2);
  const highB2 = add(highest(other + 12, ax, ay, az, bx, by, bz, cx, cy, cz), offset2);
  const lowA3 = sub(lowest(own + 24, aax, aay, aaz, abx, aby, abz, acx, acy, acz), error);
  const highA3 = add(highest(own + 24, aax, aay, aaz, abx, aby, abz, acx, acy, acz), error);
  const lowB3 = add(lowest(other + 24, ax, ay, az, bx, by, bz, cx, cy, cz), offset3);
  const highB3 = add(highest(other + 24, ax, ay, az, bx, by, bz, cx, cy, cz), offset3);
  v128.store(
    out,
    boundsWithin(
      sub(excessA, lane0(nearestB)),
      length,
      gapBetween(lowA2, highA2, lane0(lowB2), lane0(highB2)),
      gapBetween(lowA3, highA3, lane0(lowB3), lane0(highB3)),
      sumOfSquares(
        gap(lowAX, highAX, lane0(lowBX), lane0(highBX), slack, wx),
        gap(lowAY, highAY, lane0(lowBY), lane0(highBY), slack, wy),
        gap(lowAZ, highAZ, lane0(lowBZ), lane0(highBZ), slack, wz),
      ),
    ),
  );
  v128.store(
    out,
    boundsWithin(
      sub(excessA, lane1(nearestB)),
      length,
      gapBetween(lowA2, highA2, lane1(lowB2), lane1(highB2)),
      gapBetween(lowA3, highA3, lane1(lowB3), lane1(highB3)),
      sumOfSquares(
        gap(lowAX, highAX, lane1(lowBX), lane1(highBX), slack, wx),
        gap(lowAY, highAY, lane1(lowBY), lane1(highBY), slack, wy),
        gap(lowAZ, highAZ, lane1(lowBZ), lane1(highBZ), slack, wz),
      ),
    ),
    16,
  );
  v128.store(
    out,
    boundsWithin(
      sub(excessA, lane2(nearestB)),
      length,
      gapBetween(lowA2, highA2, lane2(lowB2), lane2(highB2)),
      gapBetween(lowA3, highA3, lane2(lowB3), lane2(highB3)),
      sumOfSquares(
        gap(lowAX, highAX, lane2(lowBX), lane2(highBX), slack, wx),
        gap(lowAY, highAY, lane2(lowBY), lane2(highBY), slack, wy),
        gap(lowAZ, highAZ, lane2(lowBZ), lane2(highBZ), slack, wz),
      ),
    ),
    32,
  );
  v128.store(
    out,
    boundsWithin(
      sub(excessA, lane3(nearestB)),
      length,
      gapBetween(lowA2, highA2, lane3(lowB2), lane3(highB2)),
      gapBetween(lowA3, highA3, lane3(lowB3), lane3(highB3)),
      sumOfSquares(
        gap(lowAX, highAX, lane3(lowBX), lane3(highBX), slack, wx),
        gap(lowAY, highAY, lane3(lowBY), lane3(highBY), slack, wy),
        gap(lowAZ, highAZ, lane3(lowBZ), lane3(highBZ), slack, wz),
      ),
    ),
    48,
  );
}

/**
 * Computes the distances between the triangles of two leaves, given by their handles. Starts with the pair
 * that has the smallest lower bound, and skips pairs that cannot be the nearest. Stops and returns true if it
 * finds two triangles that intersect; returns false otherwise.
 */
export function measureLeaves(job: usize, search: usize, pair: usize, handleA: u32, handleB: u32): bool {
  const leafA = <usize>load<u32>(pair, PairRecord.leavesA) + <usize>(handleA & ~LEAF_BIT) * Leaf.SIZE;
  const leafB = <usize>load<u32>(pair, PairRecord.leavesB) + <usize>(handleB & ~LEAF_BIT) * Leaf.SIZE;
  const bounds: usize = load<u32>(search, DistanceSearch.scratchAt);
  store<f64>(search, load<f64>(search, DistanceSearch.leafPairs) + 1, DistanceSearch.leafPairs);
  const unusedA = maskBits(load4(leafA, Leaf.id));
  const unusedB = maskBits(load4(leafB, Leaf.id));
  let left = 0xffff & ~(unusedA * 0x1111);
  for (let j = 0; j < 4; j++) if (((unusedB >> j) & 1) != 0) left &= ~(15 << (4 * j));
  let best = loadBest(job);
  distanceBoundTriangles(job, search, pair, leafA, leafB, best, bounds);
  while (left != 0) {
    const known = loadBest(job);
    if (known != best) {
      best = known;
      distanceBoundTriangles(job, search, pair, leafA, leafB, best, bounds);
    }
    const limit = limitOf(job, best);
    let found: i32 = -1;
    let minBound: f32 = Infinity;
    for (let rest = left; rest != 0; rest &= rest - 1) {
      const i = ctz(rest);
      const bound = load<f32>(bounds + ((<usize>i) << 2));
      if (!(bound <= limit)) left &= ~(1 << i);
      else if (bound < minBound) {
        found = i;
        minBound = bound;
      }
    }
    if (found < 0) break;
    left &= ~(1 << found);
    if (
      measure(
        job,
        search,
        load<u32>(leafA + ((<usize>(found & 3)) << 2), Leaf.id),
        load<u32>(leafB + ((<usize>(found >> 2)) << 2), Leaf.id),
      )
    )
      return true;
  }
  return false;
}
