// Computes the workgroups of the next pass's dispatch, and stores the number of leaf pairs found before it.
// If a list was too short, nothing is dispatched: the input of the pass stays as it is, and the pass runs
// again with longer lists. With a beam, the pass takes the first part of the list instead.

@group(0) @binding(0) var<uniform> params: DispatchParams;
@group(0) @binding(1) var<storage, read> counts: array<u32>;
@group(0) @binding(2) var<storage, read_write> passes: array<GpuPass>;

@compute @workgroup_size(1)
fn writeDispatch() {
  let count = counts[params.slot];
  let isWhole = count <= params.capacity && counts[LEAF_PAIR_COUNT] <= params.leafCapacity;
  let todo = select(min(count, params.beam), count, isWhole);
  passes[params.level].groups = min((params.each * todo + WORKGROUP - 1u) / WORKGROUP, params.groups);
  passes[params.level].groupsY = 1u;
  passes[params.level].groupsZ = 1u;
  passes[params.level].count = todo;
  passes[params.level].leafPairs = counts[LEAF_PAIR_COUNT];
}
