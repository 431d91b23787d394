// Finds the nearest points of a segment and a triangle, with an error bound of their distance.

import { makeFace, nearestOnFace } from '../proximity/features';

// Byte offsets in working memory. Inputs: the ends of the segment and the vertices of the triangle. Outputs:
// the vector from the nearest point of the triangle to the nearest point of the segment, the nearest point of
// the triangle, and how much the distance of the two points may differ from the computed length.
export const ENDS: usize = 0;
export const VERTICES: usize = 48;
export const VECTOR: usize = 120;
export const NEAREST: usize = 144;
export const FACE_ERROR: usize = 168;
// Scratch memory for a needle (see MAX_TILT): its face, in the layout of proximity/features.ts, and two points.
// The bytes from 176 to 248 belong to moveCapsule.ts.
const NEEDLE: usize = 256;
const POINTS: usize = 352;

// Bound on the rounding error of a product of two or three coordinates or differences of coordinates: 2^-46
// times the product of the largest magnitudes that the factors may have.
const ERROR: f64 = 1.4210854715202004e-14;

// The largest accepted error of the direction of a triangle's normal: an angle of 2^-38. If the error may be
// larger, the triangle is a needle: its length is more than 256 times its height.
const MAX_TILT: f64 = 3.637978807091713e-12;

// @ts-ignore: decorator
@inline
function dot(x: f64, y: f64, z: f64, u: f64, v: f64, w: f64): f64 {
  return x * u + y * v + z * w;
}

// @ts-ignore: decorator
@inline
function max3(x: f64, y: f64, z: f64): f64 {
  return max(max(abs(x), abs(y)), abs(z));
}

// @ts-ignore: decorator
@inline
function clamp(x: f64): f64 {
  return min(max(x, 0), 1);
}

// Stores a pair of points if its squared distance is less than `square`, and returns the smaller of both
// squares. wx, wy, wz: the vector between the points. x, y, z: the point of the triangle.
function keep(
  work: usize,
  square: f64,
  wx: f64,
  wy: f64,
  wz: f64,
  x: f64,
  y: f64,
  z: f64,
  faceError: f64,
): f64 {
  const own = wx * wx + wy * wy + wz * wz;
  if (!(own < square)) return square;
  store<f64>(work, wx, VECTOR);
  store<f64>(work, wy, VECTOR + 8);
  store<f64>(work, wz, VECTOR + 16);
  store<f64>(work, x, NEAREST);
  store<f64>(work, y, NEAREST + 8);
  store<f64>(work, z, NEAREST + 16);
  store<f64>(work, faceError, FACE_ERROR);
  return own;
}

// Finds the nearest points of the segment and an edge of the triangle (Ericson, section 5.1.9). First finds the
// point of the segment's line that is nearest to the edge's line, and clamps it to the segment. Then finds the
// point of the edge's line that is nearest to the clamped point. If that point is not on the edge, clamps it to
// the edge, and finds the point of the segment that is nearest to it.
function nearestOnEdge(work: usize, from: usize, to: usize, square: f64): f64 {
  const px = load<f64>(work, ENDS);
  const py = load<f64>(work, ENDS + 8);
  const pz = load<f64>(work, ENDS + 16);
  const dx = load<f64>(work, ENDS + 24) - px;
  const dy = load<f64>(work, ENDS + 32) - py;
  const dz = load<f64>(work, ENDS + 40) - pz;
  const qx = load<f64>(work + from);
  const qy = load<f64>(work + from, 8);
  const qz = load<f64>(work + from, 16);
  const ex = load<f64>(work + to) - qx;
  const ey = load<f64>(work + to, 8) - qy;
  const ez = load<f64>(work + to, 16) - qz;
  const rx = px - qx;
  const ry = py - qy;
  const rz = pz - qz;
  const a = dot(dx, dy, dz, dx, dy, dz);
  const e = dot(ex, ey, ez, ex, ey, ez);
  const f = dot(ex, ey, ez, rx, ry, rz);
  let s: f64 = 0;
  let t: f64 = 0;
  if (a == 0) {
    if (e != 0) t = clamp(f / e);
  } else {
    const c = dot(dx, dy, dz, rx, ry, rz);
    if (e == 0) s = clamp(-c / a);
    else {
      const b = dot(dx, dy, dz, ex, ey, ez);
      const determinant = a * e - b * b;
      if (determinant > 0) s = clamp((b * f - c * e) / determinant);
      t = (b * s + f) / e;
      if (t < 0) {
        t = 0;
        s = clamp(-c / a);
      } else if (t > 1) {
        t = 1;
        s = clamp((b - c) / a);
      }
    }
  }
  const x = qx + t * ex;
  const y = qy + t * ey;
  const z = qz + t * ez;
  return keep(work, square, px + s * dx - x, py + s * dy - y, pz + s * dz - z, x, y, z, 0);
}

