// Drops pairs of moving features that share a vertex or are certainly apart. A pair is two numbers of features.
// Writes the other pairs to `kept`, in any order. counts[0]: the number of these other pairs, even if it
// exceeds the capacity of `kept`. counts[1]: the number of pairs that share a vertex.
// uses: append, isFar

@group(0) @binding(0) var<uniform> params: FeaturePairParams;
@group(0) @binding(1) var<storage, read> pairsA: array<u32>;
@group(0) @binding(2) var<storage, read> pairsB: array<u32>;
// The counts of the search that found the pairs.
@group(0) @binding(3) var<storage, read> found: array<u32>;
// Two vertices per edge, three per face.
@group(0) @binding(4) var<storage, read> corners: array<u32>;
// x, y, z of each vertex at the start, then at the end, in units of the grid.
@group(0) @binding(5) var<storage, read> points: array<i32>;
@group(0) @binding(6) var<storage, read_write> kept: array<vec2u>;
@group(0) @binding(7) var<storage, read_write> counts: array<atomic<u32>, 2>;

// Returns a vertex and the three vertices of a face, or the vertices of two edges. If both edges belong to
// one mesh, the edge with the smaller number comes first, regardless of the order in which the search
// reported them.
fn verticesOf(a: u32, b: u32) -> vec4u {
  if (params.isEdge != 0u) {
    let isExchanged = params.isSelf != 0u && a > b;
    let first = params.firstA + 2u * select(a, b, isExchanged);
    let second = params.firstB + 2u * select(b, a, isExchanged);
    return vec4u(corners[first], corners[first + 1u], corners[second], corners[second + 1u]);
  }
  let isSwapped = params.isSwapped != 0u;
  let vertex = select(params.firstA + a, params.firstB + b, isSwapped);
  let face = select(params.firstB + 3u * b, params.firstA + 3u * a, isSwapped);
  return vec4u(vertex, corners[face], corners[face + 1u], corners[face + 2u]);
}

fn haveCommonVertex(v: vec4u) -> bool {
  if (params.isSelf == 0u) { return false; }
  return v.x == v.z || v.x == v.w || (v.x == v.y && params.isEdge == 0u) || (params.isEdge != 0u && (v.y == v.z || v.y == v.w));
}

fn pointAt(vertex: u32, time: u32) -> vec3i {
  let at = 6u * vertex + time;
  return vec3i(points[at], points[at + 1u], points[at + 2u]);
}

// Differences of integers are exact.
fn differenceOf(a: u32, b: u32, time: u32) -> vec3f { return vec3f(pointAt(a, time) - pointAt(b, time)) * params.unit; }

fn differencesOf(v: vec4u, time: u32) -> array<vec3f, 3> {
  if (params.isEdge != 0u) { return array(differenceOf(v.y, v.z, time), differenceOf(v.x, v.z, time), differenceOf(v.x, v.w, time)); }
  return array(differenceOf(v.x, v.y, time), differenceOf(v.x, v.z, time), differenceOf(v.x, v.w, time));
}

@compute @workgroup_size(WORKGROUP)
fn filterFeaturePairs(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) local: u32) {
  var joined = 0u;
  let count = select(0u, found[params.slot], found[params.slot] <= params.maxCount);
  let tiles = (count + WORKGROUP - 1u) / WORKGROUP;
  for (var tile = group.x; tile < tiles; tile += groups.x) {
    let pair = tile * WORKGROUP + local;
    var isKept = false;
    if (pair < count) {
      let vertices = verticesOf(pairsA[pair], pairsB[pair]);
      if (haveCommonVertex(vertices)) { joined++; } else { isKept = !isFar(differencesOf(vertices, 0u), differencesOf(vertices, 3u)); }
    }
    let at = appendAt(0u, u32(isKept), local);
    if (isKept && at < params.capacity) { kept[at] = vec2u(pairsA[pair], pairsB[pair]); }
  }
  if (joined > 0u) { atomicAdd(&counts[1], joined); }
}
