// Computes lower bounds of the squared distance, in the common frame, between the triangles below a box of A
// and the triangles below a box of B. Each bound is the maximum of several bounds. One measures the gaps
// between the boxes along the axes of A's frame, and another along the axes of B's frame. Once the search has
// found two near points, a third bound uses three more axes: the direction between the points and two
// directions perpendicular to it. If 16 pairs are bounded at once, the third bound replaces the bound in B's
// frame.

import { DistanceJob, DistanceSearch, Node, PairRecord } from '../records';
import { halfImage, image } from '../simd/frames';
import { abs, add, lane0, lane1, lane2, lane3, load4, max4, mul, splat, splatAt, sub } from '../simd/lanes';

const ROW: usize = 16;
const ABS_ROW: usize = 12;

// Returns the gap between two boxes on an axis, times the weight of the axis (see DistanceJob). Empty boxes
// give infinity or NaN.
function gap(centerA: v128, centerB: v128, halfA: v128, halfB: v128, weight: v128): v128 {
  return mul(max4(sub(abs(sub(centerA, centerB)), add(halfA, halfB)), splat(0)), weight);
}

function sumOfSquares(x: v128, y: v128, z: v128): v128 {
  return add(add(mul(x, x), mul(y, y)), mul(z, z));
}

// Bounds the four children of a node of A against one box of B, in B's frame. x, y, z, hx, hy, hz: the
// children's centers and half extents in B's frame. lane: the address of B's box.
// @ts-ignore: decorator
@inline
function inLane(job: usize, x: v128, y: v128, z: v128, hx: v128, hy: v128, hz: v128, lane: usize): v128 {
  return sumOfSquares(
    gap(x, splatAt(lane, Node.centerX), hx, splatAt(lane, Node.halfX), splatAt(job, DistanceJob.weightsB)),
    gap(
      y,
      splatAt(lane, Node.centerY),
      hy,
      splatAt(lane, Node.halfY),
      splatAt(job, DistanceJob.weightsB + 4),
    ),
    gap(
      z,
      splatAt(lane, Node.centerZ),
      hz,
      splatAt(lane, Node.halfZ),
      splatAt(job, DistanceJob.weightsB + 8),
    ),
  );
}

/**
 * Bounds the four children of a node of A against the four children of a node of B. Lane i of the vector at
 * `out + 16 j` is the bound for child i of A and child j of B. `out` needs room for 128 bytes.
 */
export function distanceBound16(
  job: usize,
  search: usize,
  pair: usize,
  nodeA: usize,
  nodeB: usize,
  out: usize,
): void {
  const bx = load4(nodeB, Node.centerX);
  const by = load4(nodeB, Node.centerY);
  const bz = load4(nodeB, Node.centerZ);
  const px = image(pair + PairRecord.toA, bx, by, bz);
  const py = image(pair + PairRecord.toA + ROW, bx, by, bz);
  const pz = image(pair + PairRecord.toA + 2 * ROW, bx, by, bz);
  const bhx = load4(nodeB, Node.halfX);
  const bhy = load4(nodeB, Node.halfY);
  const bhz = load4(nodeB, Node.halfZ);
  const slack = splatAt(pair, PairRecord.slackA);
  const hx = halfImage(pair + PairRecord.absToA, bhx, bhy, bhz, slack);
  const hy = halfImage(pair + PairRecord.absToA + ABS_ROW, bhx, bhy, bhz, slack);
  const hz = halfImage(pair + PairRecord.absToA + 2 * ABS_ROW, bhx, bhy, bhz, slack);
  const ax = load4(nodeA, Node.centerX);
  const ay = load4(nodeA, Node.centerY);
  const az = load4(nodeA, Node.centerZ);
  const ahx = load4(nodeA, Node.halfX);
  const ahy = load4(nodeA, Node.halfY);
  const ahz = load4(nodeA, Node.halfZ);
  const wx = splatAt(job, DistanceJob.weightsA);
  const wy = splatAt(job, DistanceJob.weightsA + 4);
  const wz = splatAt(job, DistanceJob.weightsA + 8);
  v128.store(
    out,
    sumOfSquares(
      gap(ax, lane0(px), ahx, lane0(hx), wx),
      gap(ay, lane0(py), ahy, lane0(hy), wy),
      gap(az, lane0(pz), ahz, lane0(hz), wz),
    ),
  );
  v128.store(
    out,
    sumOfSquares(
      gap(ax, lane1(px), ahx, lane1(hx), wx),
      gap(ay, lane1(py), ahy, lane1(hy), wy),
      gap(az, lane1(pz), ahz, lane1(hz), wz),
    ),
    16,
  );
  v128.store(
    out,
    sumOfSquares(
      gap(ax, lane2(px), ahx, lane2(hx), wx),
      gap(ay, lane2(py), ahy, lane2(hy), wy),
      gap(az, lane2(pz), ahz, lane2(hz), wz),
    ),
    32,
  );
  v128.store(
    out,
    sumOfSquares(
      gap(ax, lane3(px), ahx, lane3(hx), wx),
      gap(ay, lane3(py), ahy, lane3(hy), wy),
      gap(az, lane3(pz), ahz, lane3(hz), wz),
    ),
    48,
  );
  if (load<f32>(search, DistanceSearch.size) != 0) boundAlong(search, nodeA, nodeB, out);
  else boundInB(job, pair, nodeA, nodeB, out);
}

