// Box tests for clearance queries. Each function returns one bit per pair of boxes, which is set if the
// boxes may contain triangles whose distance is at most the clearance. Each pair is tested in the normalized
// frames of both meshes. In each frame, the sum of the squared gaps on the three axes is compared with a limit,
// which is the squared clearance in units of that frame.

import { Clearance, Node, PairRecord } from '../records';
import { overlap16, overlapLeafA, overlapLeafB } from '../simd/boxes';
import { halfImage, image } from '../simd/frames';
import {
  abs,
  add,
  lane0,
  lane1,
  lane2,
  lane3,
  le,
  load4,
  maskBits,
  max4,
  mul,
  splat,
  splatAt,
  sub,
} from '../simd/lanes';

const ROW: usize = 16;
const ABS_ROW: usize = 12;

// Returns the squared gap between two ranges, given by their centers and half lengths. If a range belongs to
// an empty box, the result is NaN or infinity.
function gap(centerA: v128, centerB: v128, halfA: v128, halfB: v128): v128 {
  const distance = max4(sub(abs(sub(centerA, centerB)), add(halfA, halfB)), splat(0));
  return mul(distance, distance);
}

function sum(x: v128, y: v128, z: v128): v128 {
  return add(add(x, y), z);
}

/**
 * Like overlap16, but sets the bit of each pair of boxes that may contain triangles whose distance is at
 * most the clearance.
 */
export function near16(pair: usize, nodeA: usize, nodeB: usize): i32 {
  const limits: usize = load<u32>(pair, PairRecord.pairingAt);
  // A negative squareA means that the squared clearance may be out of the range of floats. In this case, an
  // overlap test suffices, because the slacks of the pair record include the clearance.
  if (load<f32>(limits, Clearance.squareA) < 0) return overlap16(pair, nodeA, nodeB);
  const inA = nearInA(pair, limits, nodeA, nodeB);
  return inA == 0 ? 0 : inA & nearInB(pair, limits, nodeA, nodeB);
}

// @ts-ignore: decorator
@inline
function nearInA(pair: usize, limits: usize, nodeA: usize, nodeB: usize): i32 {
  const bx = load4(nodeB, Node.centerX);
  const by = load4(nodeB, Node.centerY);
  const bz = load4(nodeB, Node.centerZ);
  const px = image(pair + PairRecord.toA, bx, by, bz);
  const py = image(pair + PairRecord.toA + ROW, bx, by, bz);
  const pz = image(pair + PairRecord.toA + 2 * ROW, bx, by, bz);
  const bhx = load4(nodeB, Node.halfX);
  const bhy = load4(nodeB, Node.halfY);
  const bhz = load4(nodeB, Node.halfZ);
  const slack = splatAt(limits, Clearance.slackA);
  const hx = halfImage(pair + PairRecord.absToA, bhx, bhy, bhz, slack);
  const hy = halfImage(pair + PairRecord.absToA + ABS_ROW, bhx, bhy, bhz, slack);
  const hz = halfImage(pair + PairRecord.absToA + 2 * ABS_ROW, bhx, bhy, bhz, slack);
  const ax = load4(nodeA, Node.centerX);
  const ay = load4(nodeA, Node.centerY);
  const az = load4(nodeA, Node.centerZ);
  const ahx = load4(nodeA, Node.halfX);
  const ahy = load4(nodeA, Node.halfY);
  const ahz = load4(nodeA, Node.halfZ);
  const limit = splatAt(limits, Clearance.squareA);
  const near0 = le(
    sum(
      gap(ax, lane0(px), ahx, lane0(hx)),
      gap(ay, lane0(py), ahy, lane0(hy)),
      gap(az, lane0(pz), ahz, lane0(hz)),
    ),
    limit,
  );
  const near1 = le(
    sum(
      gap(ax, lane1(px), ahx, lane1(hx)),
      gap(ay, lane1(py), ahy, lane1(hy)),
      gap(az, lane1(pz), ahz, lane1(hz)),
    ),
    limit,
  );
  const near2 = le(
    sum(
      gap(ax, lane2(px), ahx, lane2(hx)),
      gap(ay, lane2(py), ahy, lane2(hy)),
      gap(az, lane2(pz), ahz, lane2(hz)),
    ),
    limit,
  );
  const near3 = le(
    sum(
      gap(ax, lane3(px), ahx, lane3(hx)),
      gap(ay, lane3(py), ahy, lane3(hy)),
      gap(az, lane3(pz), ahz, lane3(hz)),
    ),
    limit,
  );
  return maskBits(near0) | (maskBits(near1) << 4) | (maskBits(near2) << 8) | (maskBits(near3) << 12);
}

