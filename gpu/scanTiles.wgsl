// Numbers, and the sum of all tiles before each tile -> in place of each number the sum of all before it.
// parts: countOf, scanGroup

@group(0) @binding(0) var<uniform> params: ScanParams;
@group(0) @binding(1) var<storage, read> counts: array<u32>;
@group(0) @binding(2) var<storage, read> sums: array<u32>;
@group(0) @binding(3) var<storage, read_write> data: array<u32>;

const TILE = WORKGROUP * SCAN_ITEMS;

@compute @workgroup_size(WORKGROUP)
fn scanTiles(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let count = countOf(params.slot, params.most);
  let tiles = (count + TILE - 1u) / TILE;
  for (var tile = group.x; tile < tiles; tile += groups.x) {
    let first = tile * TILE + local * SCAN_ITEMS;
    let end = min(first + SCAN_ITEMS, count);
    var sum = 0u;
    for (var i = first; i < end; i++) { sum += data[i]; }
    var at = sums[tile] + scanGroup(sum, local);
    for (var i = first; i < end; i++) {
      let value = data[i];
      data[i] = at;
      at += value;
    }
    workgroupBarrier();
  }
}
