// Overlap of child boxes in A's frame -> weights that a node's cost is split by (Zhang & Kim eq. 2, 3).

import {
  EACH_ONCE,
  FrontNode,
  LEAF_BIT,
  NOTHING,
  Node,
  PairRecord,
  WEIGHT_DEPTH,
  WEIGHT_VOLUME,
} from '../records';
import { handleOf, laneAt } from '../simd/access';
import { overlapLeafB } from '../simd/boxes';
import { halfImage, image } from '../simd/frames';
import { abs, add, lanesOf, least, load4, most, mul, splat, splatAt, sub } from '../simd/lanes';
import { BOXES, SELF } from './kinds';
import { meet16, meetLeafA, meetLeafB } from './volumes';

// Flat and touching boxes have volume 0, the normal case in CAD: an extent counts as at least this part of
// the smaller box's largest extent.
const LEAST_PART: f32 = 0.015625;

function sharedExtent(centerA: v128, centerB: v128, halfA: v128, halfB: v128): v128 {
  const reach = sub(add(halfA, halfB), abs(sub(centerA, centerB)));
  const smaller = least(halfA, halfB);
  return least(reach, add(smaller, smaller));
}

// Weights of four box pairs; a* are A's lanes, b* B's images in A's frame. What does not overlap gets a floor
// value: mask it.
// @ts-ignore: decorator
@inline
function weights4(
  mode: u32,
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
  const floor = mul(least(most(ahx, most(ahy, ahz)), most(bhx, most(bhy, bhz))), splat(2 * LEAST_PART));
  const x = most(sharedExtent(ax, bx, ahx, bhx), floor);
  const y = most(sharedExtent(ay, by, ahy, bhy), floor);
  const z = most(sharedExtent(az, bz, ahz, bhz), floor);
  if (mode == WEIGHT_DEPTH) return least(x, least(y, z));
  const volume = mul(mul(x, y), z);
  return mode == WEIGHT_VOLUME ? volume : f32x4.sqrt(volume);
}

// Writes one child front node; the next one overwrites it where the mask bit is not set.
function emit(to: usize, set: i32, volume: f32, pair: u32, slotA: u32, slotB: u32): usize {
  store<u32>(to, pair, FrontNode.pair);
  store<u32>(to, slotA, FrontNode.slotA);
  store<u32>(to, slotB, FrontNode.slotB);
  store<f32>(to, volume, FrontNode.cost);
  return set ? to + FrontNode.SIZE : to;
}

/**
 * Writes the overlapping children of a front node (at most 16, and one record of room beyond) with their
 * weights as cost; kind: see kinds.ts; of a box with itself, each two once. Returns their end.
 */
export function children(
  kind: u32,
  mode: u32,
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
  // A leaf stands for itself on its side: one lane instead of four.
  const ax = leafA ? splatAt(laneA, Node.centerX) : load4(laneA, Node.centerX);
  const ahx = leafA ? splatAt(laneA, Node.halfX) : load4(laneA, Node.halfX);
  const ay = leafA ? splatAt(laneA, Node.centerY) : load4(laneA, Node.centerY);
  const ahy = leafA ? splatAt(laneA, Node.halfY) : load4(laneA, Node.halfY);
  const az = leafA ? splatAt(laneA, Node.centerZ) : load4(laneA, Node.centerZ);
  const ahz = leafA ? splatAt(laneA, Node.halfZ) : load4(laneA, Node.halfZ);
  const countB = leafB ? 1 : 4;
  const each = leafA
    ? spread(meetLeafA(kind, pair, laneA, laneB, 0))
    : leafB
      ? meetLeafB(kind, pair, laneA, laneB, 0)
      : meet16(kind, pair, laneA, laneB, 0);
  const mask = kind == SELF && slotA == slotB ? each & <i32>EACH_ONCE : each;
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
      mode,
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

/** How many child pairs of a front node overlap: 1 for a pair of leaves. */
export function overlapCount(kind: u32, pair: usize, slotA: u32, slotB: u32): u32 {
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
      ? meetLeafA(kind, pair, laneA, laneB, 0)
      : leafB
        ? meetLeafB(kind, pair, laneA, laneB, 0)
        : meet16(kind, pair, laneA, laneB, 0),
  );
}

// Bits 0..3 of B's lanes -> bit 0 of each group of four, as overlap16 orders them.
function spread(bits: i32): i32 {
  return (bits & 1) | ((bits & 2) << 3) | ((bits & 4) << 6) | ((bits & 8) << 9);
}

// What turns a weight into leaves' sizes: a length, its 3/2 power or its cube.
function inLeaves(mode: u32, pair: usize): f32 {
  const length = load<f32>(pair, PairRecord.leavesALength);
  return mode == WEIGHT_DEPTH
    ? length
    : mode == WEIGHT_VOLUME
      ? length * length * length
      : length * sqrt(length);
}

/**
 * Overlap weight of two whole trees in leaves' sizes: what their children weigh, of whom there is room for 17
 * records at `scratch`; -1 where they are apart.
 */
export function weightOfTrees(mode: u32, pair: usize, scratch: usize): f32 {
  const end = children(BOXES, mode, pair, 0, NOTHING, NOTHING, scratch);
  let sum: f32 = 0;
  for (let at = scratch; at < end; at += FrontNode.SIZE) sum += load<f32>(at, FrontNode.cost);
  return end == scratch ? -1 : inLeaves(mode, pair) * sum;
}

/**
 * Overlap weights of the four boxes of a node of A with one box of B, in leaves' sizes; -1 where they are
 * apart.
 */
export function weightsOfNode(mode: u32, pair: usize, nodeA: usize, laneB: usize): v128 {
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
    mode,
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
  return v128.bitselect(mul(weights, splat(inLeaves(mode, pair))), splat(-1), lanesOf(bits));
}
