// Returns the number of items. If slot is NOTHING, this number is `maxCount`. Otherwise, it is the number
// that an earlier kernel wrote to counts[slot], but at most `maxCount`.

fn countOf(slot: u32, maxCount: u32) -> u32 {
  if (slot == NOTHING) { return maxCount; }
  return min(counts[slot], maxCount);
}
