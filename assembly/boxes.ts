// Boxes of two nodes in both frames (a separating-axis test on six axes) -> one bit per overlapping pair.
import { halfImage, image } from './frames';
import { abs, add, and, bits, lane0, lane1, lane2, lane3, le, load4, splatAt, sub } from './lanes';
import { Node, PairRecord } from './layout';

// @ts-ignore: decorator
@inline const ROW: usize = 16;
// @ts-ignore: decorator
@inline const ABS_ROW: usize = 12;

// Do four boxes and four boxes overlap on one axis? "All le": NaN and -Infinity never overlap.
// @ts-ignore: decorator
@inline function near(centerA: v128, centerB: v128, halfA: v128, halfB: v128): v128 {
  return le(abs(sub(centerA, centerB)), add(halfA, halfB));
}

/**
 * Four children of a node of A against four of B: bit 4 j + i is set when child i of A may meet child j of B.
 * One frame after the other: both at once need more registers than there are.
 */
export function overlap16(pair: usize, nodeA: usize, nodeB: usize): i32 {
  const inA = overlapInA(pair, nodeA, nodeB);
  return inA == 0 ? 0 : inA & overlapInB(pair, nodeA, nodeB);
}

// @ts-ignore: decorator
@inline function overlapInA(pair: usize, nodeA: usize, nodeB: usize): i32 {
  const bx = load4(nodeB, Node.centerX), by = load4(nodeB, Node.centerY), bz = load4(nodeB, Node.centerZ);
  const px = image(pair + PairRecord.toA, bx, by, bz);
  const py = image(pair + PairRecord.toA + ROW, bx, by, bz);
  const pz = image(pair + PairRecord.toA + 2 * ROW, bx, by, bz);
  const bhx = load4(nodeB, Node.halfX), bhy = load4(nodeB, Node.halfY), bhz = load4(nodeB, Node.halfZ), slack = splatAt(pair, PairRecord.slackA);
  const hx = halfImage(pair + PairRecord.absToA, bhx, bhy, bhz, slack);
  const hy = halfImage(pair + PairRecord.absToA + ABS_ROW, bhx, bhy, bhz, slack);
  const hz = halfImage(pair + PairRecord.absToA + 2 * ABS_ROW, bhx, bhy, bhz, slack);
  const ax = load4(nodeA, Node.centerX), ay = load4(nodeA, Node.centerY), az = load4(nodeA, Node.centerZ);
  const ahx = load4(nodeA, Node.halfX), ahy = load4(nodeA, Node.halfY), ahz = load4(nodeA, Node.halfZ);
  const meet0 = and(and(near(ax, lane0(px), ahx, lane0(hx)), near(ay, lane0(py), ahy, lane0(hy))), near(az, lane0(pz), ahz, lane0(hz)));
  const meet1 = and(and(near(ax, lane1(px), ahx, lane1(hx)), near(ay, lane1(py), ahy, lane1(hy))), near(az, lane1(pz), ahz, lane1(hz)));
  const meet2 = and(and(near(ax, lane2(px), ahx, lane2(hx)), near(ay, lane2(py), ahy, lane2(hy))), near(az, lane2(pz), ahz, lane2(hz)));
  const meet3 = and(and(near(ax, lane3(px), ahx, lane3(hx)), near(ay, lane3(py), ahy, lane3(hy))), near(az, lane3(pz), ahz, lane3(hz)));
  return bits(meet0) | (bits(meet1) << 4) | (bits(meet2) << 8) | (bits(meet3) << 12);
}

// @ts-ignore: decorator
@inline function overlapInB(pair: usize, nodeA: usize, nodeB: usize): i32 {
  const ax = load4(nodeA, Node.centerX), ay = load4(nodeA, Node.centerY), az = load4(nodeA, Node.centerZ);
  const px = image(pair + PairRecord.toB, ax, ay, az);
  const py = image(pair + PairRecord.toB + ROW, ax, ay, az);
  const pz = image(pair + PairRecord.toB + 2 * ROW, ax, ay, az);
  const ahx = load4(nodeA, Node.halfX), ahy = load4(nodeA, Node.halfY), ahz = load4(nodeA, Node.halfZ), slack = splatAt(pair, PairRecord.slackB);
  const hx = halfImage(pair + PairRecord.absToB, ahx, ahy, ahz, slack);
  const hy = halfImage(pair + PairRecord.absToB + ABS_ROW, ahx, ahy, ahz, slack);
  const hz = halfImage(pair + PairRecord.absToB + 2 * ABS_ROW, ahx, ahy, ahz, slack);
  const meet0 = nearLane(px, py, pz, hx, hy, hz, nodeB + 0);
  const meet1 = nearLane(px, py, pz, hx, hy, hz, nodeB + 4);
  const meet2 = nearLane(px, py, pz, hx, hy, hz, nodeB + 8);
  const meet3 = nearLane(px, py, pz, hx, hy, hz, nodeB + 12);
  return bits(meet0) | (bits(meet1) << 4) | (bits(meet2) << 8) | (bits(meet3) << 12);
}

