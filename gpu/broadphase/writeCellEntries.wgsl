// Writes a key and a value for each cell that a box overlaps. The value is the box number. The high bits of
// the key are the number of the cell; the low bits are the position in the cell at which the box begins. The
// entries of box i begin at starts[i].
// uses: boxKeys, walkCells, positionInCell

@group(0) @binding(0) var<uniform> params: BoxParams;
@group(0) @binding(1) var<storage, read> boxes: array<u32>;
@group(0) @binding(2) var<storage, read> splits: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read> cells: array<GpuCell>;
@group(0) @binding(4) var<storage, read> starts: array<u32>;
@group(0) @binding(5) var<storage, read_write> keys: array<u32>;
@group(0) @binding(6) var<storage, read_write> values: array<u32>;

fn enter(i: u32, at: u32, cell: u32) {
  if (at >= params.entries) { return; }
  keys[at] = (cell << params.positionBits) | positionInCell(boxes[6u * i + params.axis], cell);
  values[at] = i;
}

@compute @workgroup_size(WORKGROUP)
fn writeCellEntries(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
  for (var i = id.x; i < params.count; i += groups.x * WORKGROUP) {
    let end = starts[i + 1u];
    if (starts[i] == end) { continue; }
    let box = boxAt(i);
    var walk = firstCell(box);
    for (var at = starts[i]; at < end; at++) {
      enter(i, at, walk.node - (1u << params.depth));
      if (walk.open != 0u) { walk = nextCell(walk, box); }
    }
  }
}
