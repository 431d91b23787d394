// How many there are: known beforehand, or what an earlier kernel left in counts[slot], and never more than
// `most`.

fn countOf(slot: u32, most: u32) -> u32 {
  if (slot == NOTHING) { return most; }
  return min(counts[slot], most);
}
