// Runs one pass of the traversal: tests the children of each pair of overlapping boxes. Overlapping pairs of
// leaves go to one list, and all other overlapping pairs to the list of the next pass. A pass goes one level
// down (Zhang and Kim, p-partition fronts, section 4). Counterpart of assembly/narrowphase/traverse.ts.
// uses: boxes, childPair

@group(0) @binding(0) var<uniform> params: TraverseParams;
@group(0) @binding(1) var<storage, read> pairs: array<GpuPair>;
@group(0) @binding(2) var<storage, read> nodes: array<Node>;
@group(0) @binding(3) var<storage, read> passes: array<GpuPass>;
@group(0) @binding(4) var<storage, read> list: array<vec4<u32>>;
@group(0) @binding(5) var<storage, read_write> next: array<vec4<u32>>;
@group(0) @binding(6) var<storage, read_write> leafPairs: array<u32>;
@group(0) @binding(7) var<storage, read_write> counts: array<atomic<u32>>;
@group(0) @binding(8) var<storage, read_write> costs: array<atomic<u32>>;

var<workgroup> nextCount: atomic<u32>;
var<workgroup> leafCount: atomic<u32>;
var<workgroup> nextFrom: u32;
var<workgroup> leafFrom: u32;

// Sixteen invocations process one pair of boxes, one for each pair of children.
@compute @workgroup_size(WORKGROUP)
fn traverse(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let end = 16u * passes[params.level].count;
  for (var base = group.x * WORKGROUP; base < end; base += groups.x * WORKGROUP) {
    let index = base + local;
    var item = vec4(0u);
    var child = ChildPair(0u, 0u, 0u, 0u, false);
    var doOverlap = false;
    if (index < end) {
      item = list[index >> 4u];
      child = childPairOf(pairs[item.x].firstNodeA, pairs[item.x].firstNodeB, pairs[item.x].firstVertices != NOTHING, item.y, item.z, index & 15u);
      if (child.exists) {
        doOverlap = mayOverlap(item.x, boxOf(pairs[item.x].firstNodeA + (child.slotA >> 2u), child.slotA & 3u), boxOf(pairs[item.x].firstNodeB + (child.slotB >> 2u), child.slotB & 3u));
      }
    }
    let isLeafPair = doOverlap && isLeaf(child.a) && isLeaf(child.b);
    let isInner = doOverlap && !isLeafPair;

    if (local == 0u) { atomicStore(&nextCount, 0u); atomicStore(&leafCount, 0u); }
    workgroupBarrier();
    var place = 0u;
    if (isInner) { place = atomicAdd(&nextCount, 1u); }
    if (isLeafPair) { place = atomicAdd(&leafCount, 1u); }
    workgroupBarrier();
    if (local == 0u) {
      nextFrom = atomicAdd(&counts[params.level + 1u], atomicLoad(&nextCount));
      leafFrom = atomicAdd(&counts[LEAF_PAIR_COUNT], atomicLoad(&leafCount));
    }
    workgroupBarrier();
    if (isInner && nextFrom + place < params.listCapacity) { next[nextFrom + place] = vec4(item.x, child.slotA, child.slotB, item.w); }
    if (isLeafPair && leafFrom + place < params.leafCapacity) {
      let at = 3u * (leafFrom + place);
      leafPairs[at] = item.x;
      leafPairs[at + 1u] = child.a & ~LEAF_BIT;
      leafPairs[at + 2u] = child.b & ~LEAF_BIT;
    }
    if (item.w != NOTHING && index < end) {
      if (isLeafPair) { atomicAdd(&costs[item.w], LEAF_COST); }
      if ((index & 15u) == 0u) { atomicAdd(&costs[item.w], 16u); }
    }
    workgroupBarrier();
  }
}
