// Tests two triangles in a local frame. errorA and errorB bound the errors of the coordinates of A and B.
// Returns APART, INTERSECT or UNCERTAIN. Counterpart of assembly/narrowphase/filterTriTri.ts. Two triangles
// intersect if and only if an edge of one of them intersects the other triangle. The signs of 15 determinants
// decide this: six plane sides (on which side of one triangle's plane a corner of the other triangle lies) and
// nine edge-edge volumes (the signed volume of the tetrahedron that an edge of A and an edge of B span).
// uses: bounds

// A third verdict in addition to APART and INTERSECT.
const UNCERTAIN = 2u;

// pierces: whether an edge certainly pierces a triangle. misses: whether it certainly does not touch the
// triangle. start, end: on which side of the triangle's plane the ends of the edge are. x, y, z: the signs
// of the volumes that the edge spans with the three edges of the triangle. All five are results of signOf.
fn pierces(start: u32, end: u32, x: u32, y: u32, z: u32) -> bool { return (start | end) == 3u && (x & y & z) != 0u; }
fn misses(start: u32, end: u32, x: u32, y: u32, z: u32) -> bool { return (start & end) != 0u || (x | y | z) == 3u; }

fn filterTriTri(a: Triangle, errorA: f32, b: Triangle, errorB: f32) -> u32 {
  let u = a.b - a.a;
  let v = a.c - a.a;
  let p = b.a - a.a;
  let q = b.b - a.a;
  let r = b.c - a.a;
  // Each difference is rounded once, with an error of 2^-23 of its size. The bounds contain twice this
  // error.
  let sizeA = max(maxAbs(u), maxAbs(v));
  let sizeB = max(max(maxAbs(p), maxAbs(q)), maxAbs(r));
  let offA = 2.0 * errorA + 0x1p-22 * sizeA;
  let offB = errorA + errorB + 0x1p-22 * sizeB;

  // A's plane against B's corners.
  let n = cross(u, v);
  let dp = dot(n, p);
  let dq = dot(n, q);
  let dr = dot(n, r);
  let tauD = dotError(maxAbs(n), crossError(maxAbs(u), offA, maxAbs(v), offA), sizeB, offB);
  let sideP = signOf(dp, tauD);
  let sideQ = signOf(dq, tauD);
  let sideR = signOf(dr, tauD);
  if ((sideP & sideQ & sideR) != 0u) { return APART; }

  // Moments of B's edges; their sum is B's normal.
  let f = cross(p, q);
  let g = cross(q, r);
  let h = cross(r, p);
  let moment = max(max(maxAbs(f), maxAbs(g)), maxAbs(h));
  let momentError = crossError(sizeB, offB, sizeB, offB);
  let tauV = dotError(moment, momentError, sizeA, offA);
  let tauO = dotError(moment, momentError, sizeB, offB);
  let uf = dot(u, f);
  let ug = dot(u, g);
  let uh = dot(u, h);
  let vf = dot(v, f);
  let vg = dot(v, g);
  let vh = dot(v, h);

  // B's plane against A's corners.
  let tauS = 3.0 * tauV + tauO;
  let so = -dot(p, g);
  let sideO = signOf(so, tauO);
  let sideU = signOf(uf + ug + uh + so, tauS);
  let sideV = signOf(vf + vg + vh + so, tauS);
  if ((sideO & sideU & sideV) != 0u) { return APART; }

  // Volumes of A's edges o -> u, u -> v, v -> o with B's p -> q, q -> r, r -> p.
  let tauW = 2.0 * (tauD + tauV);
  let uF = signOf(uf, tauV);
  let uG = signOf(ug, tauV);
  let uH = signOf(uh, tauV);
  let wF = signOf(dq - dp - uf + vf, tauW);
  let wG = signOf(dr - dq - ug + vg, tauW);
  let wH = signOf(dp - dr - uh + vh, tauW);
  let vF = signOf(-vf, tauV);
  let vG = signOf(-vg, tauV);
  let vH = signOf(-vh, tauV);
  if (pierces(sideO, sideU, uF, uG, uH) || pierces(sideU, sideV, wF, wG, wH) || pierces(sideV, sideO, vF, vG, vH)
    || pierces(sideP, sideQ, uF, wF, vF) || pierces(sideQ, sideR, uG, wG, vG) || pierces(sideR, sideP, uH, wH, vH)) { return INTERSECT; }
  if (misses(sideO, sideU, uF, uG, uH) && misses(sideU, sideV, wF, wG, wH) && misses(sideV, sideO, vF, vG, vH)
    && misses(sideP, sideQ, uF, wF, vF) && misses(sideQ, sideR, uG, wG, vG) && misses(sideR, sideP, uH, wH, vH)) { return APART; }
  return UNCERTAIN;
}