// `centerAlong` projects the centers of four boxes onto the direction at `along`, and `halfAlong` projects
// their half extents.
function centerAlong(along: usize, x: v128, y: v128, z: v128): v128 {
  return add(add(mul(x, splatAt(along, 0)), mul(y, splatAt(along, 4))), mul(z, splatAt(along, 8)));
}
function halfAlong(along: usize, x: v128, y: v128, z: v128): v128 {
  return add(
    add(mul(x, abs(splatAt(along, 0))), mul(y, abs(splatAt(along, 4)))),
    mul(z, abs(splatAt(along, 8))),
  );
}

// Returns the squared gap between two boxes along a direction. middleB already includes the direction's
// offset, and halfB already includes the error bound.
function squaredGap(middleA: v128, middleB: v128, halfA: v128, halfB: v128): v128 {
  const distance = max4(sub(abs(sub(middleA, middleB)), add(halfA, halfB)), splat(0));
  return mul(distance, distance);
}

// Adds the squared gaps along one direction to the 16 sums at `sums`.
// @ts-ignore: decorator
@inline
function addDirection(search: usize, which: usize, nodeA: usize, nodeB: usize, sums: usize): void {
  const alongA = search + DistanceSearch.alongA + which * 12;
  const alongB = search + DistanceSearch.alongB + which * 12;
  const a = centerAlong(
    alongA,
    load4(nodeA, Node.centerX),
    load4(nodeA, Node.centerY),
    load4(nodeA, Node.centerZ),
  );
  const ha = halfAlong(alongA, load4(nodeA, Node.halfX), load4(nodeA, Node.halfY), load4(nodeA, Node.halfZ));
  const b = add(
    centerAlong(alongB, load4(nodeB, Node.centerX), load4(nodeB, Node.centerY), load4(nodeB, Node.centerZ)),
    splatAt(search + (which << 2), DistanceSearch.offsets),
  );
  const hb = add(
    halfAlong(alongB, load4(nodeB, Node.halfX), load4(nodeB, Node.halfY), load4(nodeB, Node.halfZ)),
    splatAt(search, DistanceSearch.error),
  );
  v128.store(sums, add(load4(sums), squaredGap(a, lane0(b), ha, lane0(hb))));
  v128.store(sums, add(load4(sums, 16), squaredGap(a, lane1(b), ha, lane1(hb))), 16);
  v128.store(sums, add(load4(sums, 32), squaredGap(a, lane2(b), ha, lane2(hb))), 32);
  v128.store(sums, add(load4(sums, 48), squaredGap(a, lane3(b), ha, lane3(hb))), 48);
}

function boundAlong(search: usize, nodeA: usize, nodeB: usize, out: usize): void {
  const sums = out + 64;
  memory.fill(sums, 0, 64);
  addDirection(search, 0, nodeA, nodeB, sums);
  addDirection(search, 1, nodeA, nodeB, sums);
  addDirection(search, 2, nodeA, nodeB, sums);
  for (let row: usize = 0; row < 64; row += 16)
    v128.store(out + row, max4(load4(out + row), load4(sums + row)));
}

// Raises each of the 16 bounds at `out` to the bound in B's frame, if that is larger. The two frames are
// handled one after the other, because handling both at once would need more registers than there are.
function boundInB(job: usize, pair: usize, nodeA: usize, nodeB: usize, out: usize): void {
  const ax = load4(nodeA, Node.centerX);
  const ay = load4(nodeA, Node.centerY);
  const az = load4(nodeA, Node.centerZ);
  const px = image(pair + PairRecord.toB, ax, ay, az);
  const py = image(pair + PairRecord.toB + ROW, ax, ay, az);
  const pz = image(pair + PairRecord.toB + 2 * ROW, ax, ay, az);
  const ahx = load4(nodeA, Node.halfX);
  const ahy = load4(nodeA, Node.halfY);
  const ahz = load4(nodeA, Node.halfZ);
  const slack = splatAt(pair, PairRecord.slackB);
  const hx = halfImage(pair + PairRecord.absToB, ahx, ahy, ahz, slack);
  const hy = halfImage(pair + PairRecord.absToB + ABS_ROW, ahx, ahy, ahz, slack);
  const hz = halfImage(pair + PairRecord.absToB + 2 * ABS_ROW, ahx, ahy, ahz, slack);
  v128.store(out, max4(load4(out), inLane(job, px, py, pz, hx, hy, hz, nodeB)));
  v128.store(out, max4(load4(out, 16), inLane(job, px, py, pz, hx, hy, hz, nodeB + 4)), 16);
  v128.store(out, max4(load4(out, 32), inLane(job, px, py, pz, hx, hy, hz, nodeB + 8)), 32);
  v128.store(out, max4(load4(out, 48), inLane(job, px, py, pz, hx, hy, hz, nodeB + 12)), 48);
}

