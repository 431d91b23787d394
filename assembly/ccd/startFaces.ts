// Float filter for pairs of triangles at the start of a motion: tests separating axes, four at a time (Ericson,
// Real-Time Collision Detection, 5.2.1). The filter proves that most pairs are apart, so few pairs need the
// exact test.

import { StartFace } from '../records';
import { abs, add, gt, load4, lt, max4, min4, mul, or, splat, splatAt, sub } from '../simd/lanes';

/**
 * Bound of the sum of the errors of two heights (direction . corner): 2^-20, relative to the direction's
 * |x| + |y| + |z|. Coordinates are at most 1, so the errors of rounded coordinates, products and sums add up
 * to less than 10 times 2^-24.
 */
const HEIGHT_ERROR: f32 = 9.5367431640625e-7;
/** Far larger than the underflow of products. */
const UNDERFLOW: f32 = 1e-33;

// Returns one coordinate of the three corners relative to the origin, scaled. The last lane repeats the first
// corner.
function row(p: usize, q: usize, r: usize, origin: usize, scale: f64): v128 {
  const from = load<f64>(origin);
  return f32x4.replace_lane(
    f32x4.replace_lane(splat(<f32>((load<f64>(p) - from) * scale)), 1, <f32>((load<f64>(q) - from) * scale)),
    2,
    <f32>((load<f64>(r) - from) * scale),
  );
}

// Returns the value of the next corner in each lane.
function next(a: v128): v128 {
  return v128.shuffle<f32>(a, a, 1, 2, 0, 0);
}
function minor(a: v128, b: v128, c: v128, d: v128): v128 {
  return sub(mul(a, b), mul(c, d));
}
// Returns a triangle's four directions: three in its plane, perpendicular to its edges, then its normal.
function four(across: v128, normal: v128): v128 {
  return v128.shuffle<f32>(across, normal, 0, 1, 2, 4);
}
function height(x: v128, y: v128, z: v128, face: usize, corner: usize): v128 {
  return add(
    add(mul(x, splatAt(face + corner, StartFace.x)), mul(y, splatAt(face + corner, StartFace.y))),
    mul(z, splatAt(face + corner, StartFace.z)),
  );
}

/**
 * Writes a StartFace: the corners of a triangle, its four directions, and its range along each direction. p,
 * q, r: three doubles per corner. origin, scale: each coordinate c becomes (c - origin) * scale, whose
 * magnitude must be at most 1. With a scale of 0, all coordinates become 0, and no faces are separated.
 */
export function writeStartFace(p: usize, q: usize, r: usize, origin: usize, scale: f64, to: usize): void {
  const xs = row(p, q, r, origin, scale);
  const ys = row(p + 8, q + 8, r + 8, origin + 8, scale);
  const zs = row(p + 16, q + 16, r + 16, origin + 16, scale);
  v128.store(to, xs, StartFace.x);
  v128.store(to, ys, StartFace.y);
  v128.store(to, zs, StartFace.z);
  const ex = sub(next(xs), xs);
  const ey = sub(next(ys), ys);
  const ez = sub(next(zs), zs);
  const fx = next(ex);
  const fy = next(ey);
  const fz = next(ez);
  const nx = minor(ey, fz, ez, fy);
  const ny = minor(ez, fx, ex, fz);
  const nz = minor(ex, fy, ey, fx);
  const x = four(minor(ny, ez, nz, ey), nx);
  const y = four(minor(nz, ex, nx, ez), ny);
  const z = four(minor(nx, ey, ny, ex), nz);
  const first = height(x, y, z, to, 0);
  const second = height(x, y, z, to, 4);
  const third = height(x, y, z, to, 8);
  const error = add(mul(add(add(abs(x), abs(y)), abs(z)), splat(HEIGHT_ERROR)), splat(UNDERFLOW));
  v128.store(to, x, StartFace.axes);
  v128.store(to, y, StartFace.axes + 16);
  v128.store(to, z, StartFace.axes + 32);
  v128.store(to, sub(min4(min4(first, second), third), error), StartFace.low);
  v128.store(to, add(max4(max4(first, second), third), error), StartFace.high);
}

/** Returns whether a direction of one of the two StartFaces provably separates them. */
export function areStartsApart(a: usize, b: usize): bool {
  return separatesByOwnAxis(a, b) || separatesByOwnAxis(b, a);
}

function separatesByOwnAxis(a: usize, b: usize): bool {
  const x = load4(a, StartFace.axes);
  const y = load4(a, StartFace.axes + 16);
  const z = load4(a, StartFace.axes + 32);
  const first = height(x, y, z, b, 0);
  const second = height(x, y, z, b, 4);
  const third = height(x, y, z, b, 8);
  return v128.any_true(
    or(
      gt(min4(min4(first, second), third), load4(a, StartFace.high)),
      lt(max4(max4(first, second), third), load4(a, StartFace.low)),
    ),
  );
}
