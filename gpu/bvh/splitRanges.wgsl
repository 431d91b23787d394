// Splits the triangles of each node of a level into up to four children. For each tile of WORKGROUP nodes,
// counts the children that are nodes and the children that are leaves.
// uses: splitIntoChildren, countChildren

@group(0) @binding(0) var<uniform> params: LevelParams;
@group(0) @binding(1) var<storage, read> levels: array<GpuLevel>;
@group(0) @binding(2) var<storage, read> ranges: array<GpuRange>;
@group(0) @binding(3) var<storage, read> codes: array<u32>;
@group(0) @binding(4) var<storage, read_write> children: array<vec4<u32>>;
@group(0) @binding(5) var<storage, read_write> totals: array<u32>;

var<workgroup> total: atomic<u32>;

@compute @workgroup_size(WORKGROUP)
fn splitRanges(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let level = levels[params.level];
  for (var tile = group.x; tile * WORKGROUP < level.count; tile += groups.x) {
    if (local == 0u) { atomicStore(&total, 0u); }
    workgroupBarrier();
    let i = tile * WORKGROUP + local;
    if (i < level.count) {
      let node = level.first + i;
      let borders = splitIntoChildren(ranges[node].begin, ranges[node].end);
      children[node] = vec4(borders[1], borders[2], borders[3], borders[4]);
      atomicAdd(&total, countChildren(borders));
    }
    workgroupBarrier();
    if (local == 0u) { totals[tile] = atomicLoad(&total); }
    workgroupBarrier();
  }
}
