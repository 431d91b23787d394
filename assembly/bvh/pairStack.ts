// A stack of pairs of nodes or leaves of two trees, for searches that visit nearer pairs first. An entry has the
// handles of both, and a float by which the pairs that replace one pair are sorted.
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
