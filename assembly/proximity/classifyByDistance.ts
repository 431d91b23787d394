// Classifies four triangle pairs by distance with float32 arithmetic. The triangles are given in a local
// frame, with a known error bound of the coordinates. For two given lengths, `inner` and `reach`, finds the
// pairs that are certainly closer than `inner`, and the pairs that are certainly more than `reach` apart.

import { dot, gather, maxAbs } from '../narrowphase/filterTriTri';
import { abs, add, gt, lt, maskBits, max4, min4, mul, splat, sub } from '../simd/lanes';

// Covers the rounding of a length, of its square, and of products with the length.
const ROUND_UP: f32 = 1.0000019073486328125;
// 2^-20, relative to `sizes * maxCoordinate`. The rounding errors are at most 8 * 2^-24: three roundings in
// each of two dot products, and the rounding of their difference, which may be twice as large as a dot
// product. The constant is twice this bound.
const ROUNDINGS: f32 = 9.5367431640625e-7;
// 2^-120 and its square root: larger than the errors that underflow causes in products and in lengths.
const UNDERFLOW: f32 = 7.52316384526264e-37;
const LENGTH_UNDERFLOW: f32 = 8.673617379884035e-19;

// Returns the smallest squared distance of the corner (x, y, z) from the three corners p, q and r.
function nearest3(
  x: v128,
  y: v128,
  z: v128,
  px: v128,
  py: v128,
  pz: v128,
  qx: v128,
  qy: v128,
  qz: v128,
  rx: v128,
  ry: v128,
  rz: v128,
): v128 {
  return min4(
    min4(square(sub(px, x), sub(py, y), sub(pz, z)), square(sub(qx, x), sub(qy, y), sub(qz, z))),
    square(sub(rx, x), sub(ry, y), sub(rz, z)),
  );
}

function square(x: v128, y: v128, z: v128): v128 {
  return dot(x, y, z, x, y, z);
}

/**
 * Classifies four pairs, given by addresses of lanes as in filterTriTri4. inner, reach: lengths in units of
 * the local frame. Bit i of the result: a corner of one triangle of pair i is certainly closer than `inner`
 * to a corner of the other triangle. Bit 4 + i: the triangles of pair i are certainly more than `reach` apart
 * along the direction between their centers. Any direction would be valid for this test, so the rounding of
 * the direction does not matter.
 */
export function classifyByDistance4(
  a0: usize,
  a1: usize,
  a2: usize,
  a3: usize,
  b0: usize,
  b1: usize,
  b2: usize,
  b3: usize,
  inner: f32,
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
  // Bounds the error of each coordinate of the difference of any two vectors above: the errors of two
  // original coordinates, plus three roundings.
  const error = gather(b0, b1, b2, b3, 160);
  const differenceError = add(add(error, error), mul(maxCoordinate, splat(<f32>4.76837158203125e-7)));

  const zero = splat(0);
  const squares = min4(
    min4(
      nearest3(zero, zero, zero, px, py, pz, qx, qy, qz, rx, ry, rz),
      nearest3(ux, uy, uz, px, py, pz, qx, qy, qz, rx, ry, rz),
    ),
    nearest3(vx, vy, vz, px, py, pz, qx, qy, qz, rx, ry, rz),
  );
  const length = add(
    mul(add(f32x4.sqrt(squares), splat(LENGTH_UNDERFLOW)), splat(ROUND_UP)),
    add(differenceError, differenceError),
  );

  const nx = sub(add(add(px, qx), rx), add(ux, vx));
  const ny = sub(add(add(py, qy), ry), add(uy, vy));
  const nz = sub(add(add(pz, qz), rz), add(uz, vz));
  const lowest = min4(
    min4(dot(nx, ny, nz, px, py, pz), dot(nx, ny, nz, qx, qy, qz)),
    dot(nx, ny, nz, rx, ry, rz),
  );
  const highest = max4(max4(zero, dot(nx, ny, nz, ux, uy, uz)), dot(nx, ny, nz, vx, vy, vz));
  const sizes = add(add(abs(nx), abs(ny)), abs(nz));
  const limit = add(
    mul(mul(add(f32x4.sqrt(square(nx, ny, nz)), splat(LENGTH_UNDERFLOW)), splat(ROUND_UP)), splat(reach)),
    add(mul(sizes, add(differenceError, mul(maxCoordinate, splat(ROUNDINGS)))), splat(UNDERFLOW)),
  );
  return maskBits(lt(length, splat(inner))) | (maskBits(gt(sub(lowest, highest), limit)) << 4);
}