// @ts-ignore: decorator
@inline function nearLane(x: v128, y: v128, z: v128, hx: v128, hy: v128, hz: v128, lane: usize): v128 {
  return and(and(
    near(x, splatAt(lane, Node.centerX), hx, splatAt(lane, Node.halfX)),
    near(y, splatAt(lane, Node.centerY), hy, splatAt(lane, Node.halfY))),
    near(z, splatAt(lane, Node.centerZ), hz, splatAt(lane, Node.halfZ)));
}

/** One box of A, named by its lane's address, against the four children of a node of B: bit j. */
export function overlapLeafA(pair: usize, laneA: usize, nodeB: usize): i32 {
  const ax = splatAt(laneA, Node.centerX), ay = splatAt(laneA, Node.centerY), az = splatAt(laneA, Node.centerZ);
  const ahx = splatAt(laneA, Node.halfX), ahy = splatAt(laneA, Node.halfY), ahz = splatAt(laneA, Node.halfZ);
  const bx = load4(nodeB, Node.centerX), by = load4(nodeB, Node.centerY), bz = load4(nodeB, Node.centerZ);
  const bhx = load4(nodeB, Node.halfX), bhy = load4(nodeB, Node.halfY), bhz = load4(nodeB, Node.halfZ);
  return overlap4(pair, ax, ay, az, ahx, ahy, ahz, bx, by, bz, bhx, bhy, bhz);
}

/** The four children of a node of A against one box of B, named by its lane's address: bit i. */
export function overlapLeafB(pair: usize, nodeA: usize, laneB: usize): i32 {
  const ax = load4(nodeA, Node.centerX), ay = load4(nodeA, Node.centerY), az = load4(nodeA, Node.centerZ);
  const ahx = load4(nodeA, Node.halfX), ahy = load4(nodeA, Node.halfY), ahz = load4(nodeA, Node.halfZ);
  const bx = splatAt(laneB, Node.centerX), by = splatAt(laneB, Node.centerY), bz = splatAt(laneB, Node.centerZ);
  const bhx = splatAt(laneB, Node.halfX), bhy = splatAt(laneB, Node.halfY), bhz = splatAt(laneB, Node.halfZ);
  return overlap4(pair, ax, ay, az, ahx, ahy, ahz, bx, by, bz, bhx, bhy, bhz);
}

// Box l of A against box l of B, in both frames.
// @ts-ignore: decorator
@inline function overlap4(pair: usize, ax: v128, ay: v128, az: v128, ahx: v128, ahy: v128, ahz: v128,
  bx: v128, by: v128, bz: v128, bhx: v128, bhy: v128, bhz: v128): i32 {
  const slackA = splatAt(pair, PairRecord.slackA), slackB = splatAt(pair, PairRecord.slackB);
  const a = pair + PairRecord.toA, b = pair + PairRecord.toB, absA = pair + PairRecord.absToA, absB = pair + PairRecord.absToB;
  const inA = and(and(
    near(ax, image(a, bx, by, bz), ahx, halfImage(absA, bhx, bhy, bhz, slackA)),
    near(ay, image(a + ROW, bx, by, bz), ahy, halfImage(absA + ABS_ROW, bhx, bhy, bhz, slackA))),
    near(az, image(a + 2 * ROW, bx, by, bz), ahz, halfImage(absA + 2 * ABS_ROW, bhx, bhy, bhz, slackA)));
  const inB = and(and(
    near(bx, image(b, ax, ay, az), bhx, halfImage(absB, ahx, ahy, ahz, slackB)),
    near(by, image(b + ROW, ax, ay, az), bhy, halfImage(absB + ABS_ROW, ahx, ahy, ahz, slackB))),
    near(bz, image(b + 2 * ROW, ax, ay, az), bhz, halfImage(absB + 2 * ABS_ROW, ahx, ahy, ahz, slackB)));
  return bits(and(inA, inB));
}
