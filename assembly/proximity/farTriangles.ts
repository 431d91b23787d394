// Finds, with float32 arithmetic, which of four triangle pairs are provably farther apart than a given reach.
// The triangles are given in a local frame, with a known error bound of the coordinates. A pair is far apart
// if one triangle lies entirely on one side of the other triangle's plane, farther than the reach from that
// plane.

import {
  all3,
  coarseBound,
  crossError,
  difference,
  dot,
  gather,
  maxAbs,
  maxAbs3,
} from '../narrowphase/filterTriTri';
import { add, gt, lt, maskBits, mul, neg, or, splat, sub } from '../simd/lanes';

// Covers the rounding of a length (of its square and of the square root) and of its product with the reach.
const ROUND_UP: f32 = 1.0000019073486328125;
// 2^-72: larger than the error of a length whose square underflows.
const UNDERFLOW: f32 = 2.117582368135750836e-22;

// Returns a mask of the lanes in which three points are all more than `reach` away from a plane, on the same
// side of it. nx, ny, nz: the plane's normal, of any length. normalError: the maximum error of each
// coordinate of the normal. p, q, r: the dot products of the three points with the normal. bound: the maximum
// error of these dot products.
function areBeyond(
  nx: v128,
  ny: v128,
  nz: v128,
  normalError: v128,
  bound: v128,
  reach: v128,
  p: v128,
  q: v128,
  r: v128,
): v128 {
  const length = add(
    add(f32x4.sqrt(dot(nx, ny, nz, nx, ny, nz)), splat(UNDERFLOW)),
    add(normalError, normalError),
  );
  const limit = add(mul(mul(length, reach), splat(ROUND_UP)), bound);
  const below = neg(limit);
  return or(all3(gt(p, limit), gt(q, limit), gt(r, limit)), all3(lt(p, below), lt(q, below), lt(r, below)));
}

/**
 * Returns a mask of the pairs that are provably more than `reach` apart. The triangles are given by the
 * addresses of their lanes, as in filterTriTri4. reach: in units of the local frame. Some vectors are
 * differences of two differences of coordinates, and thus up to twice as large as the largest difference. So
 * the error bounds are computed for twice that difference.
 */
export function farTriangles4(
  a0: usize,
  a1: usize,
  a2: usize,
  a3: usize,
  b0: usize,
  b1: usize,
  b2: usize,
  b3: usize,
  reach: f32,
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
  const maxCoordinate = maxAbs(
    maxAbs(maxAbs(maxAbs(maxAbs(splat(0), ux, uy, uz), vx, vy, vz), px, py, pz), qx, qy, qz),
    rx,
    ry,
    rz,
  );
  const size = add(maxCoordinate, maxCoordinate);
  const error = gather(b0, b1, b2, b3, 160);
  const bound = coarseBound(size, error);
  const reaches = splat(reach);
  const differenceError = add(add(error, error), mul(size, splat(<f32>1.1920928955078125e-7)));

  const nx = difference(uy, vz, uz, vy);
  const ny = difference(uz, vx, ux, vz);
  const nz = difference(ux, vy, uy, vx);
  const normalErrorA = crossError(maxAbs3(ux, uy, uz), differenceError, maxAbs3(vx, vy, vz), differenceError);
  const beyondA = areBeyond(
    nx,
    ny,
    nz,
    normalErrorA,
    bound,
    reaches,
    dot(nx, ny, nz, px, py, pz),
    dot(nx, ny, nz, qx, qy, qz),
    dot(nx, ny, nz, rx, ry, rz),
  );

  const ex = sub(qx, px);
  const ey = sub(qy, py);
  const ez = sub(qz, pz);
  const fx = sub(rx, px);
  const fy = sub(ry, py);
  const fz = sub(rz, pz);
  const mx = difference(ey, fz, ez, fy);
  const my = difference(ez, fx, ex, fz);
  const mz = difference(ex, fy, ey, fx);
  const normalErrorB = crossError(maxAbs3(ex, ey, ez), differenceError, maxAbs3(fx, fy, fz), differenceError);
  const o = neg(dot(mx, my, mz, px, py, pz));
  const u = dot(mx, my, mz, sub(ux, px), sub(uy, py), sub(uz, pz));
  const v = dot(mx, my, mz, sub(vx, px), sub(vy, py), sub(vz, pz));
  return maskBits(or(beyondA, areBeyond(mx, my, mz, normalErrorB, bound, reaches, o, u, v)));
}
