// Second test for triangle pairs that filterTriTri leaves uncertain. Decides whether some plane certainly
// separates the two triangles. The planes that it tries contain an edge of one triangle and are perpendicular
// to that triangle. Counterpart of assembly/narrowphase/separate4.ts. Pairs of coplanar faces are common in
// CAD. Their volumes are zero, so filterTriTri cannot decide them, although most of these pairs are apart.
// uses: bounds

// Returns whether the corners of `other` are certainly outside an edge of a triangle. n: the triangle's
// normal. d: the direction of the edge. start: a corner on the edge. For each point s of the triangle itself,
// the dot product of cross(n, d) and s - start is at least 0.
fn isOutside(n: vec3<f32>, normalError: f32, d: vec3<f32>, edgeError: f32, start: vec3<f32>, other: Triangle, error: f32) -> bool {
  let x = other.a - start;
  let y = other.b - start;
  let z = other.c - start;
  let out = cross(n, d);
  let outError = crossError(maxAbs(n), normalError, maxAbs(d), edgeError);
  let size = max(max(maxAbs(x), maxAbs(y)), maxAbs(z));
  let below = -dotError(maxAbs(out), outError, size, error + 0x1p-22 * size);
  return dot(out, x) < below && dot(out, y) < below && dot(out, z) < below;
}

// Returns whether a plane through an edge of t, perpendicular to t, certainly separates t from the other
// triangle. error: the error of t's coordinates. both: the sum of the errors of both triangles' coordinates.
fn isBeside(t: Triangle, error: f32, other: Triangle, both: f32) -> bool {
  let u = t.b - t.a;
  let v = t.c - t.a;
  let w = t.c - t.b;
  let edgeError = 2.0 * error + 0x1p-22 * max(max(maxAbs(u), maxAbs(v)), maxAbs(w));
  let n = cross(u, v);
  let normalError = crossError(maxAbs(u), edgeError, maxAbs(v), edgeError);
  return isOutside(n, normalError, u, edgeError, t.a, other, both) || isOutside(n, normalError, w, edgeError, t.b, other, both)
    || isOutside(n, normalError, -v, edgeError, t.a, other, both);
}

fn areSeparate(a: Triangle, errorA: f32, b: Triangle, errorB: f32) -> bool {
  let both = errorA + errorB;
  return isBeside(a, errorA, b, both) || isBeside(b, errorB, a, both);
}
