// Computes the number of workgroups for the dispatch that processes the pairs found by a search. If the
// pairs did not fit in their list, this number is 0.

@group(0) @binding(0) var<uniform> params: FeaturePairParams;
@group(0) @binding(1) var<storage, read> counts: array<u32>;
@group(0) @binding(2) var<storage, read_write> sizes: array<u32, 4>;

@compute @workgroup_size(1)
fn writePairDispatch() {
  let count = select(0u, counts[params.slot], counts[params.slot] <= params.maxCount);
  sizes = array(min((count + WORKGROUP - 1u) / WORKGROUP, params.groups), 1u, 1u, count);
}
