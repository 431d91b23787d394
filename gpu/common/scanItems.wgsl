// Replaces each number of a tile by `before` plus the sum of the earlier numbers of the tile. The tile
// begins at index `start` of `data`, which has `count` numbers in total.
// uses: scanGroup

const TILE = WORKGROUP * SCAN_ITEMS;

// All invocations of the workgroup call it together.
fn scanItems(start: u32, count: u32, before: u32, local: u32) {
  let first = start + local * SCAN_ITEMS;
  let end = min(first + SCAN_ITEMS, count);
  var sum = 0u;
  for (var i = first; i < end; i++) { sum += data[i]; }
  var at = before + scanGroup(sum, local);
  for (var i = first; i < end; i++) {
    let value = data[i];
    data[i] = at;
    at += value;
  }
}
