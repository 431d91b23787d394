// Returns the flags of a box by which pairs are excluded: two boxes that share a flag are not a pair. One
// flag is the set of the box, if there are two sets. Another flag is set if the box begins before this
// device's part of space.

fn kindOf(i: u32, low: vec3<u32>) -> u32 {
  let ofSet = select(FIRST_SET, SECOND_SET, i >= params.secondFrom);
  return select(ofSet, 0u, params.secondFrom == NOTHING) | select(0u, BEFORE_PART, low[params.partAxis] < params.partStart);
}
