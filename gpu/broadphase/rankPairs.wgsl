// Sorts the short rows of pairs. A row has all pairs with the same first box. The position of a pair in its
// row is the number of pairs in the row whose second box has a smaller number. Long rows go to a list for
// `sortRows`.
// uses: pairCount

@group(0) @binding(0) var<uniform> params: BoxParams;
@group(0) @binding(1) var<storage, read> counts: array<u32>;
@group(0) @binding(2) var<storage, read> pairsA: array<u32>;
@group(0) @binding(3) var<storage, read> pairsB: array<u32>;
@group(0) @binding(4) var<storage, read_write> sortedB: array<u32>;
@group(0) @binding(5) var<storage, read_write> counters: array<atomic<u32>>;
@group(0) @binding(6) var<storage, read_write> longRows: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn rankPairs(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
  let count = pairCount(atomicLoad(&counters[PAIRS_LOW]), atomicLoad(&counters[PAIRS_HIGH]));
  for (var at = id.x; at < count; at += groups.x * WORKGROUP) {
    let a = pairsA[at];
    let start = counts[a] - params.before;
    let end = counts[a + 1u] - params.before;
    if (end - start > MAX_RANKED) {
      if (at == start) { longRows[atomicAdd(&counters[LONG_COUNT], 1u)] = a; }
      continue;
    }
    let b = pairsB[at];
    var to = start;
    for (var other = start; other < end; other++) { to += u32(pairsB[other] < b); }
    sortedB[to] = b;
  }
}
