// Computes overlap weights: how much two child boxes, one of each tree, overlap in A's frame. The cost of a
// front node is divided among its pairs of children in proportion to these weights (Zhang and Kim 2014, eq. 2
// and 3).

import {
  FrontNode,
  LEAF_BIT,
  NOTHING,
  Node,
  PairRecord,
  UPPER_TRIANGLE,
  WEIGHT_DEPTH,
  WEIGHT_VOLUME,
} from '../records';
import { handleOf, laneAt } from '../simd/access';
import { overlapLeafB } from '../simd/boxes';
import { halfImage, image } from '../simd/frames';
import { abs, add, laneMask, load4, max4, min4, mul, splat, splatAt, sub } from '../simd/lanes';
import { overlapByMode16, overlapByModeLeafA, overlapByModeLeafB } from './overlapByMode';
import { BOXES, SELF } from './traversalModes';

// Flat boxes and touching boxes, which are common in CAD, have an overlap volume of 0. So the overlap on each
// axis counts as at least this fraction of the smaller box's largest extent.
const MIN_EXTENT_RATIO: f32 = 0.015625;

function sharedExtent(centerA: v128, centerB: v128, halfA: v128, halfB: v128): v128 {
  const reach = sub(add(halfA, halfB), abs(sub(centerA, centerB)));
  const smaller = min4(halfA, halfB);
  return min4(reach, add(smaller, smaller));
}

// Returns the weights of four box pairs. Parameters a*: the centers and half extents of A's boxes. Parameters
// b*: the centers and half extents of B's boxes, transformed to A's frame. Pairs that do not overlap get a
// meaningless weight, which the caller must mask out.
// @ts-ignore: decorator
@inline
function weights4(
  weighting: u32,
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
  const floor = mul(min4(max4(ahx, max4(ahy, ahz)), max4(bhx, max4(bhy, bhz))), splat(2 * MIN_EXTENT_RATIO));
  const x = max4(sharedExtent(ax, bx, ahx, bhx), floor);
  const y = max4(sharedExtent(ay, by, ahy, bhy), floor);
  const z = max4(sharedExtent(az, bz, ahz, bhz), floor);
  if (weighting == WEIGHT_DEPTH) return min4(x, min4(y, z));
  const volume = mul(mul(x, y), z);
  return weighting == WEIGHT_VOLUME ? volume : f32x4.sqrt(volume);
}

// Writes one child front node to `to`. Returns the address for the next front node: after this one if `set`
// is not 0, or else `to` again, so that the next node overwrites this one.
function emit(to: usize, set: i32, weight: f32, pair: u32, slotA: u32, slotB: u32): usize {
  store<u32>(to, pair, FrontNode.pair);
  store<u32>(to, slotA, FrontNode.slotA);
  store<u32>(to, slotB, FrontNode.slotB);
  store<f32>(to, weight, FrontNode.cost);
  return set ? to + FrontNode.SIZE : to;
}

/**
 * Writes the overlapping pairs of children of a front node, with their weights as costs. At most 16 nodes are
 * returned, but `out` needs room for 17, because a pair that does not overlap is written and then
 * overwritten. mode: see traversalModes.ts. For a box paired with itself, each pair of children is written in
 * only one order. Returns the end of the written nodes.
 */
export function writeOverlappingChildren(
  mode: u32,
  weighting: u32,
  pair: usize,
  pairIndex: u32,
  slotA: u32,
  slotB: u32,
  out: usize,
): usize {
  const nodesA: usize = load<u32>(pair, PairRecord.nodesA);
  const nodesB: usize = load<u32>(pair, PairRecord.nodesB);
  const handleA = handleOf(nodesA, slotA);
  const handleB = handleOf(nodesB, slotB);
  const leafA = (handleA & LEAF_BIT) != 0;
  const leafB = (handleB & LEAF_BIT) != 0;
  if (leafA && leafB) return out;
  const laneA = leafA ? laneAt(nodesA, slotA) : nodesA + <usize>handleA * Node.SIZE;
  const laneB = leafB ? laneAt(nodesB, slotB) : nodesB + <usize>handleB * Node.SIZE;
  // A leaf counts as a node whose only child is this leaf, so one lane is used instead of four.
  const ax = leafA ? splatAt(laneA, Node.centerX) : load4(laneA, Node.centerX);
  const ahx = leafA ? splatAt(laneA, Node.halfX) : load4(laneA, Node.halfX);
  const ay = leafA ? splatAt(laneA, Node.centerY) : load4(laneA, Node.centerY);
  const ahy = leafA ? splatAt(laneA, Node.halfY) : load4(laneA, Node.halfY);
  const az = leafA ? splatAt(laneA, Node.centerZ) : load4(laneA, Node.centerZ);
  const ahz = leafA ? splatAt(laneA, Node.halfZ) : load4(laneA, Node.halfZ);
  const countB = leafB ? 1 : 4;
  const each = leafA
    ? spread(overlapByModeLeafA(mode, pair, laneA, laneB, 0))
    : leafB
      ? overlapByModeLeafB(mode, pair, laneA, laneB, 0)
      : overlapByMode16(mode, pair, laneA, laneB, 0);
  const mask = mode == SELF && slotA == slotB ? each & <i32>UPPER_TRIANGLE : each;
  for (let j = 0; j < countB; j++) {
    const bits = (mask >> (j << 2)) & 15;
    if (bits == 0) continue;
    const b = laneB + ((<usize>j) << 2);
    const cx = splatAt(b, Node.centerX);
    const cy = splatAt(b, Node.centerY);
    const cz = splatAt(b, Node.centerZ);
    const hx = splatAt(b, Node.halfX);
    const hy = splatAt(b, Node.halfY);
    const hz = splatAt(b, Node.halfZ);
    const toA = pair + PairRecord.toA;
    const absToA = pair + PairRecord.absToA;
    const none = splat(0);
    const v = weights4(
      weighting,
      ax,
      ay,
      az,
      ahx,
      ahy,
      ahz,
      image(toA, cx, cy, cz),
      image(toA + 16, cx, cy, cz),
      image(toA + 32, cx, cy, cz),
      halfImage(absToA, hx, hy, hz, none),
      halfImage(absToA + 12, hx, hy, hz, none),
      halfImage(absToA + 24, hx, hy, hz, none),
    );
    const childB = leafB ? slotB : (handleB << 2) + j;
    const childA = leafA ? slotA : handleA << 2;
    const stepA: u32 = leafA ? 0 : 1;
    out = emit(out, bits & 1, f32x4.extract_lane(v, 0), pairIndex, childA, childB);
    out = emit(out, bits & 2, f32x4.extract_lane(v, 1), pairIndex, childA + stepA, childB);
    out = emit(out, bits & 4, f32x4.extract_lane(v, 2), pairIndex, childA + 2 * stepA, childB);
    out = emit(out, bits & 8, f32x4.extract_lane(v, 3), pairIndex, childA + 3 * stepA, childB);
  }
  return out;
}

