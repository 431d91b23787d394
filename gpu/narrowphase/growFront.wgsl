// Refines a front, the list of pairs of boxes (nodes of the bounding volume test tree, BVTT) from which the
// traversal starts. If the cost of a front node in the last run is at least `bound`, all pairs of the node's
// children replace the node, unless it is a pair of leaves. When a new front is made, `bound` is 0, so all
// nodes except pairs of leaves are replaced. The kernel tests no boxes, so the front remains a cut through the
// BVTT for any placement.
// uses: append, childPair

@group(0) @binding(0) var<uniform> params: GrowParams;
@group(0) @binding(1) var<storage, read> pairs: array<GpuPair>;
@group(0) @binding(2) var<storage, read> nodes: array<Node>;
@group(0) @binding(3) var<storage, read> passes: array<GpuPass>;
@group(0) @binding(4) var<storage, read> front: array<vec4<u32>>;
@group(0) @binding(5) var<storage, read> costs: array<u32>;
@group(0) @binding(6) var<storage, read_write> next: array<vec4<u32>>;
@group(0) @binding(7) var<storage, read_write> counts: array<atomic<u32>>;

fn isLeafPair(node: vec4<u32>) -> bool {
  return isLeaf(below(pairs[node.x].firstNodeA, node.y)) && isLeaf(below(pairs[node.x].firstNodeB, node.z));
}

@compute @workgroup_size(WORKGROUP)
fn growFront(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let end = 16u * passes[params.level].count;
  for (var base = group.x * WORKGROUP; base < end; base += groups.x * WORKGROUP) {
    let index = base + local;
    var node = vec4(0u);
    var exists = false;
    if (index < end) {
      node = front[index >> 4u];
      if (costs[index >> 4u] >= params.bound && !isLeafPair(node)) {
        let child = childPairOf(pairs[node.x].firstNodeA, pairs[node.x].firstNodeB, pairs[node.x].firstVertices != NOTHING, node.y, node.z, index & 15u);
        exists = child.exists;
        node.y = child.slotA;
        node.z = child.slotB;
      } else { exists = (index & 15u) == 0u; }
    }
    let place = appendAt(params.level + 1u, select(0u, 1u, exists), local);
    if (exists && place < params.listCapacity) { next[place] = node; }
  }
}