/**
 * Bounds one box of A, given by its lane's address, against the four children of a node of B. Lane j is for
 * child j.
 */
export function distanceBoundLeafA(job: usize, search: usize, pair: usize, laneA: usize, nodeB: usize): v128 {
  return bound4(
    job,
    search,
    pair,
    splatAt(laneA, Node.centerX),
    splatAt(laneA, Node.centerY),
    splatAt(laneA, Node.centerZ),
    splatAt(laneA, Node.halfX),
    splatAt(laneA, Node.halfY),
    splatAt(laneA, Node.halfZ),
    load4(nodeB, Node.centerX),
    load4(nodeB, Node.centerY),
    load4(nodeB, Node.centerZ),
    load4(nodeB, Node.halfX),
    load4(nodeB, Node.halfY),
    load4(nodeB, Node.halfZ),
  );
}

/** Bounds the four children of a node of A against one box of B. Lane i is for child i. */
export function distanceBoundLeafB(job: usize, search: usize, pair: usize, nodeA: usize, laneB: usize): v128 {
  return bound4(
    job,
    search,
    pair,
    load4(nodeA, Node.centerX),
    load4(nodeA, Node.centerY),
    load4(nodeA, Node.centerZ),
    load4(nodeA, Node.halfX),
    load4(nodeA, Node.halfY),
    load4(nodeA, Node.halfZ),
    splatAt(laneB, Node.centerX),
    splatAt(laneB, Node.centerY),
    splatAt(laneB, Node.centerZ),
    splatAt(laneB, Node.halfX),
    splatAt(laneB, Node.halfY),
    splatAt(laneB, Node.halfZ),
  );
}

// Bounds four pairs of boxes: each box of A against the box of B in the same lane.
// @ts-ignore: decorator
@inline
function bound4(
  job: usize,
  search: usize,
  pair: usize,
  ax: v128,
  ay: v128,
  az: v128,
  ahx: v128,
  ahy: v128,
  ahz: v128,
  bx: v128,
  by: v128,
  bz: v128,
  bhx: v128,
  bhy: v128,
  bhz: v128,
): v128 {
  const slackA = splatAt(pair, PairRecord.slackA);
  const slackB = splatAt(pair, PairRecord.slackB);
  const a = pair + PairRecord.toA;
  const b = pair + PairRecord.toB;
  const absA = pair + PairRecord.absToA;
  const absB = pair + PairRecord.absToB;
  const inA = sumOfSquares(
    gap(
      ax,
      image(a, bx, by, bz),
      ahx,
      halfImage(absA, bhx, bhy, bhz, slackA),
      splatAt(job, DistanceJob.weightsA),
    ),
    gap(
      ay,
      image(a + ROW, bx, by, bz),
      ahy,
      halfImage(absA + ABS_ROW, bhx, bhy, bhz, slackA),
      splatAt(job, DistanceJob.weightsA + 4),
    ),
    gap(
      az,
      image(a + 2 * ROW, bx, by, bz),
      ahz,
      halfImage(absA + 2 * ABS_ROW, bhx, bhy, bhz, slackA),
      splatAt(job, DistanceJob.weightsA + 8),
    ),
  );
  const inB = sumOfSquares(
    gap(
      bx,
      image(b, ax, ay, az),
      bhx,
      halfImage(absB, ahx, ahy, ahz, slackB),
      splatAt(job, DistanceJob.weightsB),
    ),
    gap(
      by,
      image(b + ROW, ax, ay, az),
      bhy,
      halfImage(absB + ABS_ROW, ahx, ahy, ahz, slackB),
      splatAt(job, DistanceJob.weightsB + 4),
    ),
    gap(
      bz,
      image(b + 2 * ROW, ax, ay, az),
      bhz,
      halfImage(absB + 2 * ABS_ROW, ahx, ahy, ahz, slackB),
      splatAt(job, DistanceJob.weightsB + 8),
    ),
  );
  let sum = splat(0);
  for (let which: usize = 0; which < 3; which++) {
    const alongA = search + DistanceSearch.alongA + which * 12;
    const alongB = search + DistanceSearch.alongB + which * 12;
    sum = add(
      sum,
      squaredGap(
        centerAlong(alongA, ax, ay, az),
        add(centerAlong(alongB, bx, by, bz), splatAt(search + (which << 2), DistanceSearch.offsets)),
        halfAlong(alongA, ahx, ahy, ahz),
        add(halfAlong(alongB, bhx, bhy, bhz), splatAt(search, DistanceSearch.error)),
      ),
    );
  }
  return max4(max4(inA, inB), sum);
}
