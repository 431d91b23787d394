// Addresses boxes of a tree: a slot names a child box of a node, a handle names an inner node or a leaf.
import { NOTHING, Node } from '../records';

/** Returns the address of a box: that of its node plus four bytes per lane. */
export function laneAt(nodes: usize, slot: u32): usize {
  return nodes + <usize>(slot >> 2) * Node.SIZE + ((<usize>(slot & 3)) << 2);
}

/**
 * Returns the handle of the child at a slot: the index of an inner node, or the handle of a leaf. The slot
 * NOTHING is the whole tree.
 */
export function handleOf(nodes: usize, slot: u32): u32 {
  return slot == NOTHING ? 0 : load<u32>(laneAt(nodes, slot), Node.child);
}

/**
 * Prefetches a record by loading a word from each of its cache lines. The caller must store the result (the
 * words or-ed), or the compiler removes the loads.
 */
export function prefetch(at: usize, bytes: usize): u32 {
  let words = load<u32>(at) | load<u32>(at, 64);
  if (bytes > 128) words |= load<u32>(at, 128);
  return words;
}
