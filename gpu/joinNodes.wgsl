// Nodes of some levels, deepest first -> their boxes in the lanes of the nodes above them; the root's goes to the front of the shape. See joinBoxes in assembly/kernels/refitTree.ts.
// Several levels are for one workgroup: only it sees what it wrote.
// parts: putBox

@group(0) @binding(0) var<uniform> params: JoinParams;
@group(0) @binding(1) var<storage, read_write> shape: array<u32>;
@group(0) @binding(2) var<storage, read_write> nodes: array<u32>;

const CHILDREN = 24u;
const PARENT = 28u;

fn load4(at: u32) -> vec4<u32> { return vec4(nodes[at], nodes[at + 1u], nodes[at + 2u], nodes[at + 3u]); }

// Which of four comes before which tells the sign of 0, as on the CPU.
fn leastOf(x: vec4<u32>, y: vec4<u32>, z: vec4<u32>) -> vec4<u32> {
  return least4(least4(vec4(x.x, y.x, z.x, 0u), vec4(x.z, y.z, z.z, 0u)), least4(vec4(x.y, y.y, z.y, 0u), vec4(x.w, y.w, z.w, 0u)));
}
fn mostOf(x: vec4<u32>, y: vec4<u32>, z: vec4<u32>) -> vec4<u32> {
  return most4(most4(vec4(x.x, y.x, z.x, 0u), vec4(x.z, y.z, z.z, 0u)), most4(vec4(x.y, y.y, z.y, 0u), vec4(x.w, y.w, z.w, 0u)));
}

fn joinNode(node: u32) {
  let at = NODE_WORDS * (params.firstNode + node);
  let isNone = load4(at + CHILDREN) == vec4(NOTHING);
  var low = array<vec4<u32>, 3>();
  var high = array<vec4<u32>, 3>();
  for (var axis = 0u; axis < 3u; axis++) {
    let center = load4(at + 4u * axis);
    let half = select(load4(at + HALVES + 4u * axis), vec4(0u), isNone);
    // Infinities, which are compared and nothing else.
    low[axis] = select(sub4(center, half), vec4(0x7f800000u), isNone);
    high[axis] = select(add4(center, half), vec4(0xff800000u), isNone);
  }
  let least = leastOf(low[0], low[1], low[2]);
  let most = mostOf(high[0], high[1], high[2]);
  let parent = nodes[at + PARENT];
  if (parent != NOTHING) { putBox(parent, least, most); return; }
  let middle = boxCenter(least, most);
  let half = boxHalf(least, most, middle);
  for (var axis = 0u; axis < 3u; axis++) {
    shape[axis] = middle[axis];
    shape[3u + axis] = half[axis];
  }
}

@compute @workgroup_size(WORKGROUP)
fn joinNodes(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
  for (var level = params.deepest + 1u; level > params.highest; level--) {
    let first = shape[LEVELS_AT + 2u * (level - 1u)];
    let count = shape[LEVELS_AT + 2u * (level - 1u) + 1u];
    for (var i = id.x; i < count; i += groups.x * WORKGROUP) { joinNode(shape[params.orderAt + first + i]); }
    storageBarrier();
  }
}
