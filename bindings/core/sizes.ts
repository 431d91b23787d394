// Depth of two trees -> bytes of the stacks that a traversal can never overflow.
import { limits } from '../records/layout.js';

/** 18 doubles of two placed triangles, in whole cache lines. */
export const EXACT_POINTS_BYTES = 192;

const WORD = 4;
// A push stores four lanes whatever its mask: room for the overshoot.
const OVERSHOOT = 4;

/**
 * Sum of the trees' depths -> bytes of each half of a stack. A batch pops up to BATCH entries and pushes at
 * most 16 for each (two nodes) or 4 (a leaf and a node), all one level deeper; node pairs wait while a mixed
 * stack holds a chunk.
 */
export function limitsOf(depth: number): { nodesStride: number; mixedStride: number; leavesStride: number } {
  const nodes = 16 * limits.BATCH * (depth + 1) + OVERSHOOT;
  const mixed = limits.LEAF_CHUNK + 16 * limits.BATCH + 4 * limits.BATCH * (depth + 1) + OVERSHOOT;
  return {
    nodesStride: WORD * nodes,
    mixedStride: WORD * mixed,
    leavesStride: WORD * (limits.LEAF_RING + OVERSHOOT),
  };
}
