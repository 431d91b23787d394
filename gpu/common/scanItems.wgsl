// parts: scanGroup
// A tile of numbers from `start` on, of `count` in all -> in place of each the sum of `before` and of those
// before it in the tile.

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
