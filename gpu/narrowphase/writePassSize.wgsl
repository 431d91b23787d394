// Stores how many items the next pass processes, and how many leaf pairs all passes before it have found. If
// a list was too short, the pass processes at most the first params.beam items of its input. In most queries
// params.beam is 0: the pass processes nothing, its input stays as it is, and the host runs the pass again with
// longer lists. In the first run of an any-hit query and in the traversal of moving bodies, params.beam is not
// 0, and the other items are dropped.

@group(0) @binding(0) var<uniform> params: PassSizeParams;
@group(0) @binding(1) var<storage, read> counts: array<u32>;
@group(0) @binding(2) var<storage, read_write> passes: array<GpuPass>;

@compute @workgroup_size(1)
fn writePassSize() {
  let count = counts[params.slot];
  let isWhole = count <= params.capacity && counts[LEAF_PAIR_COUNT] <= params.leafCapacity;
  passes[params.level].count = select(min(count, params.beam), count, isWhole);
  passes[params.level].leafPairs = counts[LEAF_PAIR_COUNT];
}
