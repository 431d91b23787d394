// Returns the number of pairs in a list: a known number, or one that an earlier kernel counted in two words.
// Returns 0 if the list was too short: the host then runs the search again.

fn pairCount(low: u32, high: u32) -> u32 {
  if (params.slot == NOTHING) { return params.pairs; }
  return select(low, 0u, high > 0u || low > params.pairs);
}
