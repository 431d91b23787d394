// Writes the nodes of a tree without their boxes, and its leaves without their corners. Input: the handles
// of all children (`children`), the ranges of the nodes and the spans of the leaves. Also writes to `shape`
// what later refits need: the order of the nodes and the slot of each leaf.

@group(0) @binding(0) var<uniform> params: LinkParams;
@group(0) @binding(1) var<storage, read> ranges: array<GpuRange>;
@group(0) @binding(2) var<storage, read> children: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> spans: array<GpuSpan>;
@group(0) @binding(4) var<storage, read> ids: array<u32>;
@group(0) @binding(5) var<storage, read_write> nodes: array<vec4<u32>>;
@group(0) @binding(6) var<storage, read_write> leaves: array<vec4<u32>>;
@group(0) @binding(7) var<storage, read_write> shape: array<u32>;

// Sizes and offsets in vectors of four words.
const NODE_SIZE = 8u;
const LEAF_SIZE = 11u;
const IDS = 9u;
const MINUS_INFINITY = 0xff800000u;

fn linkNode(node: u32) {
  let at = NODE_SIZE * (params.firstNode + node);
  let handles = children[node];
  let half = select(vec4(0u), vec4(MINUS_INFINITY), handles == vec4(NOTHING));
  for (var axis = 0u; axis < 3u; axis++) {
    nodes[at + axis] = vec4(0u);
    nodes[at + 3u + axis] = half;
  }
  nodes[at + 6u] = handles;
  nodes[at + 7u] = vec4(ranges[node].parent, 0u, 0u, 0u);
  shape[params.orderAt + node] = node;
}

fn linkLeaf(leaf: u32) {
  let span = spans[leaf];
  var lanes = vec4(NOTHING);
  for (var lane = 0u; lane < span.count; lane++) { lanes[lane] = ids[span.begin + lane]; }
  leaves[LEAF_SIZE * (params.firstLeaf + leaf) + IDS] = lanes;
  shape[params.slotsAt + leaf] = span.slot;
}

@compute @workgroup_size(WORKGROUP)
fn linkTree(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
  for (var node = id.x; node < params.nodeCount; node += groups.x * WORKGROUP) { linkNode(node); }
  for (var leaf = id.x; leaf < params.leafCount; leaf += groups.x * WORKGROUP) { linkLeaf(leaf); }
}
