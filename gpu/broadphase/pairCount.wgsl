// Returns the number of pairs in a list. If params.slot is NOTHING, this number is params.pairs. Otherwise,
// it is the number that an earlier kernel counted in two words, or 0 if the list was too short for that
// number. In the latter case, the host runs the search again.

fn pairCount(low: u32, high: u32) -> u32 {
  if (params.slot == NOTHING) { return params.pairs; }
  return select(low, 0u, high > 0u || low > params.pairs);
}
