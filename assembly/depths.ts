// Overlapping child boxes of two nodes -> the pair that overlaps deepest in A's frame: where 'any' looks first.
import { halfImage, image } from './frames';
import { abs, add, gt, lane0, lane1, lane2, lane3, lanesOf, least, load4, splat, splatAt, sub } from './lanes';
import { Node, PairRecord } from './layout';

// @ts-ignore: decorator
@inline function reach(centerA: v128, centerB: v128, halfA: v128, halfB: v128): v128 {
  return sub(add(halfA, halfB), abs(sub(centerA, centerB)));
}

// Depths of the lanes whose bits are set; the others lie below every depth.
// @ts-ignore: decorator
@inline function where(bits: i32, depth: v128): v128 {
  return v128.bitselect(depth, splat(-Infinity), lanesOf(bits));
}

/** Number (4 j + i) of the deepest pair among the bits of `mask` as overlap16 sets them; mask is not 0. */
export function deepest16(pair: usize, nodeA: usize, nodeB: usize, mask: i32): i32 {
  if ((mask & (mask - 1)) == 0) return ctz(mask);
  const ax = load4(nodeA, Node.centerX), ay = load4(nodeA, Node.centerY), az = load4(nodeA, Node.centerZ);
  const hx = load4(nodeA, Node.halfX), hy = load4(nodeA, Node.halfY), hz = load4(nodeA, Node.halfZ);
  const bx = load4(nodeB, Node.centerX), by = load4(nodeB, Node.centerY), bz = load4(nodeB, Node.centerZ);
  const bhx = load4(nodeB, Node.halfX), bhy = load4(nodeB, Node.halfY), bhz = load4(nodeB, Node.halfZ);
  const toA = pair + PairRecord.toA, absToA = pair + PairRecord.absToA, none = splat(0);
  const px = image(toA, bx, by, bz), py = image(toA + 16, bx, by, bz), pz = image(toA + 32, bx, by, bz);
  const qx = halfImage(absToA, bhx, bhy, bhz, none), qy = halfImage(absToA + 12, bhx, bhy, bhz, none), qz = halfImage(absToA + 24, bhx, bhy, bhz, none);
  const depth0 = where(mask >> 0, least(least(reach(ax, lane0(px), hx, lane0(qx)), reach(ay, lane0(py), hy, lane0(qy))), reach(az, lane0(pz), hz, lane0(qz))));
  const depth1 = where(mask >> 4, least(least(reach(ax, lane1(px), hx, lane1(qx)), reach(ay, lane1(py), hy, lane1(qy))), reach(az, lane1(pz), hz, lane1(qz))));
  const depth2 = where(mask >> 8, least(least(reach(ax, lane2(px), hx, lane2(qx)), reach(ay, lane2(py), hy, lane2(qy))), reach(az, lane2(pz), hz, lane2(qz))));
  const depth3 = where(mask >> 12, least(least(reach(ax, lane3(px), hx, lane3(qx)), reach(ay, lane3(py), hy, lane3(qy))), reach(az, lane3(pz), hz, lane3(qz))));
  // Row by row, then lane by lane: the first of equals, so that the order of descent is always the same.
  let best = depth0, row = i32x4.splat(0);
  const over1 = gt(depth1, best); best = v128.bitselect(depth1, best, over1); row = v128.bitselect(i32x4.splat(4), row, over1);
  const over2 = gt(depth2, best); best = v128.bitselect(depth2, best, over2); row = v128.bitselect(i32x4.splat(8), row, over2);
  const over3 = gt(depth3, best); best = v128.bitselect(depth3, best, over3); row = v128.bitselect(i32x4.splat(12), row, over3);
  let depth = f32x4.extract_lane(best, 0), at = i32x4.extract_lane(row, 0);
  if (f32x4.extract_lane(best, 1) > depth) { depth = f32x4.extract_lane(best, 1); at = i32x4.extract_lane(row, 1) + 1; }
  if (f32x4.extract_lane(best, 2) > depth) { depth = f32x4.extract_lane(best, 2); at = i32x4.extract_lane(row, 2) + 2; }
  if (f32x4.extract_lane(best, 3) > depth) { depth = f32x4.extract_lane(best, 3); at = i32x4.extract_lane(row, 3) + 3; }
  // NaN depths (boxes too large to measure) leave the first row's first lane, which need not overlap.
  return (mask >> at) & 1 ? at : ctz(mask);
}
