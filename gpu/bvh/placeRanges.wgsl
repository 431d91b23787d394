// Assigns numbers to the children of all nodes of one level. Children that are nodes form the next level. Nodes
// and leaves are numbered separately, both in the order of their parents. In each node, the first lanes hold
// the leaves.
// uses: countChildren, scanGroup

@group(0) @binding(0) var<uniform> params: LevelParams;
@group(0) @binding(1) var<storage, read> totals: array<u32>;
@group(0) @binding(2) var<storage, read_write> levels: array<GpuLevel>;
@group(0) @binding(3) var<storage, read_write> ranges: array<GpuRange>;
// For each node, four words. Input: the index after the last triangle of each child. Output: the handle of each
// child. A handle is the number of a node, or LEAF_BIT | the number of a leaf, or NOTHING.
@group(0) @binding(4) var<storage, read_write> children: array<vec4<u32>>;
@group(0) @binding(5) var<storage, read_write> spans: array<GpuSpan>;

var<workgroup> level: GpuLevel;

fn placeChildren(node: u32, borders: array<u32, 5>, firstNode: u32, firstLeaf: u32) {
  var own = borders;
  var handles = vec4(NOTHING);
  var leaf = firstLeaf;
  var lane = 0u;
  for (var i = 0u; i < WIDTH; i++) {
    let size = own[i + 1u] - own[i];
    if (size > WIDTH || size == 0u) { continue; }
    spans[leaf] = GpuSpan(own[i], size, WIDTH * node + lane, 0u);
    handles[lane] = LEAF_BIT | leaf;
    leaf++;
    lane++;
  }
  var child = firstNode;
  for (var i = 0u; i < WIDTH; i++) {
    if (own[i + 1u] - own[i] <= WIDTH) { continue; }
    ranges[child] = GpuRange(own[i], own[i + 1u], WIDTH * node + lane, 0u);
    handles[lane] = child;
    child++;
    lane++;
  }
  children[node] = handles;
}

@compute @workgroup_size(WORKGROUP)
fn placeRanges(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  if (local == 0u) { level = levels[params.level]; }
  let current = workgroupUniformLoad(&level);
  for (var tile = group.x; tile * WORKGROUP < current.count; tile += groups.x) {
    var nodesBefore = 0u;
    var leavesBefore = 0u;
    for (var other = local; other < tile; other += WORKGROUP) {
      nodesBefore += totals[other] & 0xffffu;
      leavesBefore += totals[other] >> 16u;
    }
    scanGroup(nodesBefore, local);
    let nodesFrom = scanTotal();
    scanGroup(leavesBefore, local);
    let leavesFrom = scanTotal();
    let i = tile * WORKGROUP + local;
    let node = current.first + i;
    var borders = array<u32, 5>();
    if (i < current.count) {
      let ends = children[node];
      borders = array<u32, 5>(ranges[node].begin, ends.x, ends.y, ends.z, ends.w);
    }
    let place = scanGroup(countChildren(borders), local);
    let all = scanTotal();
    let nextFirst = current.first + current.count;
    if (i < current.count) { placeChildren(node, borders, nextFirst + nodesFrom + (place & 0xffffu), current.firstLeaf + leavesFrom + (place >> 16u)); }
    if (local == 0u && (tile + 1u) * WORKGROUP >= current.count) {
      levels[params.level + 1u] = GpuLevel(nextFirst, nodesFrom + (all & 0xffffu), current.firstLeaf + leavesFrom + (all >> 16u), 0u);
    }
  }
}
