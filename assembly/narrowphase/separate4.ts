// Finds, in float32, triangle pairs that are separated by a plane through an edge of one triangle,
// perpendicular to that triangle. This is the third float filter, for pairs that both filters of
// filterTriTri.ts leave uncertain. It decides most pairs of coplanar triangles, which are common in CAD:
// their edge-edge volumes are all 0, but most of them are disjoint within their plane.
import { add, and, lt, maskBits, mul, neg, or, splat, sub } from '../simd/lanes';
import { crossError, difference, dot, dotError, gather, maxAbs, maxAbs3 } from './filterTriTri';

// Returns whether three points surely lie outside a triangle, beyond one of its edges. (nx, ny, nz): the
// triangle's normal, with errors of at most normalError. (dx, dy, dz): the edge's vector. (x0, y0, z0) to
// (x2, y2, z2): the points, relative to the start of the edge. error: error bound of the coordinates of the
// edge's vector and of the points. size: bound of the points' |coordinates|. The cross product of the normal
// and the edge lies in the triangle's plane and points to the inside of the triangle. So its dot product with
// a point is negative if the point is beyond the edge.
// @ts-ignore: decorator
@inline
function outside(
  nx: v128,
  ny: v128,
  nz: v128,
  normalError: v128,
  dx: v128,
  dy: v128,
  dz: v128,
  x0: v128,
  y0: v128,
  z0: v128,
  x1: v128,
  y1: v128,
  z1: v128,
  x2: v128,
  y2: v128,
  z2: v128,
  error: v128,
  size: v128,
): v128 {
  const ex = difference(ny, dz, nz, dy);
  const ey = difference(nz, dx, nx, dz);
  const ez = difference(nx, dy, ny, dx);
  const outError = crossError(maxAbs3(nx, ny, nz), normalError, maxAbs3(dx, dy, dz), error);
  const outSize = maxAbs3(ex, ey, ez);
  const tau = dotError(outSize, outError, size, error);
  const minus = neg(tau);
  return and(
    and(lt(dot(ex, ey, ez, x0, y0, z0), minus), lt(dot(ex, ey, ez, x1, y1, z1), minus)),
    lt(dot(ex, ey, ez, x2, y2, z2), minus),
  );
}

/** Tests four pairs, given by addresses of lanes as in filterTriTri4. Bit i: pair i is surely disjoint. */
export function separate4(
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
  // The test of an edge uses coordinates relative to the start of that edge. Their magnitudes are at most
  // twice the max |coordinate| relative to A's first corner, o.
  const half = maxAbs(
    maxAbs(maxAbs(maxAbs(maxAbs(splat(0), ux, uy, uz), vx, vy, vz), px, py, pz), qx, qy, qz),
    rx,
    ry,
    rz,
  );
  const size = add(half, half);
  const error = add(mul(gather(b0, b1, b2, b3, 160), splat(2)), mul(size, splat(<f32>1.1920928955078125e-7)));

  const nx = difference(uy, vz, uz, vy);
  const ny = difference(uz, vx, ux, vz);
  const nz = difference(ux, vy, uy, vx);
  const pux = sub(px, ux);
  const puy = sub(py, uy);
  const puz = sub(pz, uz);
  const qux = sub(qx, ux);
  const quy = sub(qy, uy);
  const quz = sub(qz, uz);
  const rux = sub(rx, ux);
  const ruy = sub(ry, uy);
  const ruz = sub(rz, uz);
  const normalErrorA = crossError(maxAbs3(ux, uy, uz), error, maxAbs3(vx, vy, vz), error);
  let apart = outside(nx, ny, nz, normalErrorA, ux, uy, uz, px, py, pz, qx, qy, qz, rx, ry, rz, error, size);
  apart = or(
    apart,
    outside(
      nx,
      ny,
      nz,
      normalErrorA,
      sub(vx, ux),
      sub(vy, uy),
      sub(vz, uz),
      pux,
      puy,
      puz,
      qux,
      quy,
      quz,
      rux,
      ruy,
      ruz,
      error,
      size,
    ),
  );
  // The third edge runs from v to o. Any point of the edge's line can serve as the start of the edge. This test
  // uses o, because p, q and r are already relative to o.
  apart = or(
    apart,
    outside(
      nx,
      ny,
      nz,
      normalErrorA,
      neg(vx),
      neg(vy),
      neg(vz),
      px,
      py,
      pz,
      qx,
      qy,
      qz,
      rx,
      ry,
      rz,
      error,
      size,
    ),
  );
  if (maskBits(apart) == 15) return 15;

  const fx = sub(qx, px);
  const fy = sub(qy, py);
  const fz = sub(qz, pz);
  const gx = sub(rx, px);
  const gy = sub(ry, py);
  const gz = sub(rz, pz);
  const mx = difference(fy, gz, fz, gy);
  const my = difference(fz, gx, fx, gz);
  const mz = difference(fx, gy, fy, gx);
  const normalErrorB = crossError(maxAbs3(fx, fy, fz), error, maxAbs3(gx, gy, gz), error);
  const opx = neg(px);
  const opy = neg(py);
  const opz = neg(pz);
  const upx = neg(pux);
  const upy = neg(puy);
  const upz = neg(puz);
  const vpx = sub(vx, px);
  const vpy = sub(vy, py);
  const vpz = sub(vz, pz);
  apart = or(
    apart,
    outside(mx, my, mz, normalErrorB, fx, fy, fz, opx, opy, opz, upx, upy, upz, vpx, vpy, vpz, error, size),
  );
  apart = or(
    apart,
    outside(
      mx,
      my,
      mz,
      normalErrorB,
      neg(gx),
      neg(gy),
      neg(gz),
      opx,
      opy,
      opz,
      upx,
      upy,
      upz,
      vpx,
      vpy,
      vpz,
      error,
      size,
    ),
  );
  apart = or(
    apart,
    outside(
      mx,
      my,
      mz,
      normalErrorB,
      sub(rx, qx),
      sub(ry, qy),
      sub(rz, qz),
      neg(qx),
      neg(qy),
      neg(qz),
      neg(qux),
      neg(quy),
      neg(quz),
      sub(vx, qx),
      sub(vy, qy),
      sub(vz, qz),
      error,
      size,
    ),
  );
  return maskBits(apart);
}
