// Two triangles in doubles -> does a plane in one of a few directions surely lie between them? Separating axes with a rounding bound; most
// triangles whose boxes overlap are told apart here, before expansions decide the rest.
import { bothAt, exchanged, first, second } from './doubles';

/** Bytes of a vertex, of a triangle, and of what is kept of one axis: the differences of all vertices from A's first one, two by two. */
const VERTEX: usize = 24, TRIANGLE: usize = 72, AXIS: usize = 48;
/** 32 units of rounding, where two heights are off by less than 9: four roundings on the way to each product in a sum. */
const HEIGHT_ERROR: f64 = 3.552713678800501e-15;
/** Far more than what products lose below the least double. */
const LOST: f64 = 1e-300;

/** pair: nine doubles each. work: 144 bytes. */
export function areApartByPlane(pair: usize, work: usize): bool {
  let size: f64 = 0;
  for (let axis: usize = 0; axis < 3; axis++) size = max(size, subtract(pair + (axis << 3), work + axis * AXIS));
  const ux = load<f64>(work), uy = load<f64>(work + AXIS), uz = load<f64>(work + 2 * AXIS), vx = load<f64>(work, 8), vy = load<f64>(work + AXIS, 8), vz = load<f64>(work + 2 * AXIS, 8);
  if (separatesAround(work, size, ux, uy, uz, vx, vy, vz)) return true;
  const px = load<f64>(work, 16), py = load<f64>(work + AXIS, 16), pz = load<f64>(work + 2 * AXIS, 16);
  return separatesAround(work, size, load<f64>(work, 24) - px, load<f64>(work + AXIS, 24) - py, load<f64>(work + 2 * AXIS, 24) - pz, load<f64>(work, 32) - px, load<f64>(work + AXIS, 32) - py, load<f64>(work + 2 * AXIS, 32) - pz);
}

// One coordinate of all vertices, from A's first: A's other two, B's first two, B's third twice. Returns the greatest size.
// @ts-ignore: decorator
@inline function subtract(from: usize, to: usize): f64 {
  const origin = bothAt(from, 0);
  const own = f64x2.sub(v128.load64_lane(from + 2 * VERTEX, bothAt(from, VERTEX), 1), origin);
  const others = f64x2.sub(v128.load64_lane(from + TRIANGLE + VERTEX, bothAt(from, TRIANGLE), 1), origin), last = f64x2.sub(bothAt(from, TRIANGLE + 2 * VERTEX), origin);
  v128.store(to, own);
  v128.store(to, others, 16);
  v128.store(to, last, 32);
  const most = f64x2.max(f64x2.max(f64x2.abs(own), f64x2.abs(others)), f64x2.abs(last));
  return max(first(most), second(most));
}

// Along the normal of a triangle with edges u and v, and in its plane across each of its edges.
function separatesAround(work: usize, size: f64, ux: f64, uy: f64, uz: f64, vx: f64, vy: f64, vz: f64): bool {
  const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
  return separates(work, size, nx, ny, nz) || separatesAcross(work, size, nx, ny, nz, ux, uy, uz) ||
    separatesAcross(work, size, nx, ny, nz, vx, vy, vz) || separatesAcross(work, size, nx, ny, nz, vx - ux, vy - uy, vz - uz);
}

// @ts-ignore: decorator
@inline function separatesAcross(work: usize, size: f64, nx: f64, ny: f64, nz: f64, ex: f64, ey: f64, ez: f64): bool {
  return separates(work, size, ny * ez - nz * ey, nz * ex - nx * ez, nx * ey - ny * ex);
}

// Any direction may be tried: only the heights along it are bounded. Where a product overflows so does the bound, and nothing is separated.
function separates(work: usize, size: f64, x: f64, y: f64, z: f64): bool {
  const xs = f64x2.splat(x), ys = f64x2.splat(y), zs = f64x2.splat(z), none = f64x2.splat(0);
  const own = heights(work, xs, ys, zs), others = heights(work + 16, xs, ys, zs), last = heights(work + 32, xs, ys, zs);
  const error = f64x2.splat(HEIGHT_ERROR * (abs(x) + abs(y) + abs(z)) * size + LOST);
  return areAbove(f64x2.sub(f64x2.pmin(others, last), error), f64x2.pmax(own, none)) || areAbove(f64x2.sub(f64x2.pmin(own, none), error), f64x2.pmax(others, last));
}

// Whether both lanes are greater than both.
// @ts-ignore: decorator
@inline function areAbove(low: v128, high: v128): bool { return i64x2.all_true(v128.and(f64x2.gt(low, high), f64x2.gt(low, exchanged(high)))); }

// @ts-ignore: decorator
@inline function heights(at: usize, x: v128, y: v128, z: v128): v128 {
  return f64x2.add(f64x2.add(f64x2.mul(x, v128.load(at)), f64x2.mul(y, v128.load(at + AXIS))), f64x2.mul(z, v128.load(at + 2 * AXIS)));
}
