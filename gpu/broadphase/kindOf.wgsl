// Returns the flags of a box that exclude pairs: its set, if there are two sets, and whether it begins before
// this device's part of space. Two boxes that share a flag are not a pair.

fn kindOf(i: u32, low: vec3<u32>) -> u32 {
  let ofSet = select(FIRST_SET, SECOND_SET, i >= params.secondFrom);
  return select(ofSet, 0u, params.secondFrom == NOTHING) | select(0u, BEFORE_PART, low[params.partAxis] < params.partStart);
}
