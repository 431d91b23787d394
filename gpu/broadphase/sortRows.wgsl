// Sorts the long rows of pairs with a radix sort by the second box. A row has all pairs with the same first
// box. A workgroup sorts one row at a time. For each digit, it moves the row from pairsB to sortedB, or
// back. The number of digits is odd, so the result is in sortedB.
// uses: digitPlaces

@group(0) @binding(0) var<uniform> params: BoxParams;
@group(0) @binding(1) var<storage, read> counts: array<u32>;
@group(0) @binding(2) var<storage, read> counters: array<u32>;
@group(0) @binding(3) var<storage, read> longRows: array<u32>;
@group(0) @binding(4) var<storage, read_write> pairsB: array<u32>;
@group(0) @binding(5) var<storage, read_write> sortedB: array<u32>;

var<workgroup> found: array<atomic<u32>, DIGITS>;

fn valueAt(at: u32, digitIndex: u32) -> u32 {
  if ((digitIndex & 1u) == 0u) { return pairsB[at]; }
  return sortedB[at];
}

fn digitOf(value: u32, digitIndex: u32) -> u32 { return (value >> (digitIndex * params.digitBits)) & ((1u << params.digitBits) - 1u); }

fn countRow(start: u32, end: u32, digitIndex: u32, local: u32) {
  for (var digit = local; digit < DIGITS; digit += WORKGROUP) { atomicStore(&found[digit], 0u); }
  workgroupBarrier();
  for (var at = start + local; at < end; at += WORKGROUP) { atomicAdd(&found[digitOf(valueAt(at, digitIndex), digitIndex)], 1u); }
  workgroupBarrier();
  for (var digit = local; digit < DIGITS; digit += WORKGROUP) { places[digit] = atomicLoad(&found[digit]); }
  workgroupBarrier();
  scanPlaces(local);
  workgroupBarrier();
}

fn moveRow(start: u32, end: u32, digitIndex: u32, local: u32) {
  for (var first = start; first < end; first += WORKGROUP) {
    let at = first + local;
    var value = 0u;
    if (at < end) {
      value = valueAt(at, digitIndex);
      recordDigit(digitOf(value, digitIndex), local);
    }
    workgroupBarrier();
    if (at < end) {
      let to = start + placeOf(digitOf(value, digitIndex), local);
      if ((digitIndex & 1u) == 0u) { sortedB[to] = value; } else { pairsB[to] = value; }
    }
    workgroupBarrier();
    nextRound(local);
    workgroupBarrier();
  }
  storageBarrier();
}

@compute @workgroup_size(WORKGROUP)
fn sortRows(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  if (group.x >= counters[LONG_COUNT]) { return; }
  clearMasks(local);
  for (var i = group.x; i < counters[LONG_COUNT]; i += groups.x) {
    let row = longRows[i];
    let start = counts[row] - params.before;
    let end = counts[row + 1u] - params.before;
    for (var digitIndex = 0u; digitIndex < params.passes; digitIndex++) {
      countRow(start, end, digitIndex, local);
      moveRow(start, end, digitIndex, local);
    }
  }
}
