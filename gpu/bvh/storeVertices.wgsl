// Transforms the vertices of a mesh to its normalized frame: (x - center) * 2^scaleExponent. All floats are
// processed as bits, in integer arithmetic.
// uses: floatBits

@group(0) @binding(0) var<uniform> params: StoreParams;
@group(0) @binding(1) var<storage, read> positions: array<u32>;
@group(0) @binding(2) var<storage, read_write> vertices: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn storeVertices(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
  for (var i = id.x; i < params.vertexCount; i += groups.x * WORKGROUP) {
    let first = 3u * (params.firstVertex + i);
    let position = vec4(positions[first], positions[first + 1u], positions[first + 2u], 0u);
    let center = vec4(params.centerX, params.centerY, params.centerZ, 0u);
    let vertex = scaled4(sub4(position, center), params.scaleExponent);
    vertices[3u * i] = vertex.x;
    vertices[3u * i + 1u] = vertex.y;
    vertices[3u * i + 2u] = vertex.z;
  }
}
