// A count that a kernel left -> the workgroups of the dispatch that works on what was counted.

@group(0) @binding(0) var<uniform> params: DispatchParams;
@group(0) @binding(1) var<storage, read> counts: array<u32>;
@group(0) @binding(2) var<storage, read_write> groups: array<u32>;

@compute @workgroup_size(1)
fn writeDispatch() {
  let count = min(counts[params.slot], params.most);
  groups[0] = min((count + WORKGROUP - 1u) / WORKGROUP, params.groups);
  groups[1] = 1u;
  groups[2] = 1u;
}
