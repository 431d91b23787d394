// Writes the corners of all leaves, and writes the box of each leaf to the leaf's lane in its parent node.
// The results equal the results of `fillLeaves` in assembly/bvh/refitTree.ts.
// uses: boxOf

@group(0) @binding(0) var<uniform> params: FillParams;
@group(0) @binding(1) var<storage, read> vertices: array<u32>;
@group(0) @binding(2) var<storage, read> indices: array<u32>;
@group(0) @binding(3) var<storage, read> shape: array<u32>;
@group(0) @binding(4) var<storage, read_write> nodes: array<u32>;
@group(0) @binding(5) var<storage, read_write> leaves: array<vec4<u32>>;

// The size of a leaf, and offsets in a leaf. The unit is a vector of four words.
const LEAF_SIZE = 11u;
const IDS = 9u;
const ORIGIN = 10u;

fn cornerOf(triangle: u32, corner: u32) -> vec4<u32> {
  let at = 3u * indices[3u * (params.firstTriangle + triangle) + corner];
  return vec4(vertices[at], vertices[at + 1u], vertices[at + 2u], 0u);
}

@compute @workgroup_size(WORKGROUP)
fn fillLeaves(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
  for (var leaf = id.x; leaf < params.leafCount; leaf += groups.x * WORKGROUP) {
    let at = LEAF_SIZE * (params.firstLeaf + leaf);
    let ids = leaves[at + IDS];
    let triangles = select(ids, ids.xxxx, ids == vec4(NOTHING));
    let origin = cornerOf(triangles.x, 0u);
    var low = origin;
    var high = origin;
    for (var corner = 0u; corner < 3u; corner++) {
      let p = cornerOf(triangles.x, corner);
      let q = cornerOf(triangles.y, corner);
      let r = cornerOf(triangles.z, corner);
      let s = cornerOf(triangles.w, corner);
      for (var axis = 0u; axis < 3u; axis++) {
        leaves[at + 3u * corner + axis] = sub4(vec4(p[axis], q[axis], r[axis], s[axis]), vec4(origin[axis]));
      }
      low = min4(low, min4(min4(p, q), min4(r, s)));
      high = max4(high, max4(max4(p, q), max4(r, s)));
    }
    let reach = max4(sub4(high, origin), sub4(origin, low));
    let size = max4(reach, max4(reach.yyyy, reach.zzzz)).x;
    leaves[at + ORIGIN] = vec4(origin.xyz, size);
    putBox(shape[params.slotsAt + leaf], boxOf(low, high));
  }
}
