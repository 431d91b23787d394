// Last step of a prefix sum: replaces each number by the sum of all numbers before it. sums[i] is the sum of
// all tiles before tile i.
// uses: countOf, scanItems

@group(0) @binding(0) var<uniform> params: ScanParams;
@group(0) @binding(1) var<storage, read> counts: array<u32>;
@group(0) @binding(2) var<storage, read> sums: array<u32>;
@group(0) @binding(3) var<storage, read_write> data: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn scanTiles(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let count = countOf(params.slot, params.maxCount);
  for (var tile = group.x; tile * TILE < count; tile += groups.x) {
    scanItems(tile * TILE, count, sums[tile], local);
    workgroupBarrier();
  }
}
