// Tests exactly whether a ray hits a triangle, and keeps the hit.

import { placeTriangle } from '../exact/place';
import {
  NOTHING,
  RAY_ALL,
  RAY_ANY,
  RAY_BACK,
  RAY_BOTH,
  RAY_CLOSEST,
  RAY_FRONT,
  RayJob,
  RaySlice,
  CastTarget,
} from '../records';
import {
  compareTimes,
  compareToLimit,
  edgeSide,
  estimateTime,
  heightSign,
  isWide,
  UNKNOWN,
} from './exactRay';
import { appendHit } from './rayHits';

// A sum of products whose longest chain of operations has eight roundings has an error below 9 * 2^-53 times
// the sum of the magnitudes of its products; see assembly/exact/orient.ts. Underflow changes the sum by less
// than TINY: a product that underflows is multiplied only by differences of coordinates, which are below
// 2^339, or by entries of a direction, which are below 2^200.
const ERROR: f64 = 10 * 1.1102230246251565e-16;
const TINY: f64 = 1e-200;

// Returns the sign of d . (p x q), or 0 if it is uncertain.
// @ts-ignore: decorator
@inline
function certainSide(px: f64, py: f64, pz: f64, qx: f64, qy: f64, qz: f64, dx: f64, dy: f64, dz: f64): i32 {
  const yz = py * qz;
  const zy = pz * qy;
  const zx = pz * qx;
  const xz = px * qz;
  const xy = px * qy;
  const yx = py * qx;
  const value = (yz - zy) * dx + (zx - xz) * dy + (xy - yx) * dz;
  const error =
    ((abs(yz) + abs(zy)) * abs(dx) + (abs(zx) + abs(xz)) * abs(dy) + (abs(xy) + abs(yx)) * abs(dz)) * ERROR +
    TINY;
  return i32(value > error) - i32(value < -error);
}

// @ts-ignore: decorator
@inline
function areMixed(a: i32, b: i32, c: i32): bool {
  return max(max(a, b), c) > 0 && min(min(a, b), c) < 0;
}

/**
 * Appends a triangle to the slice's list of undecided triangles, which the caller of the kernel tests with
 * BigInt. Entries beyond the capacity are only counted.
 */
export function deferTriangle(slice: usize, target: u32, triangle: u32): void {
  const count = load<u32>(slice, RaySlice.undecidedCount);
  store<u32>(slice, count + 1, RaySlice.undecidedCount);
  if (count >= load<u32>(slice, RaySlice.undecidedCapacity)) return;
  const at = <usize>load<u32>(slice, RaySlice.undecidedAt) + <usize>count * 12;
  store<u32>(at, load<u32>(slice, RaySlice.rayNumber));
  store<u32>(at, target, 4);
  store<u32>(at, triangle, 8);
}

/** Places a triangle of a target, and writes its vertices to `out` (9 f64). */
export function placeCorners(job: usize, targetNumber: u32, triangle: u32, out: usize): void {
  const target = <usize>load<u32>(job, RayJob.targetsAt) + <usize>targetNumber * CastTarget.SIZE;
  placeTriangle(
    load<u32>(target, CastTarget.meshAt),
    triangle,
    load<u32>(target, CastTarget.placementAt),
    out,
  );
}

/**
 * Tests a triangle. If the ray hits it, updates the slice's result. A line that does not lie in the triangle's
 * plane misses the triangle if and only if it passes two of the directed edges ab, bc, ca on opposite sides.
 * The boundary belongs to the triangle. The parameter of the hit is the height of the triangle's plane above
 * the origin, divided by the speed of the ray toward the plane.
 */
