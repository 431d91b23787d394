// Returns the number of pairs in a list. If params.slot is NOTHING, this number is params.pairs. Otherwise,
// it is the number that an earlier kernel counted in two words (low, high), and params.pairs is the capacity
// of the list. If the list is too short for that number, returns 0. The host then enlarges the list, or runs
// the kernels several times, each time for a batch of the pairs.

fn pairCount(low: u32, high: u32) -> u32 {
  if (params.slot == NOTHING) { return params.pairs; }
  return select(low, 0u, high > 0u || low > params.pairs);
}
