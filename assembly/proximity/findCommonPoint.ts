// Finds a point that two intersecting triangles share, to the precision of doubles.
import { CORNERS, FACE, nearestOnTriangle, OTHER_FACE, POINTS, TRIAL } from './features';

const TRIANGLE: usize = 72;
// The number of iterations of `intersectEdge`. Each iteration multiplies the remaining error by the relative
// rounding error of the face's normal.
const STEPS: i32 = 4;

/**
 * Improves the two nearest points in the work space `work` (POINTS in features.ts), one on each triangle. For
 * each edge of both triangles, tries the point at which the edge crosses the plane of the other triangle. If
 * the distance of this point from the other triangle is smaller than the distance between the two points so
 * far, this point and the nearest point of the other triangle replace the two points. Finally, sets both points
 * to their midpoint. square: the squared distance between the two points before the call.
 */
export function findCommonPoint(work: usize, square: f64): void {
  const p = work + CORNERS;
  const q = p + TRIANGLE;
  for (let i: usize = 0; i < TRIANGLE; i += 24) {
    const next: usize = i == 48 ? 0 : i + 24;
    square = intersectEdge(work, p + i, p + next, work + OTHER_FACE, 0, square);
    square = intersectEdge(work, q + i, q + next, work + FACE, 24, square);
  }
  for (let at: usize = 0; at < 24; at += 8) {
    const middle = (load<f64>(work + at, POINTS) + load<f64>(work + at, POINTS + 24)) * 0.5;
    store<f64>(work + at, middle, POINTS);
    store<f64>(work + at, middle, POINTS + 24);
  }
}

// Approaches the point at which the edge from a to b crosses the plane of the face. Every iterate is a point
// of the edge. It is computed from the height of the previous iterate above the plane. This height is measured
// from the point of the face that is nearest to the previous iterate. The first iterate is computed from the
// height of a, measured from a corner of the face. If the squared distance of an iterate from the face is less
// than `square`, the iterate and the point of the face nearest to it become the two stored points. own: the
// byte offset from POINTS at which the point on the edge is stored (0 or 24). Returns the smallest squared
// distance.
function intersectEdge(work: usize, a: usize, b: usize, face: usize, own: usize, square: f64): f64 {
  const ax = load<f64>(a);
  const ay = load<f64>(a, 8);
  const az = load<f64>(a, 16);
  const x = load<f64>(b) - ax;
  const y = load<f64>(b, 8) - ay;
  const z = load<f64>(b, 16) - az;
  const ux = load<f64>(face, 24);
  const uy = load<f64>(face, 32);
  const uz = load<f64>(face, 40);
  const vx = load<f64>(face, 48);
  const vy = load<f64>(face, 56);
  const vz = load<f64>(face, 64);
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const rate = nx * x + ny * y + nz * z;
  if (rate == 0) return square;
  let s: f64 = 0;
  let fromX = load<f64>(face);
  let fromY = load<f64>(face, 8);
  let fromZ = load<f64>(face, 16);
  const point = work + TRIAL;
  const other = point + 24;
  let px = ax;
  let py = ay;
  let pz = az;
  for (let step = 0; step < STEPS; step++) {
    s = max<f64>(0, min<f64>(1, s - (nx * (px - fromX) + ny * (py - fromY) + nz * (pz - fromZ)) / rate));
    px = ax + s * x;
    py = ay + s * y;
    pz = az + s * z;
    store<f64>(point, px);
    store<f64>(point, py, 8);
    store<f64>(point, pz, 16);
    const found = nearestOnTriangle(face, point, point, other, Infinity);
    fromX = load<f64>(other);
    fromY = load<f64>(other, 8);
    fromZ = load<f64>(other, 16);
    if (!(found < square)) continue;
    square = found;
    for (let at: usize = 0; at < 24; at += 8) {
      store<f64>(work + POINTS + own + at, load<f64>(point + at));
      store<f64>(work + POINTS + (24 - own) + at, load<f64>(other + at));
    }
  }
  return square;
}
