// Slots and handles: how a box of a tree is named and found.
import { NOTHING, Node } from '../records';

/** Address of a box: its node and four bytes a lane. */
export function laneAt(nodes: usize, slot: u32): usize {
  return nodes + <usize>(slot >> 2) * Node.SIZE + ((<usize>(slot & 3)) << 2);
}

/** What a slot leads to: an inner node's index or a leaf's handle. NOTHING is the whole tree. */
export function handleOf(nodes: usize, slot: u32): u32 {
  return slot == NOTHING ? 0 : load<u32>(laneAt(nodes, slot), Node.child);
}

/**
 * Brings a record's cache lines nearer. Its words, or-ed, are to be stored somewhere: loads that nothing
 * depends on are left out.
 */
export function ask(at: usize, bytes: usize): u32 {
  let words = load<u32>(at) | load<u32>(at, 64);
  if (bytes > 128) words |= load<u32>(at, 128);
  return words;
}