export function testTriangle(job: usize, slice: usize, target: u32, triangle: u32): void {
  const corners = slice + RaySlice.corners;
  placeCorners(job, target, triangle, corners);
  const ray = slice + RaySlice.ray;
  const ox = load<f64>(ray);
  const oy = load<f64>(ray, 8);
  const oz = load<f64>(ray, 16);
  const dx = load<f64>(ray, 24);
  const dy = load<f64>(ray, 32);
  const dz = load<f64>(ray, 40);
  const ax = load<f64>(corners) - ox;
  const ay = load<f64>(corners, 8) - oy;
  const az = load<f64>(corners, 16) - oz;
  const bx = load<f64>(corners, 24) - ox;
  const by = load<f64>(corners, 32) - oy;
  const bz = load<f64>(corners, 40) - oz;
  const cx = load<f64>(corners, 48) - ox;
  const cy = load<f64>(corners, 56) - oy;
  const cz = load<f64>(corners, 64) - oz;
  let ab = certainSide(ax, ay, az, bx, by, bz, dx, dy, dz);
  let bc = certainSide(bx, by, bz, cx, cy, cz, dx, dy, dz);
  let ca = certainSide(cx, cy, cz, ax, ay, az, dx, dy, dz);
  if (areMixed(ab, bc, ca)) return;

  const ux = load<f64>(corners, 24) - load<f64>(corners);
  const uy = load<f64>(corners, 32) - load<f64>(corners, 8);
  const uz = load<f64>(corners, 40) - load<f64>(corners, 16);
  const vx = load<f64>(corners, 48) - load<f64>(corners);
  const vy = load<f64>(corners, 56) - load<f64>(corners, 8);
  const vz = load<f64>(corners, 64) - load<f64>(corners, 16);
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const mx = abs(uy * vz) + abs(uz * vy);
  const my = abs(uz * vx) + abs(ux * vz);
  const mz = abs(ux * vy) + abs(uy * vx);
  const speed = nx * dx + ny * dy + nz * dz;
  const speedError = (mx * abs(dx) + my * abs(dy) + mz * abs(dz)) * ERROR + TINY;
  const height = nx * ax + ny * ay + nz * az;
  const heightError = (mx * abs(ax) + my * abs(ay) + mz * abs(az)) * ERROR + TINY;
  let time: f64 = 0;
  let error: f64 = Infinity;
  if (abs(speed) > 4 * speedError) {
    time = height / speed;
    error =
      ((heightError + abs(time) * speedError) / (abs(speed) - speedError)) * 1.0000001 + abs(time) * 1e-15;
    if (time + error < 0 || time - error > load<f64>(slice, RaySlice.bestUpper)) return;
  }

  const work: usize = load<u32>(slice, RaySlice.workAt);
  const zero = slice + RaySlice.zero;
  const isUncertain = ab == 0 || bc == 0 || ca == 0;
  const isHeightCertain = abs(height) > heightError;
  if ((isUncertain || !isHeightCertain) && isWide(ray, corners))
    return deferTriangle(slice, target, triangle);
  if (isUncertain) {
    if (ab == 0) ab = edgeSide(ray, corners, corners + 24, zero, work);
    if (bc == 0) bc = edgeSide(ray, corners + 24, corners + 48, zero, work);
    if (ca == 0) ca = edgeSide(ray, corners + 48, corners, zero, work);
    if (areMixed(ab, bc, ca)) return;
  }
  const facing = ab != 0 ? ab : bc != 0 ? bc : ca;
  const side = load<u32>(job, RayJob.side);
  if (facing == 0) {
    // The ray lies in the triangle's plane, or the triangle is degenerate.
    if (side == RAY_BOTH) deferTriangle(slice, target, triangle);
    return;
  }
  if ((side == RAY_FRONT && facing > 0) || (side == RAY_BACK && facing < 0)) return;
  const sign = isHeightCertain ? i32(height > 0) - i32(height < 0) : heightSign(ray, corners, work);
  if (sign * facing < 0) return;
  if (sign == 0) {
    time = 0;
    error = 0;
  } else if (!(error < Infinity)) {
    time = estimateTime(ray, corners, zero, work);
    if (!(abs(time) < Infinity)) return deferTriangle(slice, target, triangle);
    error = abs(time) * 1e-14;
  }
  const limit = load<f64>(slice, RaySlice.max);
  if (!(time + error <= limit)) {
    const order = compareToLimit(ray, corners, limit, zero, work);
    if (order == UNKNOWN) return deferTriangle(slice, target, triangle);
    if (order > 0) return;
  }
  keep(job, slice, target, triangle, time, error);
}

function keep(job: usize, slice: usize, target: u32, triangle: u32, time: f64, error: f64): void {
  const want = load<u32>(job, RayJob.want);
  if (want == RAY_CLOSEST) return keepCloser(job, slice, target, triangle, time, error);
  if (want == RAY_ALL) return appendHit(slice, target, triangle, time == 0 && error == 0);
  store<u32>(slice, load<u32>(slice, RaySlice.count) + 1, RaySlice.count);
  if (want == RAY_ANY) store<u32>(slice, 1, RaySlice.isDone);
}

/**
 * Returns whether the first of two hits at the same parameter precedes the second. Such hits are ordered by
 * body, then by triangle.
 */
export function precedes(job: usize, target: u32, triangle: u32, target2: u32, triangle2: u32): bool {
  if (target == target2) return triangle < triangle2;
  const targets: usize = load<u32>(job, RayJob.targetsAt);
  return (
    load<u32>(targets + <usize>target * CastTarget.SIZE, CastTarget.body) <
    load<u32>(targets + <usize>target2 * CastTarget.SIZE, CastTarget.body)
  );
}

function keepCloser(job: usize, slice: usize, target: u32, triangle: u32, time: f64, error: f64): void {
  const bestTriangle = load<u32>(slice, RaySlice.bestTriangle);
  const corners = slice + RaySlice.corners;
  const bestCorners = slice + RaySlice.bestCorners;
  if (bestTriangle != NOTHING) {
    const bestTime = load<f64>(slice, RaySlice.bestTime);
    const errors = error + load<f64>(slice, RaySlice.bestError);
    const difference = time - bestTime;
    // The factor covers the rounding of the two operations above.
    const doubt = errors * 1.0000001 + abs(time) * 1e-15;
    if (difference > doubt) return;
    if (!(difference < -doubt)) {
      const order = compareTimes(
        slice + RaySlice.ray,
        corners,
        bestCorners,
        slice + RaySlice.zero,
        load<u32>(slice, RaySlice.workAt),
      );
      if (order == UNKNOWN) return deferTriangle(slice, target, triangle);
      const bestTarget = load<u32>(slice, RaySlice.bestTarget);
      if (order > 0 || (order == 0 && !precedes(job, target, triangle, bestTarget, bestTriangle))) return;
    }
  }
  memory.copy(bestCorners, corners, 72);
  store<u32>(slice, triangle, RaySlice.bestTriangle);
  store<u32>(slice, target, RaySlice.bestTarget);
  store<f64>(slice, time, RaySlice.bestTime);
  store<f64>(slice, error, RaySlice.bestError);
  const upper = (time + error) * 1.000000000000001;
  store<f64>(slice, min(upper, load<f64>(slice, RaySlice.max)), RaySlice.bestUpper);
}
