// Overlap tests for boxes of one tree, stored as min and max corners, and the numbers of their records.

import { LEAF_BIT, MeshRecord, PairRecord, SelfBoxes } from '../records';
import { and, le, maskBits, splatAt } from '../simd/lanes';

/** Returns the record number of a node or a leaf with this handle. */
export function recordOf(pair: usize, handle: u32): u32 {
  return handle & LEAF_BIT
    ? (handle & ~LEAF_BIT) + load<u32>(load<u32>(pair, PairRecord.meshA), MeshRecord.nodeCount)
    : handle;
}

/**
 * Tests four boxes against the one whose lane is at address `lane`: bit i is set if box i overlaps it. Empty
 * boxes overlap nothing.
 */
export function overlap4(
  lowX: v128,
  lowY: v128,
  lowZ: v128,
  highX: v128,
  highY: v128,
  highZ: v128,
  lane: usize,
): i32 {
  return maskBits(
    and(
      and(
        and(le(lowX, splatAt(lane, SelfBoxes.highX)), le(splatAt(lane, SelfBoxes.lowX), highX)),
        and(le(lowY, splatAt(lane, SelfBoxes.highY)), le(splatAt(lane, SelfBoxes.lowY), highY)),
      ),
      and(le(lowZ, splatAt(lane, SelfBoxes.highZ)), le(splatAt(lane, SelfBoxes.lowZ), highZ)),
    ),
  );
}
