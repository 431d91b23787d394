// Copies the data that a sweep needs to one array of entries, in the order of the sorted keys. An entry has
// the number of a box, its flags, its bounds, and a last key. In the same cell, boxes whose keys are larger
// than this last key begin after the box ends.
// uses: countOf, boxKeys, kindOf, positionInCell

@group(0) @binding(0) var<uniform> params: BoxParams;
@group(0) @binding(1) var<storage, read> boxes: array<u32>;
@group(0) @binding(2) var<storage, read> cells: array<GpuCell>;
@group(0) @binding(3) var<storage, read> counts: array<u32>;
@group(0) @binding(4) var<storage, read> keys: array<u32>;
@group(0) @binding(5) var<storage, read> values: array<u32>;
@group(0) @binding(6) var<storage, read_write> entries: array<GpuEntry>;

// Three flags tell, one per axis, whether the box begins before the cell. If two boxes share such a flag, an
// earlier cell reports their pair.
fn flagsOf(i: u32, low: vec3<u32>, cell: u32) -> u32 {
  let isBefore = vec3<u32>(low < cells[cell].low.xyz);
  return isBefore.x | (isBefore.y << 1u) | (isBefore.z << 2u) | kindOf(i, low);
}

@compute @workgroup_size(WORKGROUP)
fn gatherEntries(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
  let count = countOf(params.count, params.entries);
  for (var at = id.x; at < count; at += groups.x * WORKGROUP) {
    let i = values[at];
    let cell = keys[at] >> params.positionBits;
    let box = boxAt(i);
    let lastKey = (cell << params.positionBits) | positionInCell(boxes[6u * i + 3u + params.axis], cell);
    entries[at] = GpuEntry(vec4(box.low, i | (flagsOf(i, box.low, cell) << BOX_BITS)), vec4(box.high, lastKey));
  }
}
