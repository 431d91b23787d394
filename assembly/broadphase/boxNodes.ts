// A node of a tree of boxes stores four boxes with their flags, one per lane. This file writes lanes, and
// computes the hull of a node (the bounds of its boxes) and the flags that all its lanes have in common.

import { BoxNode } from '../records';
import { load4, max4, min4, splat } from '../simd/lanes';
import { isNonEmpty, maxCornerOf, minCornerOf } from './boxLoad';

/**
 * Flags of an empty lane. All bits are set, so an empty lane forms no pair with a box that has a flag, and
 * `flagsOfNode` depends only on the other lanes.
 */
const ALL_FLAGS: u32 = 0xffffffff;

/** Writes a box to a lane of a node. For an empty box, writes an empty lane. */
export function writeLane(lane: usize, box: usize, flags: u32): void {
  const low = minCornerOf(box);
  const high = maxCornerOf(box);
  if (isNonEmpty(low, high)) writeLaneBounds(lane, low, high, flags);
  else writeEmptyLane(lane);
}

export function writeEmptyLane(lane: usize): void {
  writeLaneBounds(lane, splat(Infinity), splat(-Infinity), ALL_FLAGS);
}

export function writeLaneBounds(lane: usize, low: v128, high: v128, flags: u32): void {
  store<f32>(lane, f32x4.extract_lane(low, 0), BoxNode.minX);
  store<f32>(lane, f32x4.extract_lane(low, 1), BoxNode.minY);
  store<f32>(lane, f32x4.extract_lane(low, 2), BoxNode.minZ);
  store<f32>(lane, f32x4.extract_lane(high, 0), BoxNode.maxX);
  store<f32>(lane, f32x4.extract_lane(high, 1), BoxNode.maxY);
  store<f32>(lane, f32x4.extract_lane(high, 2), BoxNode.maxZ);
  store<u32>(lane, flags, BoxNode.flags);
}

/** Returns the min corner of a node's hull as x, y, z. */
export function minCornerOfNode(node: usize): v128 {
  const x = load4(node, BoxNode.minX);
  const y = load4(node, BoxNode.minY);
  const z = load4(node, BoxNode.minZ);
  const xy = min4(v128.shuffle<f32>(x, y, 0, 1, 4, 5), v128.shuffle<f32>(x, y, 2, 3, 6, 7));
  const zz = min4(z, v128.shuffle<f32>(z, z, 2, 3, 2, 3));
  return min4(v128.shuffle<f32>(xy, zz, 0, 2, 4, 4), v128.shuffle<f32>(xy, zz, 1, 3, 5, 5));
}

/** Returns the max corner of a node's hull as x, y, z. */
export function maxCornerOfNode(node: usize): v128 {
  const x = load4(node, BoxNode.maxX);
  const y = load4(node, BoxNode.maxY);
  const z = load4(node, BoxNode.maxZ);
  const xy = max4(v128.shuffle<f32>(x, y, 0, 1, 4, 5), v128.shuffle<f32>(x, y, 2, 3, 6, 7));
  const zz = max4(z, v128.shuffle<f32>(z, z, 2, 3, 2, 3));
  return max4(v128.shuffle<f32>(xy, zz, 0, 2, 4, 4), v128.shuffle<f32>(xy, zz, 1, 3, 5, 5));
}

/** Returns the flags that all four lanes have. */
export function flagsOfNode(node: usize): u32 {
  return (
    load<u32>(node, BoxNode.flags) &
    load<u32>(node, BoxNode.flags + 4) &
    load<u32>(node, BoxNode.flags + 8) &
    load<u32>(node, BoxNode.flags + 12)
  );
}

/** Returns the sum of the sizes of a lane's box on the three axes, or 0 for an empty lane. */
export function sizeOfLane(lane: usize): f64 {
  const x = <f64>load<f32>(lane, BoxNode.maxX) - <f64>load<f32>(lane, BoxNode.minX);
  const y = <f64>load<f32>(lane, BoxNode.maxY) - <f64>load<f32>(lane, BoxNode.minY);
  const z = <f64>load<f32>(lane, BoxNode.maxZ) - <f64>load<f32>(lane, BoxNode.minZ);
  return x >= 0 ? x + y + z : 0;
}
