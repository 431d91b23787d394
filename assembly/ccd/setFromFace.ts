// Uses the normal of a face as a Moment's direction if the origin projects into this face: the triangle of the
// Moment's points or, for a pair of edges, their parallelogram.
import { Moment, Motion } from '../records';
import { MIN_SQUARE, setNormal } from './direction';

// The next two functions return one coordinate of a point or of its velocity. The coordinates are stored with
// 32 bytes per axis and 8 bytes per point.
function coordinateOf(moment: usize, axis: usize, point: usize): f64 {
  return load<f64>(moment + Moment.points + axis * 32 + point * 8);
}
function velocityOf(motion: usize, axis: usize, point: usize): f64 {
  return load<f64>(motion + Motion.velocity + axis * 32 + point * 8);
}

/**
 * Sets the Moment's normal, low, high, reach and rate. Returns false, and sets nothing, if the projection of
 * the origin lies outside the face, or if the points have no usable normal.
 */
export function setFromFace(motion: usize, moment: usize): bool {
  const x = coordinateOf(moment, 0, 0);
  const y = coordinateOf(moment, 1, 0);
  const z = coordinateOf(moment, 2, 0);
  const ux = coordinateOf(moment, 0, 1) - x;
  const uy = coordinateOf(moment, 1, 1) - y;
  const uz = coordinateOf(moment, 2, 1) - z;
  const vx = coordinateOf(moment, 0, 3) - x;
  const vy = coordinateOf(moment, 1, 3) - y;
  const vz = coordinateOf(moment, 2, 3) - z;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  // The origin is first + p u + q v + c n, where first is the first point. a is p |n|^2, and b is q |n|^2.
  const a = nx * (vy * z - vz * y) + ny * (vz * x - vx * z) + nz * (vx * y - vy * x);
  const b = nx * (y * uz - z * uy) + ny * (z * ux - x * uz) + nz * (x * uy - y * ux);
  const square = nx * nx + ny * ny + nz * nz;
  const isBefore = load<u32>(motion, Motion.isFace)
    ? u32(a + b <= square)
    : u32(a <= square) & u32(b <= square);
  if (!(isBefore & u32(a >= 0) & u32(b >= 0) & u32(square > MIN_SQUARE))) return false;
  const height = nx * x + ny * y + nz * z;
  const inverse = 1 / square;
  const scale = copysign(sqrt(inverse), height);
  const unitX = nx * scale;
  const unitY = ny * scale;
  const unitZ = nz * scale;
  setNormal(moment, unitX, unitY, unitZ);
  const p = a * inverse;
  const q = b * inverse;
  const cx = x + p * ux + q * vx;
  const cy = y + p * uy + q * vy;
  const cz = z + p * uz + q * vz;
  store<f64>(moment, sqrt(cx * cx + cy * cy + cz * cz), Moment.reach);
  const rest = 1 - p - q;
  store<f64>(
    moment,
    unitX * (rest * velocityOf(motion, 0, 0) + p * velocityOf(motion, 0, 1) + q * velocityOf(motion, 0, 3)) +
      unitY *
        (rest * velocityOf(motion, 1, 0) + p * velocityOf(motion, 1, 1) + q * velocityOf(motion, 1, 3)) +
      unitZ * (rest * velocityOf(motion, 2, 0) + p * velocityOf(motion, 2, 1) + q * velocityOf(motion, 2, 3)),
    Moment.rate,
  );
  return true;
}
