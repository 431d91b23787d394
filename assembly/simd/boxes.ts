// Tests whether boxes of tree nodes of two meshes, A and B, overlap: a separating axis test on the three
// axes of each mesh's normalized frame. Each result has one bit per pair of boxes, which is set if the boxes
// may overlap.

import { Node, PairRecord } from '../records';
import { halfImage, image } from './frames';
import {
  add,
  and,
  lane0,
  lane1,
  lane2,
  lane3,
  load4,
  lt,
  maskBits,
  narrowMasks,
  splatAt,
  sub,
} from './lanes';

/**
 * Bytes from one axis to the next. AXIS: in the fields of a node and in the rows of a matrix. ABS_ROW: in the
 * rows of absolute values.
 */
export const AXIS: usize = 16;
export const ABS_ROW: usize = 12;

/**
 * Tests the four children of a node of A against the four children of a node of B. Bit 4 * j + i is set if
 * the boxes of child i of A and child j of B may overlap. The code processes the axes in a loop: if the loop
 * were unrolled, the compiler would load the data of all axes first and run out of registers.
 */
export function overlap16(pair: usize, nodeA: usize, nodeB: usize): i32 {
  const inA = overlapInA(pair, nodeA, nodeB);
  return inA == 0 ? 0 : inA & overlapInB(pair, nodeA, nodeB);
}

/**
 * Tests four intervals of A against four intervals of B. All bits of byte 4 * j + i are set if interval i of
 * A overlaps interval j of B. An empty interval has an upper bound of -Infinity or NaN, so it overlaps
 * nothing.
 */
export function intervalsOverlap16(lowA: v128, highA: v128, lowB: v128, highB: v128): v128 {
  return narrowMasks(
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
  let overlap = i32x4.splat(-1);
  for (let axis: usize = 0, absRow = pair; axis < 3 * AXIS; axis += AXIS, absRow += ABS_ROW) {
    const center = image(pair + axis + PairRecord.toA, x, y, z);
    const half = halfImage(absRow + PairRecord.absToA, halfX, halfY, halfZ, slack);
    const own = load4(nodeA + axis, Node.centerX);
    const ownHalf = load4(nodeA + axis, Node.halfX);
    overlap = and(
      overlap,
      intervalsOverlap16(sub(own, ownHalf), add(own, ownHalf), sub(center, half), add(center, half)),
    );
  }
  return i8x16.bitmask(overlap);
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
  let overlap = i32x4.splat(-1);
  for (let axis: usize = 0, absRow = pair; axis < 3 * AXIS; axis += AXIS, absRow += ABS_ROW) {
    const center = image(pair + axis + PairRecord.toB, x, y, z);
    const half = halfImage(absRow + PairRecord.absToB, halfX, halfY, halfZ, slack);
    const own = load4(nodeB + axis, Node.centerX);
    const ownHalf = load4(nodeB + axis, Node.halfX);
    overlap = and(
      overlap,
      intervalsOverlap16(sub(center, half), add(center, half), sub(own, ownHalf), add(own, ownHalf)),
    );
  }
  return i8x16.bitmask(overlap);
}

/**
 * Tests one box of A, given by the address of its lane, against the four children of a node of B: bit j is
 * set if the box of A may overlap the box of child j.
 */
export function overlapLeafA(pair: usize, laneA: usize, nodeB: usize): i32 {
  return overlap4(true, false, pair, laneA, nodeB);
}

/**
 * Tests the four children of a node of A against one box of B, given by the address of its lane: bit i is
 * set if the box of B may overlap the box of child i.
 */
export function overlapLeafB(pair: usize, nodeA: usize, laneB: usize): i32 {
  return overlap4(false, true, pair, nodeA, laneB);
}

// Loads one float into all lanes if isSingle, otherwise four floats.
function loadLanes(isSingle: bool, at: usize, offset: usize): v128 {
  return isSingle ? splatAt(at, offset) : load4(at, offset);
}

// Tests each box of A against the box of B in the same lane, in both normalized frames. If isSingleA is set,
// `a` is the address of one lane, and the box in this lane is tested against all four boxes of B. isSingleB
// means the same for B.
// @ts-ignore: decorator
@inline
function overlap4(isSingleA: bool, isSingleB: bool, pair: usize, a: usize, b: usize): i32 {
  const inA = overlap4In(
    isSingleA,
    isSingleB,
    pair + PairRecord.toA,
    pair + PairRecord.absToA,
    splatAt(pair, PairRecord.slackA),
    a,
    b,
  );
  return maskBits(
    and(
      inA,
      overlap4In(
        isSingleB,
        isSingleA,
        pair + PairRecord.toB,
        pair + PairRecord.absToB,
        splatAt(pair, PairRecord.slackB),
        b,
        a,
      ),
    ),
  );
}

// Tests for overlap in the normalized frame of the boxes at ownAt. row: the address of the rows of a matrix
// that transforms the boxes at otherAt into this frame. absRow: the address of the rows of the absolute values
// of the entries of this matrix.
// @ts-ignore: decorator
@inline
function overlap4In(
  isSingleOwn: bool,
  isSingleOther: bool,
  row: usize,
  absRow: usize,
  slack: v128,
  ownAt: usize,
  otherAt: usize,
): v128 {
  const x = loadLanes(isSingleOther, otherAt, Node.centerX);
  const y = loadLanes(isSingleOther, otherAt, Node.centerY);
  const z = loadLanes(isSingleOther, otherAt, Node.centerZ);
  const halfX = loadLanes(isSingleOther, otherAt, Node.halfX);
  const halfY = loadLanes(isSingleOther, otherAt, Node.halfY);
  const halfZ = loadLanes(isSingleOther, otherAt, Node.halfZ);
  let overlap = i32x4.splat(-1);
  for (let axis: usize = 0; axis < 3 * AXIS; axis += AXIS, absRow += ABS_ROW) {
    const center = image(row + axis, x, y, z);
    const half = halfImage(absRow, halfX, halfY, halfZ, slack);
    const own = loadLanes(isSingleOwn, ownAt + axis, Node.centerX);
    const ownHalf = loadLanes(isSingleOwn, ownAt + axis, Node.halfX);
    overlap = and(
      overlap,
      and(lt(sub(own, ownHalf), add(center, half)), lt(sub(center, half), add(own, ownHalf))),
    );
  }
  return overlap;
}
