// Classifies four triangle pairs with float32 arithmetic: each pair surely intersects, is surely disjoint, or
// is uncertain. The triangles are given in a local frame, with a known error bound of the coordinates. Two
// triangles that are not coplanar intersect if and only if an edge of one of them intersects the other
// triangle. The signs of 15 determinants decide this: six plane sides (on which side of a triangle's plane a
// corner of the other triangle lies) and nine edge-edge volumes (the signed volume of the tetrahedron that an
// edge of A and an edge of B span).
import { abs, add, and, gt, lt, maskBits, max4, min4, mul, neg, or, splat, sub } from '../simd/lanes';

export function gather(p0: usize, p1: usize, p2: usize, p3: usize, offset: usize): v128 {
  let v = v128.load32_zero(p0 + offset);
  v = v128.load32_lane(p1 + offset, v, 1);
  v = v128.load32_lane(p2 + offset, v, 2);
  return v128.load32_lane(p3 + offset, v, 3);
}

export function difference(a: v128, b: v128, c: v128, d: v128): v128 {
  return sub(mul(a, b), mul(c, d));
}
export function dot(ax: v128, ay: v128, az: v128, bx: v128, by: v128, bz: v128): v128 {
  return add(add(mul(ax, bx), mul(ay, by)), mul(az, bz));
}
export function maxAbs(m: v128, x: v128, y: v128, z: v128): v128 {
  return max4(max4(m, abs(x)), max4(abs(y), abs(z)));
}

// Returns whether the ends u and v of an edge are surely on opposite sides of a plane. The names of masks of
// surely positive values begin with p, and the names of masks of surely negative values begin with n.
function crosses(pu: v128, nu: v128, pv: v128, nv: v128): v128 {
  return or(and(pu, nv), and(nu, pv));
}
export function all3(a: v128, b: v128, c: v128): v128 {
  return and(and(a, b), c);
}
function any3(a: v128, b: v128, c: v128): v128 {
  return or(or(a, b), c);
}

// The next two functions return whether an edge surely pierces a triangle, and whether it surely misses the
// triangle. Their arguments are masks: for the sides of the edge's ends relative to the triangle's plane, and
// for the edge's volumes with the triangle's three edges.
function pierces(cross: v128, p0: v128, p1: v128, p2: v128, n0: v128, n1: v128, n2: v128): v128 {
  return and(cross, or(all3(p0, p1, p2), all3(n0, n1, n2)));
}
function misses(
  pu: v128,
  nu: v128,
  pv: v128,
  nv: v128,
  p0: v128,
  p1: v128,
  p2: v128,
  n0: v128,
  n1: v128,
  n2: v128,
): v128 {
  return or(or(and(pu, pv), and(nu, nv)), and(any3(p0, p1, p2), any3(n0, n1, n2)));
}

// Returns whether an edge pierces a triangle, from the sign bits of the arguments only; the answer is the
// sign bit of each lane. An edge pierces the triangle if its ends are on opposite sides of the triangle's
// plane (start, end: these two plane sides), and if its volumes with the triangle's edges (x, y, z) all have
// the same sign.
function piercesBySigns(start: v128, end: v128, x: v128, y: v128, z: v128): v128 {
  return v128.andnot(v128.xor(start, end), or(v128.xor(x, y), v128.xor(y, z)));
}
// Returns piercesBySigns with the sign of z flipped. This is needed for the edges of B: x and y are the volumes
// of an edge of B with A's edges o->u and u->v, but z is its volume with o->v instead of v->o.
function piercesBySignsFlipped(start: v128, end: v128, x: v128, y: v128, z: v128): v128 {
  return v128.andnot(and(v128.xor(start, end), v128.xor(y, z)), v128.xor(x, y));
}
// Returns the min of |x|, |y| and |z|. sign: a mask of the sign bits.
function minAbs3(sign: v128, x: v128, y: v128, z: v128): v128 {
  return min4(v128.andnot(x, sign), min4(v128.andnot(y, sign), v128.andnot(z, sign)));
}

export function maxAbs3(x: v128, y: v128, z: v128): v128 {
  return max4(abs(x), max4(abs(y), abs(z)));
}

/**
 * Returns an error bound for each coordinate of the cross product a x b. Let A and B be the max |coordinate| of
 * a and b (`sizeA`, `sizeB`), EA and EB the max errors of their coordinates (`errorA`, `errorB`), and u = 2^-24
 * the rounding unit of float32. The errors of the coordinates change the result by at most
 * 2 (EA B + A EB + EA EB). The bound is at least 4/3 of this change, plus 6 u A B for rounding.
 */
