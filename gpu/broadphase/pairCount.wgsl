// Pairs of a list: known, or told in two words. None where they have no room: they are asked for anew.

fn pairCount(low: u32, high: u32) -> u32 {
  if (params.slot == NOTHING) { return params.pairs; }
  return select(low, 0u, high > 0u || low > params.pairs);
}
