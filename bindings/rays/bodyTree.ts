// Builds a tree of nodes with four children over the boxes of bodies. The boxes of a node are split into halves
// at the median of their centers, along the axis on which the centers spread most. Then each half is split in
// the same way.

import { limits, Node } from '../records/layout.js';
import type { BlockGroup } from '../runtime/blockGroup.js';
import type { Arena } from '../runtime/memory.js';

/**
 * A tree whose stored coordinates are (x - center) * scale. Their magnitude is at most 1, and their error is at
 * most 2^-22.
 */
export interface BodyTree {
  readonly nodesAt: number;
  readonly depth: number;
  readonly center: readonly number[];
  readonly scale: number;
}

/**
 * Builds the tree of at least two boxes and writes it into memory. boxes: six numbers per box, minimum x, y, z,
 * then maximum x, y, z.
 */
export function writeBoxTree(arena: Arena, blocks: BlockGroup, boxes: Float64Array): BodyTree {
  const count = boxes.length / 6;
  const all = Uint32Array.from({ length: count }, (_, i) => i);
  const bounds = boundsOf(boxes, all);
  const center = [0, 1, 2].map(axis => bounds[axis] / 2 + bounds[axis + 3] / 2);
  const half = Math.max(...[0, 1, 2].map(axis => bounds[axis + 3] / 2 - bounds[axis] / 2));
  // A power of two, so that scaling does not round.
  const scale = half > 0 ? 2 ** -Math.max(-1000, Math.min(1000, Math.ceil(Math.log2(half)) + 1)) : 1;
  // Every node has at least two children, so there are fewer nodes than boxes.
  const nodesAt = blocks.take(count * Node.size);
  let nodeCount = 0;
  let depth = 0;

  const writeNode = (members: Uint32Array, level: number): number => {
    const number = nodeCount++;
    depth = Math.max(depth, level);
    const children = (
      members.length <= 4 ? Array.from(members, one => Uint32Array.of(one)) : quarters(members)
    ).map(child => ({
      bounds: boundsOf(boxes, child),
      handle: child.length === 1 ? (limits.LEAF_BIT | child[0]) >>> 0 : writeNode(child, level + 1),
    }));
    const at = (nodesAt + number * Node.size) / 4;
    for (let lane = 0; lane < 4; lane++) {
      const child = children[lane];
      for (let axis = 0; axis < 3; axis++) {
        const low = child ? (child.bounds[axis] - center[axis]) * scale : 0;
        const high = child ? (child.bounds[axis + 3] - center[axis]) * scale : 0;
        arena.f32[at + Node.at.centerX / 4 + 4 * axis + lane] = (low + high) / 2;
        arena.f32[at + Node.at.halfX / 4 + 4 * axis + lane] = child ? (high - low) / 2 : -Infinity;
      }
      arena.u32[at + Node.at.child / 4 + lane] = child ? child.handle : limits.NOTHING;
    }
    return number;
  };

  const quarters = (members: Uint32Array): Uint32Array[] => halves(members).flatMap(halves);
  const halves = (members: Uint32Array): Uint32Array[] => {
    if (members.length === 1) return [members];
    const spreads = [0, 1, 2].map(axis => spread(members, axis));
    const axis = spreads.indexOf(Math.max(...spreads));
    const sorted = members.slice().sort((a, b) => middle(a, axis) - middle(b, axis) || a - b);
    return [sorted.subarray(0, sorted.length >> 1), sorted.subarray(sorted.length >> 1)];
  };
  const middle = (box: number, axis: number): number =>
    boxes[6 * box + axis] / 2 + boxes[6 * box + 3 + axis] / 2;
  const spread = (members: Uint32Array, axis: number): number => {
    let [low, high] = [Infinity, -Infinity];
    for (const one of members) {
      low = Math.min(low, middle(one, axis));
      high = Math.max(high, middle(one, axis));
    }
    return high - low;
  };
  writeNode(all, 1);
  return { nodesAt, depth, center, scale };
}

function boundsOf(boxes: Float64Array, members: Uint32Array): number[] {
  const bounds = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  for (const box of members)
    for (let axis = 0; axis < 3; axis++) {
      bounds[axis] = Math.min(bounds[axis], boxes[6 * box + axis]);
      bounds[axis + 3] = Math.max(bounds[axis + 3], boxes[6 * box + 3 + axis]);
    }
  return bounds;
}
