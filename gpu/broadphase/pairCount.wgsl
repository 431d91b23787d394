// Returns the number of pairs in a list. If params.slot is NOTHING, this number is params.pairs. Otherwise,
// it is the number that an earlier kernel counted in two words (low, high). If the list is too short for that
// number, returns 0; the host then enlarges the list or writes it in batches.

fn pairCount(low: u32, high: u32) -> u32 {
  if (params.slot == NOTHING) { return params.pairs; }
  return select(low, 0u, high > 0u || low > params.pairs);
}
