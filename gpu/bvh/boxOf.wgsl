// Computes the center and the half extents of a box from its min and max, all as bits of floats. Half
// extents are rounded up. The result equals the result of `boxLane` in assembly/bvh/refitTree.ts.
// uses: floatBits

const NODE_WORDS = 32u;
const HALVES = 12u;

struct BoxBits { center: vec4<u32>, half: vec4<u32> }

fn boxOf(low: vec4<u32>, high: vec4<u32>) -> BoxBits {
  let center = scaled4(add4(low, high), -1);
  return BoxBits(center, stepUp4(max4(sub4(high, center), sub4(center, low))));
}

// Stores a box in a slot (4 * node + lane). The code writes words instead of vectors, because other
// invocations write other lanes of the same node.
fn putBox(slot: u32, box: BoxBits) {
  let at = (params.firstNode + (slot >> 2u)) * NODE_WORDS + (slot & 3u);
  for (var axis = 0u; axis < 3u; axis++) {
    nodes[at + 4u * axis] = box.center[axis];
    nodes[at + HALVES + 4u * axis] = box.half[axis];
  }
}
