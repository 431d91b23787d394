// Counts the pairs of overlapping boxes (see sweepEntries). The row of a box has its pairs with boxes of larger
// numbers. Output: the number of all pairs, as two words of `counters`, and the length of each row, in `rows`.
// uses: sweepEntries

@group(0) @binding(0) var<uniform> params: BoxParams;
@group(0) @binding(1) var<storage, read> boxes: array<u32>;
@group(0) @binding(2) var<storage, read> counts: array<u32>;
@group(0) @binding(3) var<storage, read> keys: array<u32>;
@group(0) @binding(4) var<storage, read> entries: array<GpuEntry>;
@group(0) @binding(5) var<storage, read_write> counters: array<atomic<u32>>;
@group(0) @binding(6) var<storage, read_write> rows: array<atomic<u32>>;

var<workgroup> groupLow: atomic<u32>;
var<workgroup> groupHigh: atomic<u32>;
// Counts of this invocation. low, high: the number of all its pairs, in two words. row: the first box of its
// last pair. inRow: how many pairs of this row the invocation has found and not yet added to `rows`.
var<private> low = 0u;
var<private> high = 0u;
var<private> row = 0u;
var<private> inRow = 0u;

fn report(a: u32, b: u32) {
  low++;
  if (low == 0u) { high++; }
  if (a != row) { endRow(); row = a; }
  inRow++;
}

// Consecutive pairs are often in the same row, so one atomic addition counts several pairs.
fn endRow() {
  if (inRow > 0u) { atomicAdd(&rows[row], inRow); }
  inRow = 0u;
}

@compute @workgroup_size(WORKGROUP)
fn countPairs(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  sweepAll(id.x, groups.x * WORKGROUP);
  endRow();
  workgroupBarrier();
  let before = atomicAdd(&groupLow, low);
  atomicAdd(&groupHigh, high + u32(before + low < before));
  workgroupBarrier();
  if (local == 0u) {
    let all = atomicLoad(&groupLow);
    let earlier = atomicAdd(&counters[PAIRS_LOW], all);
    atomicAdd(&counters[PAIRS_HIGH], atomicLoad(&groupHigh) + u32(earlier + all < earlier));
  }
}
