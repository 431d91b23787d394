// Computes the 30-bit Morton code of the center of each triangle's box. Codes may be inexact: they affect the
// quality of a tree, but not its correctness.

@group(0) @binding(0) var<uniform> params: TriangleCodesParams;
@group(0) @binding(1) var<storage, read> vertices: array<f32>;
@group(0) @binding(2) var<storage, read> indices: array<u32>;
@group(0) @binding(3) var<storage, read_write> codes: array<u32>;
@group(0) @binding(4) var<storage, read_write> ids: array<u32>;

fn vertexOf(corner: u32) -> vec3<f32> {
  let at = 3u * indices[corner];
  return vec3(vertices[at], vertices[at + 1u], vertices[at + 2u]);
}

// Spreads bits 0 to 9 to every third bit.
fn spread(bits: vec3<u32>) -> vec3<u32> {
  var x = bits;
  x = (x | (x << vec3(16u))) & vec3(0x030000ffu);
  x = (x | (x << vec3(8u))) & vec3(0x0300f00fu);
  x = (x | (x << vec3(4u))) & vec3(0x030c30c3u);
  return (x | (x << vec3(2u))) & vec3(0x09249249u);
}

@compute @workgroup_size(WORKGROUP)
fn computeTriangleCodes(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
  for (var i = id.x; i < params.triangleCount; i += groups.x * WORKGROUP) {
    let corner = 3u * (params.firstTriangle + i);
    let a = vertexOf(corner);
    let b = vertexOf(corner + 1u);
    let c = vertexOf(corner + 2u);
    let doubled = min(a, min(b, c)) + max(a, max(b, c));
    let place = (doubled - vec3(params.offsetX, params.offsetY, params.offsetZ)) * params.factor;
    let bits = spread(vec3<u32>(clamp(place, vec3(0.0), vec3(1023.0)) + 0.5) & vec3(1023u));
    codes[i] = (bits.x << 2u) | (bits.y << 1u) | bits.z;
    ids[i] = i;
  }
}
