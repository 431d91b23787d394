// Tests the two boxes of each front node, a pair of boxes from which the traversal starts. Overlapping pairs
// of leaves go to the list of leaf pairs. All other overlapping pairs become the input of the first pass. The
// front itself does not change.
// uses: append, boxes

@group(0) @binding(0) var<uniform> params: TraverseParams;
@group(0) @binding(1) var<storage, read> pairs: array<GpuPair>;
@group(0) @binding(2) var<storage, read> nodes: array<Node>;
@group(0) @binding(3) var<storage, read> passes: array<GpuPass>;
@group(0) @binding(4) var<storage, read> front: array<vec4<u32>>;
@group(0) @binding(5) var<storage, read_write> next: array<vec4<u32>>;
@group(0) @binding(6) var<storage, read_write> leafPairs: array<u32>;
@group(0) @binding(7) var<storage, read_write> counts: array<atomic<u32>>;

// The root has no box, so it always counts as overlapping.
fn doesOverlap(node: vec4<u32>) -> bool {
  if (node.y == NOTHING || node.z == NOTHING) { return true; }
  return mayOverlap(node.x, boxOf(pairs[node.x].firstNodeA + (node.y >> 2u), node.y & 3u), boxOf(pairs[node.x].firstNodeB + (node.z >> 2u), node.z & 3u));
}

@compute @workgroup_size(WORKGROUP)
fn testFront(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let end = passes[params.level].count;
  for (var base = group.x * WORKGROUP; base < end; base += groups.x * WORKGROUP) {
    let index = base + local;
    var node = vec4(0u);
    var isInner = false;
    var isLeafPair = false;
    var a = 0u;
    var b = 0u;
    if (index < end) {
      node = front[index];
      if ((params.isAny == 0u || atomicLoad(&counts[COUNTS + node.x]) == 0u) && doesOverlap(node)) {
        a = below(pairs[node.x].firstNodeA, node.y);
        b = below(pairs[node.x].firstNodeB, node.z);
        isLeafPair = isLeaf(a) && isLeaf(b);
        isInner = !isLeafPair;
      }
    }
    let place = appendAt(params.level + 1u, select(0u, 1u, isInner), local);
    if (isInner && place < params.listCapacity) { next[place] = vec4(node.xyz, index); }
    let leafPlace = appendAt(LEAF_PAIR_COUNT, select(0u, 1u, isLeafPair), local);
    if (isLeafPair && leafPlace < params.leafCapacity) {
      leafPairs[3u * leafPlace] = node.x;
      leafPairs[3u * leafPlace + 1u] = a & ~LEAF_BIT;
      leafPairs[3u * leafPlace + 2u] = b & ~LEAF_BIT;
    }
  }
}
