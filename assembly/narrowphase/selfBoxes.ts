// Tests boxes of one tree against each other, for testing a mesh against itself. The boxes are stored as min
// and max corners in SelfBoxes records. The records of all nodes come first, then the records of all leaves.

import { LEAF_BIT, MeshRecord, PairRecord, SelfBoxes } from '../records';
import { and, le, maskBits, splatAt } from '../simd/lanes';

/** Returns the number of the SelfBoxes record of a node or a leaf, given by its handle. */
export function recordOf(pair: usize, handle: u32): u32 {
  return handle & LEAF_BIT
    ? (handle & ~LEAF_BIT) + load<u32>(load<u32>(pair, PairRecord.meshA), MeshRecord.nodeCount)
    : handle;
}

/**
 * Tests four boxes against the box whose lane is at address `lane`. Bit i is set if box i overlaps that box.
 * Empty boxes overlap nothing.
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
