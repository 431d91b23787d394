// Counts the cells that each box overlaps. For a box that overlaps more than MAX_CELLS cells, the count is
// 0, and the box goes to the list of large boxes.
// uses: boxKeys, walkCells

@group(0) @binding(0) var<uniform> params: BoxParams;
@group(0) @binding(1) var<storage, read> boxes: array<u32>;
@group(0) @binding(2) var<storage, read> splits: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read_write> starts: array<u32>;
@group(0) @binding(4) var<storage, read_write> counters: array<atomic<u32>>;

fn cellsOf(box: KeyBox) -> u32 {
  var walk = firstCell(box);
  var count = 1u;
  while (walk.open != 0u && count <= MAX_CELLS) {
    walk = nextCell(walk, box);
    count++;
  }
  return count;
}

fn recordLarge(i: u32) {
  let at = atomicAdd(&counters[LARGE_COUNT], 1u);
  if (at < params.maxLarge) { atomicStore(&counters[FIRST_LARGE + at], i); }
}

@compute @workgroup_size(WORKGROUP)
fn countCells(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
  for (var i = id.x; i <= params.count; i += groups.x * WORKGROUP) {
    var count = 0u;
    if (i < params.count) {
      let box = boxAt(i);
      if (isBox(box)) { count = cellsOf(box); }
      if (count > MAX_CELLS) {
        recordLarge(i);
        count = 0u;
      }
    }
    starts[i] = count;
  }
}