// Finds the nearest pair of points, one on a needle and the other an end of the segment. First projects the
// ends onto the line of the needle's longest edge, so that the distance is accurate although the needle's
// normal is not.
function nearestOnNeedle(work: usize, isPoint: bool): f64 {
  makeFace(work + VERTICES, work + NEEDLE);
  let square: f64 = Infinity;
  const endBytes: usize = isPoint ? 24 : 48;
  for (let end: usize = 0; end < endBytes; end += 24) {
    const found = nearestOnFace(work + NEEDLE, work + ENDS + end, work + POINTS, work + POINTS + 24, square);
    if (!(found < square)) continue;
    const x = load<f64>(work, POINTS + 24);
    const y = load<f64>(work, POINTS + 32);
    const z = load<f64>(work, POINTS + 40);
    const px = load<f64>(work, POINTS);
    const py = load<f64>(work, POINTS + 8);
    const pz = load<f64>(work, POINTS + 16);
    square = keep(work, Infinity, px - x, py - y, pz - z, x, y, z, 0);
  }
  return square;
}

/**
 * Finds the nearest points of the segment and the triangle at `work`, and writes the outputs. Returns the
 * square of their distance, which is 0 if the segment passes through the triangle. The computed points lie on
 * the two shapes. So the length of the vector is an upper bound of the exact distance. Both statements hold up
 * to rounding errors and the value at FACE_ERROR.
 */
export function nearestPoints(work: usize): f64 {
  const ax = load<f64>(work, VERTICES);
  const ay = load<f64>(work, VERTICES + 8);
  const az = load<f64>(work, VERTICES + 16);
  const ux = load<f64>(work, VERTICES + 24) - ax;
  const uy = load<f64>(work, VERTICES + 32) - ay;
  const uz = load<f64>(work, VERTICES + 40) - az;
  const vx = load<f64>(work, VERTICES + 48) - ax;
  const vy = load<f64>(work, VERTICES + 56) - ay;
  const vz = load<f64>(work, VERTICES + 64) - az;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const nn = dot(nx, ny, nz, nx, ny, nz);
  const isPoint =
    load<f64>(work, ENDS) == load<f64>(work, ENDS + 24) &&
    load<f64>(work, ENDS + 8) == load<f64>(work, ENDS + 32) &&
    load<f64>(work, ENDS + 16) == load<f64>(work, ENDS + 40);
  let square: f64 = Infinity;
  const length = Math.sqrt(nn);
  // The direction of the normal has an error of at most this angle.
  const tilt = nn > 0 ? (ERROR * max3(ux, uy, uz) * max3(vx, vy, vz)) / length : Infinity;
  if (nn > 0) {
    if (tilt > MAX_TILT) square = nearestOnNeedle(work, isPoint);
    let heightP: f64 = 0;
    const endBytes: usize = isPoint ? 24 : 48;
    for (let end: usize = 0; end < endBytes; end += 24) {
      const px = load<f64>(work + end, ENDS) - ax;
      const py = load<f64>(work + end, ENDS + 8) - ay;
      const pz = load<f64>(work + end, ENDS + 16) - az;
      const height = dot(nx, ny, nz, px, py, pz) / length;
      const far = max3(px, py, pz);
      // The projected point forms a triangle with each of two sides. beta and gamma: twice the areas of these
      // triangles, times the length of the normal.
      const beta = dot(nx, ny, nz, py * vz - pz * vy, pz * vx - px * vz, px * vy - py * vx);
      const gamma = dot(nx, ny, nz, uy * pz - uz * py, uz * px - ux * pz, ux * py - uy * px);
      const margin = (4 * tilt + ERROR) * length * far * (max3(ux, uy, uz) + max3(vx, vy, vz));
      if (tilt <= MAX_TILT && beta >= margin && gamma >= margin && beta + gamma <= nn - margin) {
        const h = height / length;
        const wx = nx * h;
        const wy = ny * h;
        const wz = nz * h;
        square = keep(work, square, wx, wy, wz, ax + px - wx, ay + py - wy, az + pz - wz, tilt * 4 * far);
      }
      if (end == 0) heightP = height;
      else if ((heightP < 0 && height > 0) || (heightP > 0 && height < 0)) {
        const share = heightP / (heightP - height);
        const x = load<f64>(work, ENDS) + share * (load<f64>(work, ENDS + 24) - load<f64>(work, ENDS)) - ax;
        const y =
          load<f64>(work, ENDS + 8) + share * (load<f64>(work, ENDS + 32) - load<f64>(work, ENDS + 8)) - ay;
        const z =
          load<f64>(work, ENDS + 16) + share * (load<f64>(work, ENDS + 40) - load<f64>(work, ENDS + 16)) - az;
        const side1 = dot(nx, ny, nz, y * vz - z * vy, z * vx - x * vz, x * vy - y * vx);
        const side2 = dot(nx, ny, nz, uy * z - uz * y, uz * x - ux * z, ux * y - uy * x);
        // The point is on the plane except for rounding errors.
        if (side1 >= margin && side2 >= margin && side1 + side2 <= nn - margin)
          return keep(work, Infinity, 0, 0, 0, ax + x, ay + y, az + z, tilt * 4 * max3(x, y, z));
      }
    }
  }
  square = nearestOnEdge(work, VERTICES, VERTICES + 24, square);
  square = nearestOnEdge(work, VERTICES + 24, VERTICES + 48, square);
  return nearestOnEdge(work, VERTICES + 48, VERTICES, square);
}
