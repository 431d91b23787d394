// First step of a prefix sum: writes the sum of each tile of TILE consecutive numbers.
// uses: countOf, scanGroup

@group(0) @binding(0) var<uniform> params: ScanParams;
@group(0) @binding(1) var<storage, read> counts: array<u32>;
@group(0) @binding(2) var<storage, read> data: array<u32>;
@group(0) @binding(3) var<storage, read_write> sums: array<u32>;

const TILE = WORKGROUP * SCAN_ITEMS;

@compute @workgroup_size(WORKGROUP)
fn sumTiles(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let count = countOf(params.slot, params.maxCount);
  let tiles = (count + TILE - 1u) / TILE;
  for (var tile = group.x; tile < tiles; tile += groups.x) {
    var sum = 0u;
    for (var item = 0u; item < SCAN_ITEMS; item++) {
      let i = tile * TILE + item * WORKGROUP + local;
      if (i < count) { sum += data[i]; }
    }
    scanGroup(sum, local);
    let total = scanTotal();
    if (local == 0u) { sums[tile] = total; }
  }
}
