// Writes the lanes of the nodes of a tree of boxes, and computes the bounds (hulls) of nodes.

import { BoxNode } from '../records';
import { load4, max4, min4, splat } from '../simd/lanes';
import { isNonEmpty, maxCornerOf, minCornerOf } from './boxLoad';

/**
 * Flags of an empty lane: all bits are set, so it forms no pair with a flagged box, and clears no flag of the
 * node's hull.
 */
const ALL_FLAGS: u32 = 0xffffffff;

/** Writes a box to a lane; an empty box becomes an empty lane. */
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

/** Returns the min corner of the four boxes of a node as x, y, z. */
export function minCornerOfNode(node: usize): v128 {
  const x = load4(node, BoxNode.minX);
  const y = load4(node, BoxNode.minY);
  const z = load4(node, BoxNode.minZ);
  const xy = min4(v128.shuffle<f32>(x, y, 0, 1, 4, 5), v128.shuffle<f32>(x, y, 2, 3, 6, 7));
  const zz = min4(z, v128.shuffle<f32>(z, z, 2, 3, 2, 3));
  return min4(v128.shuffle<f32>(xy, zz, 0, 2, 4, 4), v128.shuffle<f32>(xy, zz, 1, 3, 5, 5));
}

/** Returns the max corner of the four boxes of a node as x, y, z. */
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

/** Returns the sum of a lane's sizes on the three axes; an empty lane has size 0. */
export function sizeOfLane(lane: usize): f64 {
  const x = <f64>load<f32>(lane, BoxNode.maxX) - <f64>load<f32>(lane, BoxNode.minX);
  const y = <f64>load<f32>(lane, BoxNode.maxY) - <f64>load<f32>(lane, BoxNode.minY);
  const z = <f64>load<f32>(lane, BoxNode.maxZ) - <f64>load<f32>(lane, BoxNode.minZ);
  return x >= 0 ? x + y + z : 0;
}