export function crossError(sizeA: v128, errorA: v128, sizeB: v128, errorB: v128): v128 {
  return add(
    mul(splat(2.75), add(mul(errorA, sizeB), mul(add(sizeA, errorA), errorB))),
    mul(mul(sizeA, sizeB), splat(<f32>3.5762786865234375e-7)),
  );
}

/**
 * Returns an error bound for the dot product a . b, in the notation of crossError:
 * 4/3 * 3 (EA B + A EB + EA EB) + 32 u A B + 2^-120. The last two terms are for rounding and for underflow.
 */
export function dotError(sizeA: v128, errorA: v128, sizeB: v128, errorB: v128): v128 {
  return add(
    add(
      mul(splat(4), add(mul(errorA, sizeB), mul(add(sizeA, errorA), errorB))),
      mul(mul(sizeA, sizeB), splat(<f32>1.9073486328125e-6)),
    ),
    splat(<f32>7.52316384526264e-37),
  );
}

/**
 * Filters four triangle pairs. a0..a3: the addresses of the lanes of A's triangles, each in a Leaf or in a
 * block of the same layout. b0..b3: the addresses of the lanes of B's triangles in blocks, which also hold
 * the error bound of the coordinates (see gatherCandidates in testLeafPairs.ts and placeFour in
 * selfTriangles.ts). Bit i of the result: pair i surely intersects. Bit 4 + i: pair i is uncertain.
 *
 * Error bound: every coordinate has an error of at most E (stored in B's block), and u = 2^-24. So every
 * difference of two coordinates has an error of at most Ex = 2 E + 2 u L, where L is the max |difference|. To
 * first order, a determinant of three difference vectors has an error of at most 18 L^2 Ex. The full error is
 * at most 1.78 times this if Ex < L / 3. Rounding adds less than 48 u L^3. The bound used is
 * tau = L^2 (64 E + 128 u L) + 2^-120. If Ex < L / 3, it covers both errors. Otherwise, it exceeds the
 * magnitude of every determinant, so no sign is certain.
 */
export function filterTriTri4(
  a0: usize,
  a1: usize,
  a2: usize,
  a3: usize,
  b0: usize,
  b1: usize,
  b2: usize,
  b3: usize,
): i32 {
  return filter(false, a0, a1, a2, a3, b0, b1, b2, b3);
}

/**
 * Filters four triangle pairs like filterTriTri4, but with tighter error bounds: the bound of each
 * determinant is computed from the sizes of its factors. This helps with slivers, and with small triangles
 * against large ones.
 */
export function filterTriTriTight4(
  a0: usize,
  a1: usize,
  a2: usize,
  a3: usize,
  b0: usize,
  b1: usize,
  b2: usize,
  b3: usize,
): i32 {
  return filter(true, a0, a1, a2, a3, b0, b1, b2, b3);
}

/**
 * Returns tau of filterTriTri4: the error bound of a determinant whose entries are differences of coordinates.
 * `size` bounds the magnitudes of the differences, and `error` bounds the errors of the coordinates.
 */
export function coarseBound(size: v128, error: v128): v128 {
  return add(
    mul(mul(size, size), add(mul(error, splat(64)), mul(size, splat(<f32>7.62939453125e-6)))),
    splat(<f32>7.52316384526264e-37),
  );
}

