// A stack for searches that descend two trees together and visit nearer pairs first. An entry has two handles,
// of a node or leaf of each tree, and a float: a distance or a time. When pairs of children replace a pair on
// the stack, these new entries are sorted by their floats.
import { PAIR_ENTRY_BYTES } from '../records';

/**
 * Inserts an entry into the entries from `base` to `end`, which are sorted so that the nearest is the last one.
 * Returns the new end. near: a distance or a time.
 */
export function pushPair(base: usize, end: usize, a: u32, b: u32, near: f32): usize {
  let at = end;
  for (; at > base && load<f32>(at - PAIR_ENTRY_BYTES, 8) < near; at -= PAIR_ENTRY_BYTES)
    memory.copy(at, at - PAIR_ENTRY_BYTES, PAIR_ENTRY_BYTES);
  store<u32>(at, a);
  store<u32>(at, b, 4);
  store<f32>(at, near, 8);
  return end + PAIR_ENTRY_BYTES;
}
