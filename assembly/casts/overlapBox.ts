// Tests whether a box overlaps a triangle, with the separating axis test (Ericson, section 5.2.9). Two convex
// polyhedra are separate if and only if they are separated along the normal of a face, or along a direction
// that is perpendicular to an edge of each.

import { ShapeJob } from '../records';
import { OVERLAP, PLACED, SEPARATE, UNDECIDED } from './moveCapsule';

// Rounding errors of the projections, relative to the sum of the magnitudes of all products: 2^-49.
const ERROR: f64 = 1.7763568394002505e-15;

// @ts-ignore: decorator
@inline
function magnitude(at: usize, x: f64, y: f64, z: f64): f64 {
  return abs(load<f64>(at)) * x + abs(load<f64>(at, 8)) * y + abs(load<f64>(at, 16)) * z;
}

// @ts-ignore: decorator
@inline
function project(at: usize, x: f64, y: f64, z: f64): f64 {
  return load<f64>(at) * x + load<f64>(at, 8) * y + load<f64>(at, 16) * z;
}

// Tests the direction u x v. mu, mv: for each component of u and v its magnitude or, if the component is a
// difference, the sum of the magnitudes of both terms.
function testAxis(
  job: usize,
  ux: f64,
  uy: f64,
  uz: f64,
  mux: f64,
  muy: f64,
  muz: f64,
  vx: f64,
  vy: f64,
  vz: f64,
  mvx: f64,
  mvy: f64,
  mvz: f64,
): i32 {
  const x = uy * vz - uz * vy;
  const y = uz * vx - ux * vz;
  const z = ux * vy - uy * vx;
  const mx = muy * mvz + muz * mvy;
  const my = muz * mvx + mux * mvz;
  const mz = mux * mvy + muy * mvx;
  const center = job + ShapeJob.start;
  const corners = job + ShapeJob.work + PLACED;
  const axes = job + ShapeJob.axes;
  const c = project(center, x, y, z);
  const p = project(corners, x, y, z) - c;
  const q = project(corners + 24, x, y, z) - c;
  const r = project(corners + 48, x, y, z) - c;
  const half =
    abs(project(axes, x, y, z)) + abs(project(axes + 24, x, y, z)) + abs(project(axes + 48, x, y, z));
  const error =
    ERROR *
    (magnitude(center, mx, my, mz) +
      magnitude(corners, mx, my, mz) +
      magnitude(corners + 24, mx, my, mz) +
      magnitude(corners + 48, mx, my, mz) +
      magnitude(axes, mx, my, mz) +
      magnitude(axes + 24, mx, my, mz) +
      magnitude(axes + 48, mx, my, mz));
  const low = min(min(p, q), r);
  const high = max(max(p, q), r);
  if (low > half + error || high < -half - error) return SEPARATE;
  return low < half - error && high > error - half ? OVERLAP : UNDECIDED;
}

/** Returns whether the box of the job overlaps the placed triangle: SEPARATE, OVERLAP or UNDECIDED. */
export function overlapBox(job: usize): i32 {
  const axes = job + ShapeJob.axes;
  const corners = job + ShapeJob.work + PLACED;
  let result = OVERLAP;
  for (let i: usize = 0; i < 3; i++) {
    const u = axes + ((i + 1) % 3) * 24;
    const v = axes + ((i + 2) % 3) * 24;
    const ux = load<f64>(u);
    const uy = load<f64>(u, 8);
    const uz = load<f64>(u, 16);
    const vx = load<f64>(v);
    const vy = load<f64>(v, 8);
    const vz = load<f64>(v, 16);
    const one = testAxis(job, ux, uy, uz, abs(ux), abs(uy), abs(uz), vx, vy, vz, abs(vx), abs(vy), abs(vz));
    if (one == SEPARATE) return SEPARATE;
    result = max(result, one);
  }
  for (let from: usize = 0; from < 72; from += 24) {
    const a = corners + from;
    const b = corners + ((from + 24) % 72);
    const c = corners + ((from + 48) % 72);
    const ex = load<f64>(b) - load<f64>(a);
    const ey = load<f64>(b, 8) - load<f64>(a, 8);
    const ez = load<f64>(b, 16) - load<f64>(a, 16);
    const mx = abs(load<f64>(b)) + abs(load<f64>(a));
    const my = abs(load<f64>(b, 8)) + abs(load<f64>(a, 8));
    const mz = abs(load<f64>(b, 16)) + abs(load<f64>(a, 16));
    if (from == 0) {
      const fx = load<f64>(c) - load<f64>(a);
      const fy = load<f64>(c, 8) - load<f64>(a, 8);
      const fz = load<f64>(c, 16) - load<f64>(a, 16);
      const nx = abs(load<f64>(c)) + abs(load<f64>(a));
      const ny = abs(load<f64>(c, 8)) + abs(load<f64>(a, 8));
      const nz = abs(load<f64>(c, 16)) + abs(load<f64>(a, 16));
      const one = testAxis(job, ex, ey, ez, mx, my, mz, fx, fy, fz, nx, ny, nz);
      if (one == SEPARATE) return SEPARATE;
      result = max(result, one);
    }
    for (let axis = axes; axis < axes + 72; axis += 24) {
      const ux = load<f64>(axis);
      const uy = load<f64>(axis, 8);
      const uz = load<f64>(axis, 16);
      const one = testAxis(job, ux, uy, uz, abs(ux), abs(uy), abs(uz), ex, ey, ez, mx, my, mz);
      if (one == SEPARATE) return SEPARATE;
      result = max(result, one);
    }
  }
  return result;
}
