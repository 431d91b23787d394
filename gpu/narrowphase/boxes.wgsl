// Tests whether a box of mesh A and a box of mesh B of a placed pair may overlap: a separating axis test on
// the three axes of each mesh's normalized frame. See assembly/simd/boxes.ts.
// uses: treeNodes

fn image(r0: vec4<f32>, r1: vec4<f32>, r2: vec4<f32>, v: vec3<f32>) -> vec3<f32> {
  return vec3(dot(r0.xyz, v) + r0.w, dot(r1.xyz, v) + r1.w, dot(r2.xyz, v) + r2.w);
}

fn near(a: vec3<f32>, b: vec3<f32>, reach: vec3<f32>) -> bool { return all(abs(a - b) <= reach); }

fn mayOverlap(pair: u32, a: Box, b: Box) -> bool {
  let p = &pairs[pair];
  if (!near(a.center, image((*p).toA0, (*p).toA1, (*p).toA2, b.center), a.half + image((*p).absToA0, (*p).absToA1, (*p).absToA2, b.half))) { return false; }
  return near(b.center, image((*p).toB0, (*p).toB1, (*p).toB2, a.center), b.half + image((*p).absToB0, (*p).absToB1, (*p).absToB2, a.half));
}
