// What a pass has left to do -> the workgroups of the next dispatch, and how many leaf pairs there were
// before it. Nothing is dispatched where a list was too short: what the pass started from is kept, and the
// pass is done again with longer ones. A beam, a first look, takes a part of them.

@group(0) @binding(0) var<uniform> params: DispatchParams;
@group(0) @binding(1) var<storage, read> counts: array<u32>;
@group(0) @binding(2) var<storage, read_write> passes: array<GpuPass>;

@compute @workgroup_size(1)
fn writeDispatch() {
  let count = counts[params.slot];
  let isWhole = count <= params.capacity && counts[LEAF_PAIR_COUNT] <= params.leafCapacity;
  let todo = select(min(count, params.beam), count, isWhole);
  passes[params.level].groups = min((params.each * todo + WORKGROUP - 1u) / WORKGROUP, params.groups);
  passes[params.level].one = 1u;
  passes[params.level].alsoOne = 1u;
  passes[params.level].count = todo;
  passes[params.level].leafPairs = counts[LEAF_PAIR_COUNT];
}
