// Returns the flags that exclude pairs of a box: two boxes that share a flag are not reported as a pair. If
// there are two sets, one flag tells to which set the box belongs. Another flag is set if the box begins
// before this device's region of space.

fn kindOf(i: u32, low: vec3<u32>) -> u32 {
  let ofSet = select(FIRST_SET, SECOND_SET, i >= params.secondFrom);
  return select(ofSet, 0u, params.secondFrom == NOTHING) | select(0u, BEFORE_REGION, low[params.regionAxis] < params.regionStart);
}
