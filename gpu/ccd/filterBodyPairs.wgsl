// Tests the triangles of pairs of leaves whose boxes overlap during the motion. The two leaves of a pair belong
// to two moving bodies. Vertices move linearly. Marks a pair of bodies as NEAR unless two conditions certainly
// hold: no faces of the two leaves intersect at the start, and the CPU's filter would drop every pair of their
// features. A pair of features is tested only if the boxes of the faces that own the features overlap. One
// dispatch tests pairs of edges; another dispatch tests pairs of a vertex and a face.
// uses: isFar, movingBodies

@group(0) @binding(0) var<uniform> params: BodyPairParams;
@group(0) @binding(1) var<storage, read> pairs: array<vec2u>;
@group(0) @binding(2) var<storage, read> bodies: array<GpuMovingBody>;
// x, y, z of each vertex in the mesh's own frame.
@group(0) @binding(3) var<storage, read> vertices: array<f32>;
// For each face, the numbers of its three vertices and its three edges. OWN_BIT is set in a number if the face
// owns the vertex or edge, that is, if no earlier face has this vertex or edge. So each pair of features is
// tested once. An edge whose ends are the same vertex has the number NOTHING.
@group(0) @binding(4) var<storage, read> faces: array<u32>;
@group(0) @binding(5) var<storage, read> leaves: array<Leaf>;
@group(0) @binding(6) var<storage, read> passes: array<GpuPass>;
// For each pair of leaves: the pair of bodies, the leaf of A, and the leaf of B.
@group(0) @binding(7) var<storage, read> leafPairs: array<u32>;
// From COUNTS on, the state of each pair of bodies: see traverseMoving.wgsl.
@group(0) @binding(8) var<storage, read_write> counts: array<atomic<u32>>;

const FACE_WORDS = 6u;

struct Face { corners: vec3u, start: array<vec3f, 3>, end: array<vec3f, 3> }

fn faceOf(body: u32, face: u32) -> Face {
  let at = FACE_WORDS * (bodies[body].firstFace + face);
  let fromPlace = offsetFromOrigin(bodies[body].fromAt.xyz);
  let toPlace = offsetFromOrigin(bodies[body].toAt.xyz);
  var found: Face;
  for (var i = 0u; i < 3u; i++) {
    found.corners[i] = faces[at + i] & ~OWN_BIT;
    let vertex = 3u * (bodies[body].firstVertex + found.corners[i]);
    let p = vec3f(vertices[vertex], vertices[vertex + 1u], vertices[vertex + 2u]);
    found.start[i] = imageOf(bodies[body].from0, bodies[body].from1, bodies[body].from2, p) + fromPlace;
    found.end[i] = imageOf(bodies[body].to0, bodies[body].to1, bodies[body].to2, p) + toPlace;
  }
  return found;
}

fn boundsOf(face: Face) -> Bounds {
  let low = min(min(min(face.start[0], face.start[1]), face.start[2]), min(min(face.end[0], face.end[1]), face.end[2]));
  let high = max(max(max(face.start[0], face.start[1]), face.start[2]), max(max(face.end[0], face.end[1]), face.end[2]));
  return Bounds(low - params.margin, high + params.margin);
}

fn startBoundsOf(face: Face) -> Bounds {
  return Bounds(min(min(face.start[0], face.start[1]), face.start[2]) - params.margin, max(max(face.start[0], face.start[1]), face.start[2]) + params.margin);
}

fn isOwned(word: u32) -> bool { return word != NOTHING && (word & OWN_BIT) != 0u; }

// Returns the corners of an edge of a face; the vertex with the smaller number comes first.
fn edgeOf(face: Face, edge: u32) -> vec2u {
  let next = (edge + 1u) % 3u;
  return select(vec2u(edge, next), vec2u(next, edge), face.corners[edge] > face.corners[next]);
}

// Returns three differences between the points of two features, in the order that isFar requires. Two edges:
// ends.xy are the corners of p's edge, and ends.zw are the corners of q's edge. A vertex and a face: ends.x is
// the corner of p, and q is the face.
fn differencesOf(p: array<vec3f, 3>, q: array<vec3f, 3>, ends: vec4u) -> array<vec3f, 3> {
  if (params.isEdge != 0u) { return array(p[ends.y] - q[ends.z], p[ends.x] - q[ends.z], p[ends.x] - q[ends.w]); }
  return array(p[ends.x] - q[0], p[ends.x] - q[1], p[ends.x] - q[2]);
}

