// First step of a radix sort pass: for each chunk of keys and each value of a digit, counts the keys of the
// chunk that have this value. Output: table[chunk * DIGITS + digit].
// uses: countOf, chunks

@group(0) @binding(0) var<uniform> params: DigitParams;
@group(0) @binding(1) var<storage, read> counts: array<u32>;
@group(0) @binding(2) var<storage, read> keys: array<u32>;
@group(0) @binding(3) var<storage, read_write> table: array<u32>;

var<workgroup> found: array<atomic<u32>, DIGITS>;

@compute @workgroup_size(WORKGROUP)
fn countDigits(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let count = countOf(params.slot, params.maxCount);
  let length = chunkLength(count, params.chunks);
  for (var chunk = group.x; chunk < params.chunks; chunk += groups.x) {
    for (var digit = local; digit < DIGITS; digit += WORKGROUP) { atomicStore(&found[digit], 0u); }
    workgroupBarrier();
    let end = min((chunk + 1u) * length, count);
    for (var i = chunk * length + local; i < end; i += WORKGROUP) { atomicAdd(&found[(keys[i] >> params.shift) & params.mask], 1u); }
    workgroupBarrier();
    for (var digit = local; digit < DIGITS; digit += WORKGROUP) { table[chunk * DIGITS + digit] = atomicLoad(&found[digit]); }
    workgroupBarrier();
  }
}