// @ts-ignore: decorator
@inline
function nearInB(pair: usize, limits: usize, nodeA: usize, nodeB: usize): i32 {
  const ax = load4(nodeA, Node.centerX);
  const ay = load4(nodeA, Node.centerY);
  const az = load4(nodeA, Node.centerZ);
  const px = image(pair + PairRecord.toB, ax, ay, az);
  const py = image(pair + PairRecord.toB + ROW, ax, ay, az);
  const pz = image(pair + PairRecord.toB + 2 * ROW, ax, ay, az);
  const ahx = load4(nodeA, Node.halfX);
  const ahy = load4(nodeA, Node.halfY);
  const ahz = load4(nodeA, Node.halfZ);
  const slack = splatAt(limits, Clearance.slackB);
  const hx = halfImage(pair + PairRecord.absToB, ahx, ahy, ahz, slack);
  const hy = halfImage(pair + PairRecord.absToB + ABS_ROW, ahx, ahy, ahz, slack);
  const hz = halfImage(pair + PairRecord.absToB + 2 * ABS_ROW, ahx, ahy, ahz, slack);
  const limit = splatAt(limits, Clearance.squareB);
  return (
    maskBits(nearLane(px, py, pz, hx, hy, hz, nodeB, limit)) |
    (maskBits(nearLane(px, py, pz, hx, hy, hz, nodeB + 4, limit)) << 4) |
    (maskBits(nearLane(px, py, pz, hx, hy, hz, nodeB + 8, limit)) << 8) |
    (maskBits(nearLane(px, py, pz, hx, hy, hz, nodeB + 12, limit)) << 12)
  );
}

function nearLane(x: v128, y: v128, z: v128, hx: v128, hy: v128, hz: v128, lane: usize, limit: v128): v128 {
  return le(
    sum(
      gap(x, splatAt(lane, Node.centerX), hx, splatAt(lane, Node.halfX)),
      gap(y, splatAt(lane, Node.centerY), hy, splatAt(lane, Node.halfY)),
      gap(z, splatAt(lane, Node.centerZ), hz, splatAt(lane, Node.halfZ)),
    ),
    limit,
  );
}

/**
 * Like overlapLeafA, but sets the bit of each pair of boxes that may contain triangles whose distance is at
 * most the clearance.
 */
export function nearLeafA(pair: usize, laneA: usize, nodeB: usize): i32 {
  if (load<f32>(load<u32>(pair, PairRecord.pairingAt), Clearance.squareA) < 0)
    return overlapLeafA(pair, laneA, nodeB);
  return near4(
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

/**
 * Like overlapLeafB, but sets the bit of each pair of boxes that may contain triangles whose distance is at
 * most the clearance.
 */
export function nearLeafB(pair: usize, nodeA: usize, laneB: usize): i32 {
  if (load<f32>(load<u32>(pair, PairRecord.pairingAt), Clearance.squareA) < 0)
    return overlapLeafB(pair, nodeA, laneB);
  return near4(
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

// Tests each box of A against the box of B in the same lane, in both normalized frames.
// @ts-ignore: decorator
@inline
function near4(
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
): i32 {
  const limits: usize = load<u32>(pair, PairRecord.pairingAt);
  const slackA = splatAt(limits, Clearance.slackA);
  const slackB = splatAt(limits, Clearance.slackB);
  const a = pair + PairRecord.toA;
  const b = pair + PairRecord.toB;
  const absA = pair + PairRecord.absToA;
  const absB = pair + PairRecord.absToB;
  const inA = sum(
    gap(ax, image(a, bx, by, bz), ahx, halfImage(absA, bhx, bhy, bhz, slackA)),
    gap(ay, image(a + ROW, bx, by, bz), ahy, halfImage(absA + ABS_ROW, bhx, bhy, bhz, slackA)),
    gap(az, image(a + 2 * ROW, bx, by, bz), ahz, halfImage(absA + 2 * ABS_ROW, bhx, bhy, bhz, slackA)),
  );
  const inB = sum(
    gap(bx, image(b, ax, ay, az), bhx, halfImage(absB, ahx, ahy, ahz, slackB)),
    gap(by, image(b + ROW, ax, ay, az), bhy, halfImage(absB + ABS_ROW, ahx, ahy, ahz, slackB)),
    gap(bz, image(b + 2 * ROW, ax, ay, az), bhz, halfImage(absB + 2 * ABS_ROW, ahx, ahy, ahz, slackB)),
  );
  return (
    maskBits(le(inA, splatAt(limits, Clearance.squareA))) &
    maskBits(le(inB, splatAt(limits, Clearance.squareB)))
  );
}
