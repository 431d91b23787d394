// Computes the boxes of nodes from the boxes of their children, deepest level first. Writes the box of each
// node to the node's lane in its parent, and the root's box to the start of `shape`. The boxes equal the boxes
// of `refitBoxNodes` in assembly/bvh/refitTree.ts. A dispatch that processes several levels has only one
// workgroup, because a workgroup might not see what other workgroups have written in the same dispatch.
// uses: boxOf

@group(0) @binding(0) var<uniform> params: RefitNodesParams;
@group(0) @binding(1) var<storage, read_write> shape: array<u32>;
@group(0) @binding(2) var<storage, read_write> nodes: array<u32>;

const CHILDREN = 24u;
const PARENT = 28u;
const PLUS_INFINITY = 0x7f800000u;
const MINUS_INFINITY = 0xff800000u;

fn load4(at: u32) -> vec4<u32> { return vec4(nodes[at], nodes[at + 1u], nodes[at + 2u], nodes[at + 3u]); }

// The order of the comparisons determines the sign of 0, as on the CPU.
fn minOf(x: vec4<u32>) -> u32 {
  let two = min4(x, x.zwzw);
  return min4(two, two.yyyy).x;
}
fn maxOf(x: vec4<u32>) -> u32 {
  let two = max4(x, x.zwzw);
  return max4(two, two.yyyy).x;
}

fn refitNode(node: u32) {
  let at = NODE_WORDS * (params.firstNode + node);
  let isNone = load4(at + CHILDREN) == vec4(NOTHING);
  var low = vec4(0u);
  var high = vec4(0u);
  for (var axis = 0u; axis < 3u; axis++) {
    let center = load4(at + 4u * axis);
    let half = select(load4(at + HALVES + 4u * axis), vec4(0u), isNone);
    // Unused lanes get an infinity, which is never the min or max of a node with a child. So infinities are
    // compared with other floats, but never added or subtracted.
    low[axis] = minOf(select(sub4(center, half), vec4(PLUS_INFINITY), isNone));
    high[axis] = maxOf(select(add4(center, half), vec4(MINUS_INFINITY), isNone));
  }
  let box = boxOf(low, high);
  let parent = nodes[at + PARENT];
  if (parent != NOTHING) { putBox(parent, box); return; }
  for (var axis = 0u; axis < 3u; axis++) {
    shape[axis] = box.center[axis];
    shape[3u + axis] = box.half[axis];
  }
}

@compute @workgroup_size(WORKGROUP)
fn refitNodes(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
  for (var level = params.deepest + 1u; level > params.highest; level--) {
    let first = shape[LEVELS_AT + 2u * (level - 1u)];
    let count = shape[LEVELS_AT + 2u * (level - 1u) + 1u];
    for (var i = id.x; i < count; i += groups.x * WORKGROUP) { refitNode(shape[params.orderAt + first + i]); }
    storageBarrier();
  }
}
