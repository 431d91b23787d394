// A box -> why others are no pair with it: of the same set of two, or both of an earlier part.

fn kindOf(i: u32, low: vec3<u32>) -> u32 {
  let ofSet = select(FIRST_SET, SECOND_SET, i >= params.secondFrom);
  return select(ofSet, 0u, params.secondFrom == NOTHING) | select(0u, BEFORE_PART, low[params.partAxis] < params.partStart);
}
