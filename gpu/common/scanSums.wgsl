// Second step of a prefix sum: replaces the sum of each tile by the sum of all earlier tiles. A single
// workgroup does this, TILE sums per round. For a billion numbers, this takes about a thousand rounds.
// uses: countOf, scanItems

@group(0) @binding(0) var<uniform> params: ScanParams;
@group(0) @binding(1) var<storage, read> counts: array<u32>;
// The sums of the tiles.
@group(0) @binding(2) var<storage, read_write> data: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn scanSums(@builtin(local_invocation_index) local: u32) {
  let tiles = (countOf(params.slot, params.maxCount) + TILE - 1u) / TILE;
  var before = 0u;
  for (var start = 0u; start < tiles; start += TILE) {
    scanItems(start, tiles, before, local);
    before += scanTotal();
  }
}