// Implements both filters. A's corners are o, u and v, and B's are p, q and r; in the code, the coordinates
// of u, v, p, q and r are relative to o. Three kinds of determinants are computed directly. Kind D: B's
// corners against A's plane (error bound tauD). Kind V: A's edges o->u and o->v against B's edges (tauV).
// Kind O: corner o against B's plane (tauO). The other determinants are signed sums of these. Each volume of
// A's edge u->v (tauW) is a sum of two determinants of kind D and two of kind V. The plane side of u or v
// (tauS) is a sum of three determinants of kind V and one of kind O.
// @ts-ignore: decorator
@inline
function filter(
  isTight: bool,
  a0: usize,
  a1: usize,
  a2: usize,
  a3: usize,
  b0: usize,
  b1: usize,
  b2: usize,
  b3: usize,
): i32 {
  const ox = gather(a0, a1, a2, a3, 0);
  const oy = gather(a0, a1, a2, a3, 16);
  const oz = gather(a0, a1, a2, a3, 32);
  const ux = sub(gather(a0, a1, a2, a3, 48), ox);
  const uy = sub(gather(a0, a1, a2, a3, 64), oy);
  const uz = sub(gather(a0, a1, a2, a3, 80), oz);
  const vx = sub(gather(a0, a1, a2, a3, 96), ox);
  const vy = sub(gather(a0, a1, a2, a3, 112), oy);
  const vz = sub(gather(a0, a1, a2, a3, 128), oz);
  const px = sub(gather(b0, b1, b2, b3, 0), ox);
  const py = sub(gather(b0, b1, b2, b3, 16), oy);
  const pz = sub(gather(b0, b1, b2, b3, 32), oz);
  const qx = sub(gather(b0, b1, b2, b3, 48), ox);
  const qy = sub(gather(b0, b1, b2, b3, 64), oy);
  const qz = sub(gather(b0, b1, b2, b3, 80), oz);
  const rx = sub(gather(b0, b1, b2, b3, 96), ox);
  const ry = sub(gather(b0, b1, b2, b3, 112), oy);
  const rz = sub(gather(b0, b1, b2, b3, 128), oz);
  const error = gather(b0, b1, b2, b3, 160);

  const low = min4(min4(min4(px, py), min4(pz, qx)), min4(min4(qy, qz), min4(rx, min4(ry, rz))));
  const high = max4(max4(max4(px, py), max4(pz, qx)), max4(max4(qy, qz), max4(rx, max4(ry, rz))));
  const sizeU = maxAbs3(ux, uy, uz);
  const sizeV = maxAbs3(vx, vy, vz);
  const sizeB = max4(high, sub(splat(0), low));
  const size = max4(sizeB, max4(sizeU, sizeV));
  const coarse = coarseBound(size, error);
  const differenceError = add(add(error, error), mul(size, splat(<f32>1.1920928955078125e-7)));

  // A's plane against B's vertices.
  const nx = difference(uy, vz, uz, vy);
  const ny = difference(uz, vx, ux, vz);
  const nz = difference(ux, vy, uy, vx);
  const dp = dot(nx, ny, nz, px, py, pz);
  const dq = dot(nx, ny, nz, qx, qy, qz);
  const dr = dot(nx, ny, nz, rx, ry, rz);
  const tauD = isTight
    ? dotError(
        maxAbs3(nx, ny, nz),
        crossError(sizeU, differenceError, sizeV, differenceError),
        sizeB,
        differenceError,
      )
    : coarse;
  const minusD = neg(tauD);
  const apart = or(gt(min4(dp, min4(dq, dr)), tauD), lt(max4(dp, max4(dq, dr)), minusD));
  if (maskBits(apart) == 15) return 0;

  // Moments of B's edges: the cross product of the two ends of each edge. The sum of the three moments is B's
  // normal.
  const fx = difference(py, qz, pz, qy);
  const fy = difference(pz, qx, px, qz);
  const fz = difference(px, qy, py, qx);
  const gx = difference(qy, rz, qz, ry);
  const gy = difference(qz, rx, qx, rz);
  const gz = difference(qx, ry, qy, rx);
  const hx = difference(ry, pz, rz, py);
  const hy = difference(rz, px, rx, pz);
  const hz = difference(rx, py, ry, px);
  const momentError = crossError(sizeB, differenceError, sizeB, differenceError);
  const moment = max4(maxAbs3(fx, fy, fz), max4(maxAbs3(gx, gy, gz), maxAbs3(hx, hy, hz)));
  const tauV = isTight ? dotError(moment, momentError, max4(sizeU, sizeV), differenceError) : coarse;
  const tauO = isTight ? dotError(moment, momentError, sizeB, differenceError) : coarse;
  const tauW = isTight ? add(add(tauD, tauD), add(tauV, tauV)) : mul(coarse, splat(4));
  const tauS = isTight ? add(add(tauV, tauV), add(tauV, tauO)) : mul(coarse, splat(4));
  const minusV = neg(tauV);
  const minusW = neg(tauW);
  const minusS = neg(tauS);
  const minusO = neg(tauO);
  const uf = dot(ux, uy, uz, fx, fy, fz);
  const ug = dot(ux, uy, uz, gx, gy, gz);
  const uh = dot(ux, uy, uz, hx, hy, hz);
  const vf = dot(vx, vy, vz, fx, fy, fz);
  const vg = dot(vx, vy, vz, gx, gy, gz);
  const vh = dot(vx, vy, vz, hx, hy, hz);

  // B's plane against A's vertices.
  const so = neg(dot(px, py, pz, gx, gy, gz));
  const su = add(add(add(uf, ug), uh), so);
  const sv = add(add(add(vf, vg), vh), so);
  const apartToo = or(apart, or(gt(min4(so, min4(su, sv)), tauS), lt(max4(so, max4(su, sv)), minusS)));
  if (maskBits(apartToo) == 15) return 0;

  // The volumes of A's edge u->v with B's edges p->q, q->r and r->p. The volumes of edge o->u are uf, ug and
  // uh, and the volumes of edge o->v are vf, vg and vh.
  const wf = add(sub(sub(dq, dp), uf), vf);
  const wg = add(sub(sub(dr, dq), ug), vg);
  const wh = add(sub(sub(dp, dr), uh), vh);
  // If isTight is false, a pair that is not apart is decided only if all its signs are certain. If a coordinate
  // is infinite, the error bound is infinite or NaN, so no sign is certain.
  if (!isTight) {
    const pierced = or(
      or(
        or(piercesBySigns(so, su, uf, ug, uh), piercesBySigns(su, sv, wf, wg, wh)),
        piercesBySigns(sv, so, vf, vg, vh),
      ),
      or(
        or(piercesBySignsFlipped(dp, dq, uf, wf, vf), piercesBySignsFlipped(dq, dr, ug, wg, vg)),
        piercesBySignsFlipped(dr, dp, uh, wh, vh),
      ),
    );
    const sign = i32x4.splat(i32.MIN_VALUE);
    const sure = and(
      gt(
        min4(
          minAbs3(sign, dp, dq, dr),
          min4(minAbs3(sign, so, uf, ug), min4(minAbs3(sign, uh, vf, vg), v128.andnot(vh, sign))),
        ),
        coarse,
      ),
      gt(min4(minAbs3(sign, su, sv, wf), min4(v128.andnot(wg, sign), v128.andnot(wh, sign))), tauW),
    );
    return maskBits(and(sure, pierced)) | ((~maskBits(or(sure, apartToo)) & 15) << 4);
  }
  // P: surely positive. N: surely negative. For vf, vg and vh, P and N are exchanged, because A's edge is v->o
  // here, not o->v.
  const soP = gt(so, tauO);
  const suP = gt(su, tauS);
  const svP = gt(sv, tauS);
  const soN = lt(so, minusO);
  const suN = lt(su, minusS);
  const svN = lt(sv, minusS);
  const dpP = gt(dp, tauD);
  const dqP = gt(dq, tauD);
  const drP = gt(dr, tauD);
  const dpN = lt(dp, minusD);
  const dqN = lt(dq, minusD);
  const drN = lt(dr, minusD);
  const ufP = gt(uf, tauV);
  const ugP = gt(ug, tauV);
  const uhP = gt(uh, tauV);
  const ufN = lt(uf, minusV);
  const ugN = lt(ug, minusV);
  const uhN = lt(uh, minusV);
  const wfP = gt(wf, tauW);
  const wgP = gt(wg, tauW);
  const whP = gt(wh, tauW);
  const wfN = lt(wf, minusW);
  const wgN = lt(wg, minusW);
  const whN = lt(wh, minusW);
  const vfP = lt(vf, minusV);
  const vgP = lt(vg, minusV);
  const vhP = lt(vh, minusV);
  const vfN = gt(vf, tauV);
  const vgN = gt(vg, tauV);
  const vhN = gt(vh, tauV);

  const hit = or(
    or(
      or(
        pierces(crosses(soP, soN, suP, suN), ufP, ugP, uhP, ufN, ugN, uhN),
        pierces(crosses(suP, suN, svP, svN), wfP, wgP, whP, wfN, wgN, whN),
      ),
      pierces(crosses(svP, svN, soP, soN), vfP, vgP, vhP, vfN, vgN, vhN),
    ),
    or(
      or(
        pierces(crosses(dpP, dpN, dqP, dqN), ufP, wfP, vfP, ufN, wfN, vfN),
        pierces(crosses(dqP, dqN, drP, drN), ugP, wgP, vgP, ugN, wgN, vgN),
      ),
      pierces(crosses(drP, drN, dpP, dpN), uhP, whP, vhP, uhN, whN, vhN),
    ),
  );
  const miss = or(
    apartToo,
    and(
      all3(
        misses(soP, soN, suP, suN, ufP, ugP, uhP, ufN, ugN, uhN),
        misses(suP, suN, svP, svN, wfP, wgP, whP, wfN, wgN, whN),
        misses(svP, svN, soP, soN, vfP, vgP, vhP, vfN, vgN, vhN),
      ),
      all3(
        misses(dpP, dpN, dqP, dqN, ufP, wfP, vfP, ufN, wfN, vfN),
        misses(dqP, dqN, drP, drN, ugP, wgP, vgP, ugN, wgN, vgN),
        misses(drP, drN, dpP, dpN, uhP, whP, vhP, uhN, whN, vhN),
      ),
    ),
  );
  const hitBits = maskBits(hit);
  return hitBits | ((~(hitBits | maskBits(miss)) & 15) << 4);
}
