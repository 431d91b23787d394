// Boxes of two nodes in both frames (a separating-axis test on six axes) -> one bit per overlapping pair.
import { halfImage, image } from './frames';
import { abs, add, and, bits, le, load4, splatAt, sub } from './lanes';
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

// @ts-ignore: decorator
@inline function lane<T>(v: v128, j: i32): v128 {
  if (j == 0) return v128.shuffle<u32>(v, v, 0, 0, 0, 0);
  if (j == 1) return v128.shuffle<u32>(v, v, 1, 1, 1, 1);
  if (j == 2) return v128.shuffle<u32>(v, v, 2, 2, 2, 2);
  return v128.shuffle<u32>(v, v, 3, 3, 3, 3);
}

/** Four children of a node of A against four of B: bit 4 j + i is set when child i of A may meet child j of B. */
export function overlap16(pair: usize, nodeA: usize, nodeB: usize): i32 {
  const ax = load4(nodeA, Node.centerX), ay = load4(nodeA, Node.centerY), az = load4(nodeA, Node.centerZ);
  const ahx = load4(nodeA, Node.halfX), ahy = load4(nodeA, Node.halfY), ahz = load4(nodeA, Node.halfZ);
  const bx = load4(nodeB, Node.centerX), by = load4(nodeB, Node.centerY), bz = load4(nodeB, Node.centerZ);
  const bhx = load4(nodeB, Node.halfX), bhy = load4(nodeB, Node.halfY), bhz = load4(nodeB, Node.halfZ);
  const slackA = splatAt(pair, PairRecord.slackA), slackB = splatAt(pair, PairRecord.slackB);
  const px = image(pair + PairRecord.toA, bx, by, bz);
  const py = image(pair + PairRecord.toA + ROW, bx, by, bz);
  const pz = image(pair + PairRecord.toA + 2 * ROW, bx, by, bz);
  const phx = halfImage(pair + PairRecord.absToA, bhx, bhy, bhz, slackA);
  const phy = halfImage(pair + PairRecord.absToA + ABS_ROW, bhx, bhy, bhz, slackA);
  const phz = halfImage(pair + PairRecord.absToA + 2 * ABS_ROW, bhx, bhy, bhz, slackA);
  const qx = image(pair + PairRecord.toB, ax, ay, az);
  const qy = image(pair + PairRecord.toB + ROW, ax, ay, az);
  const qz = image(pair + PairRecord.toB + 2 * ROW, ax, ay, az);
  const qhx = halfImage(pair + PairRecord.absToB, ahx, ahy, ahz, slackB);
  const qhy = halfImage(pair + PairRecord.absToB + ABS_ROW, ahx, ahy, ahz, slackB);
  const qhz = halfImage(pair + PairRecord.absToB + 2 * ABS_ROW, ahx, ahy, ahz, slackB);
  let mask = 0;
  for (let j = 0; j < 4; j++) {
    const inA = and(and(near(ax, lane<u32>(px, j), ahx, lane<u32>(phx, j)), near(ay, lane<u32>(py, j), ahy, lane<u32>(phy, j))), near(az, lane<u32>(pz, j), ahz, lane<u32>(phz, j)));
    const b = nodeB + (<usize>j << 2);
    const inB = and(and(near(qx, splatAt(b, Node.centerX), qhx, splatAt(b, Node.halfX)), near(qy, splatAt(b, Node.centerY), qhy, splatAt(b, Node.halfY))), near(qz, splatAt(b, Node.centerZ), qhz, splatAt(b, Node.halfZ)));
    mask |= bits(and(inA, inB)) << (j << 2);
  }
  return mask;
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
