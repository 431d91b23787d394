// Computes the number of workgroups of the next pass's dispatch, and stores how many leaf pairs all passes
// before it have found. If a list was too short, nothing is dispatched: the input of the pass stays as it is,
// and the host runs the pass again with longer lists. An exception is the first run of an any-hit query,
// which has a beam, a maximum number of pairs per pass: the pass then processes the first `beam` pairs of its
// input.

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
