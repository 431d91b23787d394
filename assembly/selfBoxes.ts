// Boxes of two nodes or leaves of one tree, by least and greatest -> one bit per overlapping pair.
import { and, bits, le, load4, splatAt } from './lanes';
import { LEAF_BIT, MeshRecord, PairRecord, SelfBoxes } from './layout';

/** The number of the record of a node or a leaf, by its handle. */
// @ts-ignore: decorator
@inline export function recordOf(pair: usize, handle: u32): u32 {
  return handle & LEAF_BIT ? (handle & ~LEAF_BIT) + load<u32>(load<u32>(pair, PairRecord.meshA), MeshRecord.nodeCount) : handle;
}

/** Addresses of SelfBoxes: bit 4 j + i is set when box i of A meets box j of B. Empty boxes meet none. */
// @ts-ignore: decorator
@inline export function meet16(a: usize, b: usize): i32 {
  const lowX = load4(a, SelfBoxes.lowX), lowY = load4(a, SelfBoxes.lowY), lowZ = load4(a, SelfBoxes.lowZ);
  const highX = load4(a, SelfBoxes.highX), highY = load4(a, SelfBoxes.highY), highZ = load4(a, SelfBoxes.highZ);
  return bits(meet(lowX, lowY, lowZ, highX, highY, highZ, b)) | (bits(meet(lowX, lowY, lowZ, highX, highY, highZ, b + 4)) << 4)
    | (bits(meet(lowX, lowY, lowZ, highX, highY, highZ, b + 8)) << 8) | (bits(meet(lowX, lowY, lowZ, highX, highY, highZ, b + 12)) << 12);
}

/** One box, named by its lane's address, against the four of a record: bit j. */
// @ts-ignore: decorator
@inline export function meet4(record: usize, lane: usize): i32 {
  return bits(meet(load4(record, SelfBoxes.lowX), load4(record, SelfBoxes.lowY), load4(record, SelfBoxes.lowZ),
    load4(record, SelfBoxes.highX), load4(record, SelfBoxes.highY), load4(record, SelfBoxes.highZ), lane));
}

// @ts-ignore: decorator
@inline function meet(lowX: v128, lowY: v128, lowZ: v128, highX: v128, highY: v128, highZ: v128, lane: usize): v128 {
  return and(and(
    and(le(lowX, splatAt(lane, SelfBoxes.highX)), le(splatAt(lane, SelfBoxes.lowX), highX)),
    and(le(lowY, splatAt(lane, SelfBoxes.highY)), le(splatAt(lane, SelfBoxes.lowY), highY))),
    and(le(lowZ, splatAt(lane, SelfBoxes.highZ)), le(splatAt(lane, SelfBoxes.lowZ), highZ)));
}
