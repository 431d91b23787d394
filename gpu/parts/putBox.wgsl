// Least and greatest x, y, z -> the box of a slot, 4 node + lane: its center, and half extents that are never too small; see boxLane in assembly/kernels/refitTree.ts.
// parts: floatBits

const NODE_WORDS = 32u;
const HALVES = 12u;

fn boxCenter(low: vec4<u32>, high: vec4<u32>) -> vec4<u32> { return scaled4(add4(low, high), -1); }

fn boxHalf(low: vec4<u32>, high: vec4<u32>, center: vec4<u32>) -> vec4<u32> { return stepUp4(most4(sub4(high, center), sub4(center, low))); }

// Words, not vectors: others write their lanes of the same node.
fn putBox(slot: u32, low: vec4<u32>, high: vec4<u32>) {
  let center = boxCenter(low, high);
  let half = boxHalf(low, high, center);
  let at = (params.firstNode + (slot >> 2u)) * NODE_WORDS + (slot & 3u);
  for (var axis = 0u; axis < 3u; axis++) {
    nodes[at + 4u * axis] = center[axis];
    nodes[at + HALVES + 4u * axis] = half[axis];
  }
}
