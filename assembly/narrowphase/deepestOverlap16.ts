// Tests the child boxes of two nodes for overlap and finds the pair that overlaps deepest in A's frame. An
// any-hit query visits this pair first.

import { Node, PairRecord } from '../records';
import { ABS_ROW, AXIS, overlapInB } from '../simd/boxes';
import { halfImage, image } from '../simd/frames';
import {
  abs,
  add,
  ge,
  gt,
  lane0,
  lane1,
  lane2,
  lane3,
  load4,
  max4,
  min4,
  mul,
  narrowMasks,
  splat,
  splatAt,
  splatMax,
  sub,
} from '../simd/lanes';

/**
 * A depth counts as equal to the greatest depth if the difference is at most this fraction of the greatest
 * depth. In regular shapes such as gear teeth and plates, all boxes overlap equally deep. If rounding errors
 * decided which pair is the deepest, the search would jump between these pairs instead of descending into one
 * of them.
 */
const DEPTH_TOLERANCE: f32 = 0.001;

// Returns the smaller of two overlaps: the overlap of the boxes on one axis, and `before`, the smallest overlap
// on the earlier axes. If a box is empty, the overlap is -Infinity or NaN on every axis.
function minOverlap(before: v128, low: v128, high: v128, lowB: v128, highB: v128): v128 {
  return min4(min4(sub(high, lowB), sub(highB, low)), before);
}

/**
 * Tests the children of two nodes as overlap16 does, and finds the pair with the greatest depth. The depth of
 * two boxes is the smallest of their overlaps on the three axes of A's frame. Bits 0..15 of the result: the
 * mask of overlap16. From bit 16 on: the number 4 * j + i of the first pair (child i of A and child j of B)
 * whose depth counts as equal to the greatest (see DEPTH_TOLERANCE). If no pair overlaps, the result is 0.
 * known: 0, or, if the caller has already tested the children, the mask of the pairs to choose from. This mask
 * then replaces the mask of overlap16.
 */
export function deepestOverlap16(pair: usize, nodeA: usize, nodeB: usize, known: i32): i32 {
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
    depth0 = minOverlap(depth0, low, high, lane0(lowB), lane0(highB));
    depth1 = minOverlap(depth1, low, high, lane1(lowB), lane1(highB));
    depth2 = minOverlap(depth2, low, high, lane2(lowB), lane2(highB));
    depth3 = minOverlap(depth3, low, high, lane3(lowB), lane3(highB));
  }
  let mask = known;
  if (mask == 0) {
    mask = i8x16.bitmask(narrowMasks(gt(depth0, none), gt(depth1, none), gt(depth2, none), gt(depth3, none)));
    if (mask == 0) return 0;
    mask &= overlapInB(pair, nodeA, nodeB);
    if (mask == 0) return 0;
  }
  // From here on there are no branches, since each of them would be mispredicted half of the time.
  const all = i32x4.splat(mask);
  depth0 = where(all, i32x4(1, 2, 4, 8), depth0);
  depth1 = where(all, i32x4(16, 32, 64, 128), depth1);
  depth2 = where(all, i32x4(256, 512, 1024, 2048), depth2);
  depth3 = where(all, i32x4(4096, 8192, 16384, 32768), depth3);
  const top = splatMax(max4(max4(depth0, depth1), max4(depth2, depth3)));
  // Take the first of the equally deep pairs, so that the order of descent is deterministic. If the greatest
  // depth is NaN or infinite, the first overlapping pair is taken.
  const minDepth = sub(top, mul(abs(top), splat(DEPTH_TOLERANCE)));
  const found =
    mask &
    i8x16.bitmask(
      narrowMasks(ge(depth0, minDepth), ge(depth1, minDepth), ge(depth2, minDepth), ge(depth3, minDepth)),
    );
  return mask | (ctz(found != 0 ? found : mask) << 16);
}

// Returns the depths of the pairs whose bits are set, and -Infinity for the others.
function where(mask: v128, bits: v128, depth: v128): v128 {
  return v128.bitselect(depth, splat(-Infinity), i32x4.eq(v128.and(mask, bits), bits));
}
