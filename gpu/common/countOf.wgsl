// Returns the number of items: a known number, or the one that an earlier kernel left in counts[slot], and
// never more than `most`.

fn countOf(slot: u32, most: u32) -> u32 {
  if (slot == NOTHING) { return most; }
  return min(counts[slot], most);
}
