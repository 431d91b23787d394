// Long rows of pairs -> each in order: a workgroup sorts a row, digit by digit, from one buffer into the
// other and back. An odd number of digits ends in sortedB.
// parts: digitPlaces

@group(0) @binding(0) var<uniform> params: BoxParams;
@group(0) @binding(1) var<storage, read> counts: array<u32>;
@group(0) @binding(2) var<storage, read> told: array<u32>;
@group(0) @binding(3) var<storage, read> longRows: array<u32>;
@group(0) @binding(4) var<storage, read_write> pairsB: array<u32>;
@group(0) @binding(5) var<storage, read_write> sortedB: array<u32>;

var<workgroup> found: array<atomic<u32>, DIGITS>;

fn valueAt(at: u32, turn: u32) -> u32 {
  if ((turn & 1u) == 0u) { return pairsB[at]; }
  return sortedB[at];
}

fn digitOf(value: u32, turn: u32) -> u32 { return (value >> (turn * params.digitBits)) & ((1u << params.digitBits) - 1u); }

fn countRow(start: u32, end: u32, turn: u32, local: u32) {
  for (var digit = local; digit < DIGITS; digit += WORKGROUP) { atomicStore(&found[digit], 0u); }
  workgroupBarrier();
  for (var at = start + local; at < end; at += WORKGROUP) { atomicAdd(&found[digitOf(valueAt(at, turn), turn)], 1u); }
  workgroupBarrier();
  for (var digit = local; digit < DIGITS; digit += WORKGROUP) { places[digit] = atomicLoad(&found[digit]); }
  workgroupBarrier();
  scanPlaces(local);
  workgroupBarrier();
}

fn moveRow(start: u32, end: u32, turn: u32, local: u32) {
  for (var first = start; first < end; first += WORKGROUP) {
    let at = first + local;
    var value = 0u;
    if (at < end) {
      value = valueAt(at, turn);
      noteDigit(digitOf(value, turn), local);
    }
    workgroupBarrier();
    if (at < end) {
      let to = start + placeOf(digitOf(value, turn), local);
      if ((turn & 1u) == 0u) { sortedB[to] = value; } else { pairsB[to] = value; }
    }
    workgroupBarrier();
    nextRound(local);
    workgroupBarrier();
  }
  storageBarrier();
}

@compute @workgroup_size(WORKGROUP)
fn sortRows(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  clearMasks(local);
  for (var i = group.x; i < told[LONG_COUNT]; i += groups.x) {
    let row = longRows[i];
    let start = counts[row] - params.before;
    let end = counts[row + 1u] - params.before;
    for (var turn = 0u; turn < params.passes; turn++) {
      countRow(start, end, turn, local);
      moveRow(start, end, turn, local);
    }
  }
}
