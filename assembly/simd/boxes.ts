// Boxes of two nodes in both frames (a separating-axis test on six axes) -> one bit per overlapping pair.

import { Node, PairRecord } from '../records';
import { halfImage, image } from './frames';
import { add, and, bits, bytesOf, lane0, lane1, lane2, lane3, load4, lt, splatAt, sub } from './lanes';

/** Bytes from one axis to the next: of a node's fields and a matrix's rows, and of sizes of rows. */
export const AXIS: usize = 16;
export const ABS_ROW: usize = 12;

/**
 * Four children of a node of A against four of B: bit 4 j + i is set when child i of A may meet child j of B.
 * Axis by axis, in loops: the compiler would load what all axes need before it computes, and has no registers
 * for that.
 */
export function overlap16(pair: usize, nodeA: usize, nodeB: usize): i32 {
  const inA = overlapInA(pair, nodeA, nodeB);
  return inA == 0 ? 0 : inA & overlapInB(pair, nodeA, nodeB);
}

/**
 * Four intervals of A against four of B: byte 4 j + i. What is empty ends at -Infinity, or has no end:
 * nothing begins before that.
 */
export function share16(lowA: v128, highA: v128, lowB: v128, highB: v128): v128 {
  return bytesOf(
    and(lt(lowA, lane0(highB)), lt(lane0(lowB), highA)),
    and(lt(lowA, lane1(highB)), lt(lane1(lowB), highA)),
    and(lt(lowA, lane2(highB)), lt(lane2(lowB), highA)),
    and(lt(lowA, lane3(highB)), lt(lane3(lowB), highA)),
  );
}

function overlapInA(pair: usize, nodeA: usize, nodeB: usize): i32 {
  const x = load4(nodeB, Node.centerX);
  const y = load4(nodeB, Node.centerY);
  const z = load4(nodeB, Node.centerZ);
  const halfX = load4(nodeB, Node.halfX);
  const halfY = load4(nodeB, Node.halfY);
  const halfZ = load4(nodeB, Node.halfZ);
  const slack = splatAt(pair, PairRecord.slackA);
  let meet = i32x4.splat(-1);
  for (let axis: usize = 0, absRow = pair; axis < 3 * AXIS; axis += AXIS, absRow += ABS_ROW) {
    const center = image(pair + axis + PairRecord.toA, x, y, z);
    const half = halfImage(absRow + PairRecord.absToA, halfX, halfY, halfZ, slack);
    const own = load4(nodeA + axis, Node.centerX);
    const ownHalf = load4(nodeA + axis, Node.halfX);
    meet = and(meet, share16(sub(own, ownHalf), add(own, ownHalf), sub(center, half), add(center, half)));
  }
  return i8x16.bitmask(meet);
}

// @ts-ignore: decorator
@inline
export function overlapInB(pair: usize, nodeA: usize, nodeB: usize): i32 {
  const x = load4(nodeA, Node.centerX);
  const y = load4(nodeA, Node.centerY);
  const z = load4(nodeA, Node.centerZ);
  const halfX = load4(nodeA, Node.halfX);
  const halfY = load4(nodeA, Node.halfY);
  const halfZ = load4(nodeA, Node.halfZ);
  const slack = splatAt(pair, PairRecord.slackB);
  let meet = i32x4.splat(-1);
  for (let axis: usize = 0, absRow = pair; axis < 3 * AXIS; axis += AXIS, absRow += ABS_ROW) {
    const center = image(pair + axis + PairRecord.toB, x, y, z);
    const half = halfImage(absRow + PairRecord.absToB, halfX, halfY, halfZ, slack);
    const own = load4(nodeB + axis, Node.centerX);
    const ownHalf = load4(nodeB + axis, Node.halfX);
    meet = and(meet, share16(sub(center, half), add(center, half), sub(own, ownHalf), add(own, ownHalf)));
  }
  return i8x16.bitmask(meet);
}

/** One box of A, named by its lane's address, against the four children of a node of B: bit j. */
export function overlapLeafA(pair: usize, laneA: usize, nodeB: usize): i32 {
  return overlap4(true, false, pair, laneA, nodeB);
}

/** The four children of a node of A against one box of B, named by its lane's address: bit i. */
export function overlapLeafB(pair: usize, nodeA: usize, laneB: usize): i32 {
  return overlap4(false, true, pair, nodeA, laneB);
}

// One float for all lanes, or four.
function fourOf(isOne: bool, at: usize, offset: usize): v128 {
  return isOne ? splatAt(at, offset) : load4(at, offset);
}

// Box l of A against box l of B, in both frames.
// @ts-ignore: decorator
@inline
function overlap4(oneA: bool, oneB: bool, pair: usize, a: usize, b: usize): i32 {
  const inA = overlap4In(
    oneA,
    oneB,
    pair + PairRecord.toA,
    pair + PairRecord.absToA,
    splatAt(pair, PairRecord.slackA),
    a,
    b,
  );
  return bits(
    and(
      inA,
      overlap4In(
        oneB,
        oneA,
        pair + PairRecord.toB,
        pair + PairRecord.absToB,
        splatAt(pair, PairRecord.slackB),
        b,
        a,
      ),
    ),
  );
}

// In the frame of the first ones, to which `row` brings the others.
// @ts-ignore: decorator
@inline
function overlap4In(
  isOneOwn: bool,
  isOneOther: bool,
  row: usize,
  absRow: usize,
  slack: v128,
  ownAt: usize,
  otherAt: usize,
): v128 {
  const x = fourOf(isOneOther, otherAt, Node.centerX);
  const y = fourOf(isOneOther, otherAt, Node.centerY);
  const z = fourOf(isOneOther, otherAt, Node.centerZ);
  const halfX = fourOf(isOneOther, otherAt, Node.halfX);
  const halfY = fourOf(isOneOther, otherAt, Node.halfY);
  const halfZ = fourOf(isOneOther, otherAt, Node.halfZ);
  let meet = i32x4.splat(-1);
  for (let axis: usize = 0; axis < 3 * AXIS; axis += AXIS, absRow += ABS_ROW) {
    const center = image(row + axis, x, y, z);
    const half = halfImage(absRow, halfX, halfY, halfZ, slack);
    const own = fourOf(isOneOwn, ownAt + axis, Node.centerX);
    const ownHalf = fourOf(isOneOwn, ownAt + axis, Node.halfX);
    meet = and(meet, and(lt(sub(own, ownHalf), add(center, half)), lt(sub(center, half), add(own, ownHalf))));
  }
  return meet;
}
