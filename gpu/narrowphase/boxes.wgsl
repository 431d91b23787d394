// Tests whether a box of mesh A and a box of mesh B of a placed pair may overlap: a separating axis test on
// the three axes of each mesh's stored frame. See assembly/simd/boxes.ts.

struct Box { center: vec3<f32>, half: vec3<f32> }

fn boxOf(node: u32, lane: u32) -> Box {
  return Box(
    vec3(nodes[node].centerX[lane], nodes[node].centerY[lane], nodes[node].centerZ[lane]),
    vec3(nodes[node].halfX[lane], nodes[node].halfY[lane], nodes[node].halfZ[lane]));
}

fn image(r0: vec4<f32>, r1: vec4<f32>, r2: vec4<f32>, v: vec3<f32>) -> vec3<f32> {
  return vec3(dot(r0.xyz, v) + r0.w, dot(r1.xyz, v) + r1.w, dot(r2.xyz, v) + r2.w);
}

fn near(a: vec3<f32>, b: vec3<f32>, reach: vec3<f32>) -> bool { return all(abs(a - b) <= reach); }

fn mayOverlap(pair: u32, a: Box, b: Box) -> bool {
  let p = &pairs[pair];
  if (!near(a.center, image((*p).toA0, (*p).toA1, (*p).toA2, b.center), a.half + image((*p).absToA0, (*p).absToA1, (*p).absToA2, b.half))) { return false; }
  return near(b.center, image((*p).toB0, (*p).toB1, (*p).toB2, a.center), b.half + image((*p).absToB0, (*p).absToB1, (*p).absToB2, a.half));
}

// Returns the handle of the node or leaf in a slot; NOTHING if the slot is unused. A leaf has LEAF_BIT set.
// The slot is 4 * node + lane, or NOTHING for the root.
fn below(firstNode: u32, slot: u32) -> u32 {
  if (slot == NOTHING) { return 0u; }
  return nodes[firstNode + (slot >> 2u)].child[slot & 3u];
}

fn isLeaf(handle: u32) -> bool { return (handle & LEAF_BIT) != 0u; }
