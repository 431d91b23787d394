// Child boxes of two nodes -> those that overlap, and of them the pair that overlaps deepest in A's frame:
// where 'any' looks first.

import { Node, PairRecord } from '../records';
import { ABS_ROW, AXIS, overlapInB } from '../simd/boxes';
import { halfImage, image } from '../simd/frames';
import {
  abs,
  add,
  bytesOf,
  ge,
  greatest,
  gt,
  lane0,
  lane1,
  lane2,
  lane3,
  least,
  load4,
  most,
  mul,
  splat,
  splatAt,
  sub,
} from '../simd/lanes';

/**
 * Depths that differ by this share of the greatest are the same: boxes of teeth, plates and other regular
 * shapes are all as deep, and which of them rounding makes the deepest leads from one to the next instead of
 * down.
 */
const AS_DEEP: f32 = 0.001;

// How far boxes reach past each other's ends on an axis, or on one before if that is less. Where one is
// empty, this is -Infinity or no number on each.
function reach(before: v128, low: v128, high: v128, lowB: v128, highB: v128): v128 {
  return least(least(sub(high, lowB), sub(highB, low)), before);
}

/**
 * The mask of overlap16, and above its sixteen bits the number (4 j + i) of the first pair that is the
 * deepest but for AS_DEEP; 0 where none overlaps. known: that mask, of boxes or of what else stands in their
 * place, or 0 where it is not known. Boxes overlap where all three depths are more than 0: their differences
 * are as good as comparisons, and tell how deep besides.
 */
export function deepest16(pair: usize, nodeA: usize, nodeB: usize, known: i32): i32 {
  const x = load4(nodeB, Node.centerX);
  const y = load4(nodeB, Node.centerY);
  const z = load4(nodeB, Node.centerZ);
  const halfX = load4(nodeB, Node.halfX);
  const halfY = load4(nodeB, Node.halfY);
  const halfZ = load4(nodeB, Node.halfZ);
  const slack = splatAt(pair, PairRecord.slackA);
  const none = splat(0);
  let depth0 = splat(Infinity);
  let depth1 = depth0;
  let depth2 = depth0;
  let depth3 = depth0;
  for (let axis: usize = 0, absRow = pair; axis < 3 * AXIS; axis += AXIS, absRow += ABS_ROW) {
    const center = image(pair + axis + PairRecord.toA, x, y, z);
    const half = halfImage(absRow + PairRecord.absToA, halfX, halfY, halfZ, slack);
    const own = load4(nodeA + axis, Node.centerX);
    const ownHalf = load4(nodeA + axis, Node.halfX);
    const low = sub(own, ownHalf);
    const high = add(own, ownHalf);
    const lowB = sub(center, half);
    const highB = add(center, half);
    depth0 = reach(depth0, low, high, lane0(lowB), lane0(highB));
    depth1 = reach(depth1, low, high, lane1(lowB), lane1(highB));
    depth2 = reach(depth2, low, high, lane2(lowB), lane2(highB));
    depth3 = reach(depth3, low, high, lane3(lowB), lane3(highB));
  }
  let mask = known;
  if (mask == 0) {
    mask = i8x16.bitmask(bytesOf(gt(depth0, none), gt(depth1, none), gt(depth2, none), gt(depth3, none)));
    if (mask == 0) return 0;
    mask &= overlapInB(pair, nodeA, nodeB);
    if (mask == 0) return 0;
  }
  // No branches: of ways to the deepest each would be mispredicted as often as not.
  const all = i32x4.splat(mask);
  depth0 = where(all, i32x4(1, 2, 4, 8), depth0);
  depth1 = where(all, i32x4(16, 32, 64, 128), depth1);
  depth2 = where(all, i32x4(256, 512, 1024, 2048), depth2);
  depth3 = where(all, i32x4(4096, 8192, 16384, 32768), depth3);
  const top = greatest(most(most(depth0, depth1), most(depth2, depth3)));
  // The first of those as deep, so that the order of descent is always the same. Of depths that are no
  // numbers, or infinite, none is found: then it is the first at all.
  const near = sub(top, mul(abs(top), splat(AS_DEEP)));
  const found =
    mask & i8x16.bitmask(bytesOf(ge(depth0, near), ge(depth1, near), ge(depth2, near), ge(depth3, near)));
  return mask | (ctz(found != 0 ? found : mask) << 16);
}

// Depths of the pairs whose bits are set; the others lie below every depth.
function where(mask: v128, bits: v128, depth: v128): v128 {
  return v128.bitselect(depth, splat(-Infinity), i32x4.eq(v128.and(mask, bits), bits));
}
