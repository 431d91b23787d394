// Computes addresses in a tree. A slot identifies a child box of a node; a handle identifies an inner node or
// a leaf.
import { NOTHING, Node } from '../records';

/**
 * Returns the address of the box at a slot: the address of the box's node, plus four bytes per lane. To load
 * a field of the box, add the offset of the field in Node.
 */
export function laneAt(nodes: usize, slot: u32): usize {
  return nodes + <usize>(slot >> 2) * Node.SIZE + ((<usize>(slot & 3)) << 2);
}

/**
 * Returns the handle of the child at a slot: the index of an inner node, or LEAF_BIT plus the index of a
 * leaf. The slot NOTHING stands for the whole tree, whose handle is 0, the root.
 */
export function handleOf(nodes: usize, slot: u32): u32 {
  return slot == NOTHING ? 0 : load<u32>(laneAt(nodes, slot), Node.child);
}

/**
 * Prefetches a record by loading the words at its byte offsets 0 and 64 and, if the record has more than 128
 * bytes, at 128: one word per cache line. Returns the bitwise OR of the words. The caller must store this
 * result, or the compiler removes the loads.
 */
export function prefetch(at: usize, bytes: usize): u32 {
  let words = load<u32>(at) | load<u32>(at, 64);
  if (bytes > 128) words |= load<u32>(at, 128);
  return words;
}
