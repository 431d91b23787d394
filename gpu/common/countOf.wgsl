// Returns the number of items: a known number, or the one that an earlier kernel left in counts[slot], and
// never more than `maxCount`.

fn countOf(slot: u32, maxCount: u32) -> u32 {
  if (slot == NOTHING) { return maxCount; }
  return min(counts[slot], maxCount);
}
