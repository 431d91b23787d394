// Last step of a radix sort pass: moves keys and their values to their positions in a stable sort by one
// digit. `table` is the output of scanDigits.
// uses: countOf, chunks, digitPlaces

@group(0) @binding(0) var<uniform> params: DigitParams;
@group(0) @binding(1) var<storage, read> counts: array<u32>;
@group(0) @binding(2) var<storage, read> table: array<u32>;
@group(0) @binding(3) var<storage, read> keys: array<u32>;
@group(0) @binding(4) var<storage, read> values: array<u32>;
@group(0) @binding(5) var<storage, read_write> toKeys: array<u32>;
@group(0) @binding(6) var<storage, read_write> toValues: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn moveDigits(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let count = countOf(params.slot, params.maxCount);
  let length = chunkLength(count, params.chunks);
  clearMasks(local);
  for (var chunk = group.x; chunk < params.chunks; chunk += groups.x) {
    for (var digit = local; digit < DIGITS; digit += WORKGROUP) { places[digit] = table[params.chunks * DIGITS + digit]; }
    workgroupBarrier();
    scanPlaces(local);
    workgroupBarrier();
    for (var digit = local; digit < DIGITS; digit += WORKGROUP) { places[digit] += table[chunk * DIGITS + digit]; }
    workgroupBarrier();
    let end = min((chunk + 1u) * length, count);
    for (var start = chunk * length; start < end; start += WORKGROUP) {
      let i = start + local;
      var key = 0u;
      if (i < end) { key = keys[i]; recordDigit((key >> params.shift) & params.mask, local); }
      workgroupBarrier();
      if (i < end) {
        let to = placeOf((key >> params.shift) & params.mask, local);
        toKeys[to] = key;
        toValues[to] = values[i];
      }
      workgroupBarrier();
      nextRound(local);
      workgroupBarrier();
    }
  }
}