// Returns whether `line` is certainly a separating axis of the faces at the start. Heights along the line are
// computed from differences of points; the error of each coordinate of a difference is at most pointError. The
// rounding error of heights is below 2^-18 * size times the sum of the line's absolute components. Flushing of
// denormals changes heights by less than 2^-122. Coordinates are at most MAX_SIZE (gpuBodyPairFilter.ts), so
// heights do not overflow.
fn separates(line: vec3f, p: Face, q: Face) -> bool {
  var low = vec2f(0, dot(line, q.start[0] - p.start[0]));
  var high = low;
  var size = 0.0;
  for (var i = 0u; i < 3u; i++) {
    let own = p.start[i] - p.start[0];
    let other = q.start[i] - p.start[0];
    let heights = vec2f(dot(line, own), dot(line, other));
    low = min(low, heights);
    high = max(high, heights);
    size = max(size, dot(abs(own), vec3f(1)) + dot(abs(other), vec3f(1)));
  }
  return max(low.y - high.x, low.x - high.y) > dot(abs(line), vec3f(1)) * (4.0 * params.pointError + 0x1p-18 * size) + 0x1p-122;
}

fn normalOf(face: Face) -> vec3f { return cross(face.start[1] - face.start[0], face.start[2] - face.start[0]); }

// Returns whether two faces are certainly apart at the start. Tries three separating axes: the direction
// between the centers of the faces, and the two face normals.
fn areApartAtStart(p: Face, q: Face) -> bool {
  let line = (q.start[0] + q.start[1] + q.start[2]) - (p.start[0] + p.start[1] + p.start[2]);
  return separates(line, p, q) || separates(normalOf(p), p, q) || separates(normalOf(q), p, q);
}

// Returns whether two faces may intersect at the start, or whether features that they own may touch. Tests
// either the edges of A's face with the edges of B's face (isEdge), or the vertices of each face with the
// other face.
fn areNear(a: u32, numberA: u32, b: u32, numberB: u32) -> bool {
  let faceA = faceOf(a, numberA);
  let faceB = faceOf(b, numberB);
  if (areApart(boundsOf(faceA), boundsOf(faceB))) { return false; }
  // Faces can intersect at the start although all their edge-edge and vertex-face pairs are apart: an edge of
  // one face may pass through the interior of the other.
  if (!areApart(startBoundsOf(faceA), startBoundsOf(faceB)) && !areApartAtStart(faceA, faceB)) { return true; }
  let ownerA = FACE_WORDS * (bodies[a].firstFace + numberA);
  let ownerB = FACE_WORDS * (bodies[b].firstFace + numberB);
  let isEdge = params.isEdge != 0u;
  for (var i = 0u; i < select(6u, 9u, isEdge); i++) {
    let isSwapped = !isEdge && i >= 3u;
    var p = faceA;
    var q = faceB;
    var ends = vec4u(i % 3u);
    if (isEdge) {
      if (!isOwned(faces[ownerA + 3u + i / 3u]) || !isOwned(faces[ownerB + 3u + i % 3u])) { continue; }
      ends = vec4u(edgeOf(faceA, i / 3u), edgeOf(faceB, i % 3u));
    } else {
      if (!isOwned(faces[select(ownerA, ownerB, isSwapped) + i % 3u])) { continue; }
      if (isSwapped) {
        p = faceB;
        q = faceA;
      }
    }
    if (!isFar(differencesOf(p.start, q.start, ends), differencesOf(p.end, q.end, ends))) { return true; }
  }
  return false;
}

// Sixteen invocations process one pair of leaves, one for each pair of faces.
@compute @workgroup_size(WORKGROUP)
fn filterBodyPairs(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let end = 16u * passes[LEVELS].count;
  for (var index = id.x; index < end; index += groups.x * WORKGROUP) {
    let at = 3u * (index >> 4u);
    let pair = leafPairs[at];
    if (atomicLoad(&counts[COUNTS + pair]) == NEAR) { continue; }
    let a = pairs[pair].x;
    let b = pairs[pair].y;
    let faceA = leaves[bodies[a].firstLeaf + leafPairs[at + 1u]].id[index & 3u];
    let faceB = leaves[bodies[b].firstLeaf + leafPairs[at + 2u]].id[(index >> 2u) & 3u];
    origin = bodies[a].fromAt.xyz;
    if (faceA != NOTHING && faceB != NOTHING && areNear(a, faceA, b, faceB)) { atomicMax(&counts[COUNTS + pair], NEAR); }
  }
}
