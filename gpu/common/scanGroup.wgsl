// Computes exclusive prefix sums over the invocations of a workgroup, and their total. Several invocations
// compute the same few sums, because further barriers would cost more.

const SCAN_BLOCK = 16u;
const SCAN_BLOCKS = WORKGROUP / SCAN_BLOCK;
var<workgroup> scanned: array<u32, WORKGROUP>;
var<workgroup> blockSums: array<u32, SCAN_BLOCKS>;

// Returns the sum of the values of all earlier invocations. All invocations of the workgroup call it
// together.
fn scanGroup(value: u32, local: u32) -> u32 {
  workgroupBarrier();
  scanned[local] = value;
  workgroupBarrier();
  if (local < SCAN_BLOCKS) {
    var sum = 0u;
    for (var i = 0u; i < SCAN_BLOCK; i++) { sum += scanned[local * SCAN_BLOCK + i]; }
    blockSums[local] = sum;
  }
  workgroupBarrier();
  let block = local / SCAN_BLOCK;
  var before = 0u;
  for (var i = 0u; i < block; i++) { before += blockSums[i]; }
  for (var i = block * SCAN_BLOCK; i < local; i++) { before += scanned[i]; }
  return before;
}

// Returns the total of the last scan.
fn scanTotal() -> u32 {
  var total = 0u;
  for (var i = 0u; i < SCAN_BLOCKS; i++) { total += blockSums[i]; }
  return total;
}
