// How many of each chunk have each value of a digit -> how many of earlier chunks have it; behind the table how many of all.
// parts: scanGroup

@group(0) @binding(0) var<uniform> params: DigitParams;
@group(0) @binding(1) var<storage, read_write> table: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn scanDigits(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  for (var digit = group.x; digit < DIGITS; digit += groups.x) {
    var before = 0u;
    for (var start = 0u; start < params.chunks; start += WORKGROUP) {
      let isOne = start + local < params.chunks;
      let at = digit * params.chunks + start + local;
      var value = 0u;
      if (isOne) { value = table[at]; }
      let place = before + scanGroup(value, local);
      if (isOne) { table[at] = place; }
      before += scanTotal();
    }
    if (local == 0u) { table[DIGITS * params.chunks + digit] = before; }
  }
}
