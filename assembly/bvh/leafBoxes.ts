// Removes pairs of leaves whose oriented bounding boxes are separated. Of the 15 axes of the separating axis
// test for two boxes, only the six face normals are tested (Gottschalk, Lin and Manocha, OBBTree, 1996).
import { dot } from '../narrowphase/filterTriTri';
import { LEAF_BIT, LeafBox, ListRecord, PairRecord } from '../records';
import {
  abs,
  add,
  gt,
  lane0,
  lane1,
  lane2,
  lane3,
  load4,
  maskBits,
  mul,
  or,
  splatAt,
  sub,
} from '../simd/lanes';

/**
 * Filters the first leafCount pairs of leaves in the list's buffer in place: keeps the pairs that may
 * intersect, and returns how many it keeps. Keeps all pairs if the PairRecord has no leaf boxes.
 */
export function dropSeparatedLeaves(list: usize, pair: usize, leafCount: u32): u32 {
  const boxesA: usize = load<u32>(pair, PairRecord.leafBoxesA);
  const boxesB: usize = load<u32>(pair, PairRecord.leafBoxesB);
  if (boxesA == 0) return leafCount;
  const buffer: usize = load<u32>(list, ListRecord.leavesAt);
  const bufferStride: usize = load<u32>(list, ListRecord.leavesStride);
  const end = buffer + ((<usize>leafCount) << 2);
  let top = buffer;
  for (let at = buffer; at < end; at += 4) {
    const a = load<u32>(at);
    const b = load<u32>(at + bufferStride);
    store<u32>(top, a);
    store<u32>(top + bufferStride, b);
    const separating = separatingAxes(
      pair,
      boxesA + <usize>(a & ~LEAF_BIT) * LeafBox.SIZE,
      boxesB + <usize>(b & ~LEAF_BIT) * LeafBox.SIZE,
    );
    top += usize(separating == 0) << 2;
  }
  return <u32>((top - buffer) >> 2);
}

// Transforms the axes and the center of B's box into A's frame, without the translation. Returns one coordinate
// of each: lanes 0 to 2 for the axes, lane 3 for the center. `row` is the address of the row of the transform
// that gives this coordinate.
function rotate(row: usize, x: v128, y: v128, z: v128): v128 {
  return dot(splatAt(row, 0), splatAt(row, 4), splatAt(row, 8), x, y, z);
}

// Returns a mask. Bit i (0..2) is set if axis i of A's box or axis i of B's box certainly separates the two
// leaves. The fourth lanes hold centers, and are ignored.
// @ts-ignore: decorator
@inline
function separatingAxes(pair: usize, a: usize, b: usize): i32 {
  const bx = load4(b, LeafBox.x);
  const by = load4(b, LeafBox.y);
  const bz = load4(b, LeafBox.z);
  const px = rotate(pair + PairRecord.toA, bx, by, bz);
  const py = rotate(pair + PairRecord.toA + 16, bx, by, bz);
  const pz = rotate(pair + PairRecord.toA + 32, bx, by, bz);
  const ax = load4(a, LeafBox.x);
  const ay = load4(a, LeafBox.y);
  const az = load4(a, LeafBox.z);
  const halfA = load4(a, LeafBox.half);
  const halfB = load4(b, LeafBox.half);
  // The vector from the center of A's box to the center of B's box.
  const qx = add(lane3(px), sub(splatAt(pair, PairRecord.toA + 12), splatAt(a, 12)));
  const qy = add(lane3(py), sub(splatAt(pair, PairRecord.toA + 28), splatAt(a, 28)));
  const qz = add(lane3(pz), sub(splatAt(pair, PairRecord.toA + 44), splatAt(a, 44)));
  // Absolute dot products of A's axes, one per lane, with each of B's axes.
  const c0 = abs(dot(ax, ay, az, lane0(px), lane0(py), lane0(pz)));
  const c1 = abs(dot(ax, ay, az, lane1(px), lane1(py), lane1(pz)));
  const c2 = abs(dot(ax, ay, az, lane2(px), lane2(py), lane2(pz)));
  const reachB = add(add(mul(c0, lane0(halfB)), mul(c1, lane1(halfB))), mul(c2, lane2(halfB)));
  const alongA = gt(
    abs(dot(ax, ay, az, qx, qy, qz)),
    add(add(reachB, halfA), splatAt(pair, PairRecord.axisSlackA)),
  );
  // Horizontal sums of three vectors at once.
  const r0 = mul(c0, halfA);
  const r1 = mul(c1, halfA);
  const r2 = mul(c2, halfA);
  const low = v128.shuffle<u32>(r0, r1, 0, 4, 1, 5);
  const high = v128.shuffle<u32>(r0, r1, 2, 6, 2, 6);
  const reachA = add(
    add(v128.shuffle<u32>(low, r2, 0, 1, 4, 4), v128.shuffle<u32>(low, r2, 2, 3, 5, 5)),
    v128.shuffle<u32>(high, r2, 0, 1, 6, 6),
  );
  const alongB = gt(
    abs(dot(px, py, pz, qx, qy, qz)),
    add(add(reachA, mul(halfB, splatAt(pair, PairRecord.axisSquare))), splatAt(pair, PairRecord.axisSlackB)),
  );
  return maskBits(or(alongA, alongB)) & 7;
}
