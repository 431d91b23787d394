// The sum of each tile -> of all tiles before it. One workgroup does it, a tile of sums at a time: a thousand million numbers are a thousand rounds.
// parts: countOf, scanGroup

@group(0) @binding(0) var<uniform> params: ScanParams;
@group(0) @binding(1) var<storage, read> counts: array<u32>;
@group(0) @binding(2) var<storage, read_write> sums: array<u32>;

const TILE = WORKGROUP * SCAN_ITEMS;

@compute @workgroup_size(WORKGROUP)
fn scanSums(@builtin(local_invocation_index) local: u32) {
  let tiles = (countOf(params.slot, params.most) + TILE - 1u) / TILE;
  var before = 0u;
  for (var start = 0u; start < tiles; start += TILE) {
    let first = start + local * SCAN_ITEMS;
    let end = min(first + SCAN_ITEMS, tiles);
    var sum = 0u;
    for (var i = first; i < end; i++) { sum += sums[i]; }
    var at = before + scanGroup(sum, local);
    for (var i = first; i < end; i++) {
      let value = sums[i];
      sums[i] = at;
      at += value;
    }
    before += scanTotal();
  }
}
