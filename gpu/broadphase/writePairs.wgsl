// Writes the pairs of a range of rows. A row has all pairs with the same first box. In the list, the rows are
// in ascending order; the order of pairs within a row is arbitrary.
// uses: sweepEntries, pairCount

@group(0) @binding(0) var<uniform> params: BoxParams;
@group(0) @binding(1) var<storage, read> boxes: array<u32>;
@group(0) @binding(2) var<storage, read> counts: array<u32>;
@group(0) @binding(3) var<storage, read> keys: array<u32>;
@group(0) @binding(4) var<storage, read> entries: array<GpuEntry>;
@group(0) @binding(5) var<storage, read_write> counters: array<atomic<u32>>;
@group(0) @binding(6) var<storage, read_write> next: array<atomic<u32>>;
@group(0) @binding(7) var<storage, read_write> pairsA: array<u32>;
@group(0) @binding(8) var<storage, read_write> pairsB: array<u32>;

fn report(a: u32, b: u32) {
  if (a < params.firstRow || a >= params.endRow) { return; }
  let at = atomicAdd(&next[a], 1u) - params.before;
  pairsA[at] = a;
  pairsB[at] = b - params.firstB;
}

@compute @workgroup_size(WORKGROUP)
fn writePairs(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
  if (pairCount(atomicLoad(&counters[PAIRS_LOW]), atomicLoad(&counters[PAIRS_HIGH])) == 0u) { return; }
  sweepAll(id.x, groups.x * WORKGROUP);
}
