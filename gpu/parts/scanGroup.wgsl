// A number of each invocation of a workgroup -> the sum of those before it, and of all.

var<workgroup> scanned: array<u32, WORKGROUP>;

// All invocations of the workgroup call it together.
fn scanGroup(value: u32, local: u32) -> u32 {
  scanned[local] = value;
  for (var step = 1u; step < WORKGROUP; step <<= 1u) {
    workgroupBarrier();
    var sum = scanned[local];
    if (local >= step) { sum += scanned[local - step]; }
    workgroupBarrier();
    scanned[local] = sum;
  }
  return scanned[local] - value;
}

// Of the last call; all invocations call it together, and may scan anew then.
fn scanTotal() -> u32 { return workgroupUniformLoad(&scanned[WORKGROUP - 1u]); }
