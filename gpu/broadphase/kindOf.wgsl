// Returns the flags of a box that exclude pairs: if a flag is set for both boxes of a pair, this device does
// not report the pair. If there are two sets of boxes, the result contains FIRST_SET or SECOND_SET, depending
// on the set to which the box belongs. The result contains BEFORE_REGION if the box begins before this device's
// region of space.

fn kindOf(i: u32, low: vec3<u32>) -> u32 {
  let ofSet = select(FIRST_SET, SECOND_SET, i >= params.secondFrom);
  return select(ofSet, 0u, params.secondFrom == NOTHING) | select(0u, BEFORE_REGION, low[params.regionAxis] < params.regionStart);
}