/**
 * Returns how many pairs of children of a front node overlap; 1 for a pair of leaves. For a box paired with
 * itself, counts pairs in both orders.
 */
export function countOverlaps(mode: u32, pair: usize, slotA: u32, slotB: u32): u32 {
  const nodesA: usize = load<u32>(pair, PairRecord.nodesA);
  const nodesB: usize = load<u32>(pair, PairRecord.nodesB);
  const handleA = handleOf(nodesA, slotA);
  const handleB = handleOf(nodesB, slotB);
  const leafA = (handleA & LEAF_BIT) != 0;
  const leafB = (handleB & LEAF_BIT) != 0;
  if (leafA && leafB) return 1;
  const laneA = leafA ? laneAt(nodesA, slotA) : nodesA + <usize>handleA * Node.SIZE;
  const laneB = leafB ? laneAt(nodesB, slotB) : nodesB + <usize>handleB * Node.SIZE;
  return popcnt(
    leafA
      ? overlapByModeLeafA(mode, pair, laneA, laneB, 0)
      : leafB
        ? overlapByModeLeafB(mode, pair, laneA, laneB, 0)
        : overlapByMode16(mode, pair, laneA, laneB, 0),
  );
}

// Moves bit j (0 to 3), which stands for lane j of B, to bit 4 * j, where overlap16 has it.
function spread(bits: i32): i32 {
  return (bits & 1) | ((bits & 2) << 3) | ((bits & 4) << 6) | ((bits & 8) << 9);
}

// Returns the factor that converts a weight to units of leaf sizes. The weight is a length, a volume or the
// square root of a volume, so the factor is leavesALength (1 / leaf size), its cube or its 3/2 power,
// respectively.
function leafUnits(weighting: u32, pair: usize): f32 {
  const length = load<f32>(pair, PairRecord.leavesALength);
  return weighting == WEIGHT_DEPTH
    ? length
    : weighting == WEIGHT_VOLUME
      ? length * length * length
      : length * sqrt(length);
}

/**
 * Returns the overlap weight of two whole trees, in units of leaf sizes: the sum of the weights of the roots'
 * pairs of children, or -1 if no such pair overlaps. scratch: room for 17 FrontNodes.
 */
export function weightOfTrees(weighting: u32, pair: usize, scratch: usize): f32 {
  const end = writeOverlappingChildren(BOXES, weighting, pair, 0, NOTHING, NOTHING, scratch);
  let sum: f32 = 0;
  for (let at = scratch; at < end; at += FrontNode.SIZE) sum += load<f32>(at, FrontNode.cost);
  return end == scratch ? -1 : leafUnits(weighting, pair) * sum;
}

/**
 * Returns the overlap weights of the four boxes of a node of A with one box of B, in units of leaf sizes, or
 * -1 for boxes that do not overlap.
 */
export function weightsOfNode(weighting: u32, pair: usize, nodeA: usize, laneB: usize): v128 {
  const bits = overlapLeafB(pair, nodeA, laneB);
  if (bits == 0) return splat(-1);
  const cx = splatAt(laneB, Node.centerX);
  const cy = splatAt(laneB, Node.centerY);
  const cz = splatAt(laneB, Node.centerZ);
  const hx = splatAt(laneB, Node.halfX);
  const hy = splatAt(laneB, Node.halfY);
  const hz = splatAt(laneB, Node.halfZ);
  const toA = pair + PairRecord.toA;
  const absToA = pair + PairRecord.absToA;
  const none = splat(0);
  const weights = weights4(
    weighting,
    load4(nodeA, Node.centerX),
    load4(nodeA, Node.centerY),
    load4(nodeA, Node.centerZ),
    load4(nodeA, Node.halfX),
    load4(nodeA, Node.halfY),
    load4(nodeA, Node.halfZ),
    image(toA, cx, cy, cz),
    image(toA + 16, cx, cy, cz),
    image(toA + 32, cx, cy, cz),
    halfImage(absToA, hx, hy, hz, none),
    halfImage(absToA + 12, hx, hy, hz, none),
    halfImage(absToA + 24, hx, hy, hz, none),
  );
  return v128.bitselect(mul(weights, splat(leafUnits(weighting, pair))), splat(-1), laneMask(bits));
}
