// Second step of a radix sort pass: replaces each chunk's count of a digit value by the sum of the counts of
// this value in all earlier chunks. Writes the total of each digit value after the table.

@group(0) @binding(0) var<uniform> params: DigitParams;
@group(0) @binding(1) var<storage, read_write> table: array<u32>;

// A workgroup processes DIGIT_COLUMNS digit values at a time. The chunks are divided into STRIPS strips.
// Each invocation processes one digit value in one strip.
const STRIPS = WORKGROUP / DIGIT_COLUMNS;
var<workgroup> sums: array<u32, WORKGROUP>;

@compute @workgroup_size(WORKGROUP)
fn scanDigits(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let column = local % DIGIT_COLUMNS;
  let strip = local / DIGIT_COLUMNS;
  let length = (params.chunks + STRIPS - 1u) / STRIPS;
  let first = min(strip * length, params.chunks);
  let end = min(first + length, params.chunks);
  for (var block = group.x; block < DIGITS / DIGIT_COLUMNS; block += groups.x) {
    let digit = block * DIGIT_COLUMNS + column;
    var sum = 0u;
    for (var chunk = first; chunk < end; chunk++) { sum += table[chunk * DIGITS + digit]; }
    sums[local] = sum;
    workgroupBarrier();
    var at = 0u;
    for (var before = column; before < local; before += DIGIT_COLUMNS) { at += sums[before]; }
    for (var chunk = first; chunk < end; chunk++) {
      let value = table[chunk * DIGITS + digit];
      table[chunk * DIGITS + digit] = at;
      at += value;
    }
    if (strip == STRIPS - 1u) { table[params.chunks * DIGITS + digit] = at; }
    workgroupBarrier();
  }
}
