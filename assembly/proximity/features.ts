// Finds the nearest points of two features of two triangles: of a corner and a face, of a corner and an edge,
// or of two edges. Coordinates must be relative to a point near the triangles. The parameter `square` of a
// function is the smallest squared distance so far. The function writes the points that it finds only if their
// squared distance is smaller.

/**
 * Byte offsets in a work space: the six corners relative to the first corner, scaled if they are very large
 * or very small (CORNERS); the same corners in the common frame; the faces of the two triangles (FACE,
 * OTHER_FACE); the two nearest points so far (POINTS); and space for two more points (TRIAL).
 */
export const CORNERS: usize = 0;
export const FACE: usize = 288;
const FACE_BYTES: usize = 96;
export const OTHER_FACE: usize = FACE + FACE_BYTES;
export const POINTS: usize = OTHER_FACE + FACE_BYTES;
export const TRIAL: usize = POINTS + 48;
export const WORK_BYTES: usize = TRIAL + 48;

const TRIANGLE: usize = 72;

// Layout of a face: the corner at which the longest edge starts (3 f64), the vector u of the longest edge
// (3 f64), the vector v from that corner to the third corner (3 f64), 1 / |u|^2, (u . v) / |u|^2, and the
// address of the triangle's corners (u32).
const U: usize = 24;
const V: usize = 48;
const INVERSE: usize = 72;
const ALONG: usize = 80;
const CORNER_AT: usize = 88;

function squareOf(p: usize, q: usize): f64 {
  const x = load<f64>(q) - load<f64>(p);
  const y = load<f64>(q, 8) - load<f64>(p, 8);
  const z = load<f64>(q, 16) - load<f64>(p, 16);
  return x * x + y * y + z * z;
}

/** Computes the face of the triangle whose three corners are at `t`, and writes it to `to`. */
export function makeFace(t: usize, to: usize): void {
  const ab = squareOf(t, t + 24);
  const bc = squareOf(t + 24, t + 48);
  const ca = squareOf(t + 48, t);
  const start: usize = ab >= bc && ab >= ca ? 0 : bc >= ca ? 24 : 48;
  const next: usize = start == 48 ? 0 : start + 24;
  const last: usize = next == 48 ? 0 : next + 24;
  const a = t + start;
  const b = t + next;
  const c = t + last;
  const ax = load<f64>(a);
  const ay = load<f64>(a, 8);
  const az = load<f64>(a, 16);
  const ux = load<f64>(b) - ax;
  const uy = load<f64>(b, 8) - ay;
  const uz = load<f64>(b, 16) - az;
  const vx = load<f64>(c) - ax;
  const vy = load<f64>(c, 8) - ay;
  const vz = load<f64>(c, 16) - az;
  const inverse = 1 / (ux * ux + uy * uy + uz * uz);
  store<f64>(to, ax);
  store<f64>(to, ay, 8);
  store<f64>(to, az, 16);
  store<f64>(to, ux, U);
  store<f64>(to, uy, U + 8);
  store<f64>(to, uz, U + 16);
  store<f64>(to, vx, V);
  store<f64>(to, vy, V + 8);
  store<f64>(to, vz, V + 16);
  store<f64>(to, inverse, INVERSE);
  store<f64>(to, (ux * vx + uy * vy + uz * vz) * inverse, ALONG);
  store<u32>(to, <u32>t, CORNER_AT);
}

function writePoint(to: usize, x: f64, y: f64, z: f64): void {
  store<f64>(to, x);
  store<f64>(to, y, 8);
  store<f64>(to, z, 16);
}

/**
 * Projects the point at p onto a face. If the projection lies inside the face and its squared distance from p
 * is less than `square`, writes p to `own` and the projection to `other`, and returns that squared distance.
 * Otherwise returns `square`. It also returns `square` if the projection is not finite because the face is
 * degenerate.
 */
export function nearestOnFace(face: usize, p: usize, own: usize, other: usize, square: f64): f64 {
  const px = load<f64>(p);
  const py = load<f64>(p, 8);
  const pz = load<f64>(p, 16);
  const wx = px - load<f64>(face);
  const wy = py - load<f64>(face, 8);
  const wz = pz - load<f64>(face, 16);
  const ux = load<f64>(face, U);
  const uy = load<f64>(face, U + 8);
  const uz = load<f64>(face, U + 16);
  const vx = load<f64>(face, V);
  const vy = load<f64>(face, V + 8);
  const vz = load<f64>(face, V + 16);
  const inverse = load<f64>(face, INVERSE);
  const along = load<f64>(face, ALONG);
  const hx = vx - along * ux;
  const hy = vy - along * uy;
  const hz = vz - along * uz;
  const r = (wx * ux + wy * uy + wz * uz) * inverse;
  const acrossX = wx - r * ux;
  const acrossY = wy - r * uy;
  const acrossZ = wz - r * uz;
  const t = (acrossX * hx + acrossY * hy + acrossZ * hz) / (hx * hx + hy * hy + hz * hz);
  const s = r - t * along;
  if (!(t >= 0 && s >= 0 && s + t <= 1)) return square;
  const dx = wx - s * ux - t * vx;
  const dy = wy - s * uy - t * vy;
  const dz = wz - s * uz - t * vz;
  const found = dx * dx + dy * dy + dz * dz;
  if (!(found < square)) return square;
  writePoint(own, px, py, pz);
  writePoint(other, px - dx, py - dy, pz - dz);
  return found;
}

/** Like nearestOnFace, but finds the nearest point on the edge from a to b. a may equal b. */
function nearestOnEdge(a: usize, b: usize, p: usize, own: usize, other: usize, square: f64): f64 {
  const ax = load<f64>(a);
  const ay = load<f64>(a, 8);
  const az = load<f64>(a, 16);
  const px = load<f64>(p);
  const py = load<f64>(p, 8);
  const pz = load<f64>(p, 16);
  const x = load<f64>(b) - ax;
  const y = load<f64>(b, 8) - ay;
  const z = load<f64>(b, 16) - az;
  const wx = px - ax;
  const wy = py - ay;
  const wz = pz - az;
  const length = x * x + y * y + z * z;
  const along = wx * x + wy * y + wz * z;
  const t = length > 0 ? max<f64>(0, min<f64>(1, along / length)) : 0;
  const dx = wx - t * x;
  const dy = wy - t * y;
  const dz = wz - t * z;
  const found = dx * dx + dy * dy + dz * dz;
  if (!(found < square)) return square;
  writePoint(own, px, py, pz);
  writePoint(other, px - dx, py - dy, pz - dz);
  return found;
}

/** Like nearestOnFace, but finds the nearest point of the whole triangle, including its edges. */
export function nearestOnTriangle(face: usize, p: usize, own: usize, other: usize, square: f64): f64 {
  const t: usize = load<u32>(face, CORNER_AT);
  square = nearestOnFace(face, p, own, other, square);
  square = nearestOnEdge(t, t + 24, p, own, other, square);
  square = nearestOnEdge(t + 24, t + 48, p, own, other, square);
  return nearestOnEdge(t + 48, t, p, own, other, square);
}

/**
 * Finds the nearest points of the two triangles of a work space, whose corners are at CORNERS. Writes the faces
 * and the points, and returns the squared distance.
 */
// @ts-ignore: decorator
@inline
export function nearestOfTriangles(work: usize): f64 {
  const corners = work + CORNERS;
  makeFace(corners, work + FACE);
  makeFace(corners + TRIANGLE, work + OTHER_FACE);
  let square: f64 = nearestOfAllEdges(work, Infinity);
  for (let at: usize = 0; at < TRIANGLE; at += 24)
    square = nearestOnFace(work + OTHER_FACE, corners + at, work + POINTS, work + POINTS + 24, square);
  for (let at: usize = TRIANGLE; at < 2 * TRIANGLE; at += 24)
    square = nearestOnFace(work + FACE, corners + at, work + POINTS + 24, work + POINTS, square);
  return square;
}

/**
 * Finds the nearest points between any edge of one triangle and any edge of the other triangle of a work
 * space. If their squared distance is less than `square`, writes the points to the work space and returns
 * that squared distance. Otherwise returns `square`.
 */
export function nearestOfAllEdges(work: usize, square: f64): f64 {
  const p = work + CORNERS;
  const q = p + TRIANGLE;
  const first = work + POINTS;
  const second = work + POINTS + 24;
  for (let i: usize = 0; i < TRIANGLE; i += 24) {
    const nextI: usize = i == 48 ? 0 : i + 24;
    for (let j: usize = 0; j < TRIANGLE; j += 24) {
      const nextJ: usize = j == 48 ? 0 : j + 24;
      square = nearestOnEdge(q + j, q + nextJ, p + i, first, second, square);
      square = nearestOnEdge(p + i, p + nextI, q + j, second, first, square);
      square = nearestOfEdges(p + i, p + nextI, q + j, q + nextJ, first, second, square);
    }
  }
  return square;
}

// Finds the nearest points of the edge from a to b and the edge from c to d. First computes the point of the
// first edge's line that is nearest to the second edge's line. If this point is not inside the first edge,
// returns `square`. Otherwise, moves from this point to the nearest point of the second edge, and from there to
// the nearest point of the first edge.
function nearestOfEdges(
  a: usize,
  b: usize,
  c: usize,
  d: usize,
  first: usize,
  second: usize,
  square: f64,
): f64 {
  const ax = load<f64>(a);
  const ay = load<f64>(a, 8);
  const az = load<f64>(a, 16);
  const cx = load<f64>(c);
  const cy = load<f64>(c, 8);
  const cz = load<f64>(c, 16);
  const ux = load<f64>(b) - ax;
  const uy = load<f64>(b, 8) - ay;
  const uz = load<f64>(b, 16) - az;
  const vx = load<f64>(d) - cx;
  const vy = load<f64>(d, 8) - cy;
  const vz = load<f64>(d, 16) - cz;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const wx = cx - ax;
  const wy = cy - ay;
  const wz = cz - az;
  const area = nx * nx + ny * ny + nz * nz;
  const position = (wy * vz - wz * vy) * nx + (wz * vx - wx * vz) * ny + (wx * vy - wy * vx) * nz;
  // A position outside the first edge, or NaN, can be ignored, because nearestOfAllEdges tests the ends of
  // the edges separately.
  if (!(position > 0 && position < area)) return square;
  let s = position / area;
  const t = max<f64>(
    0,
    min<f64>(
      1,
      ((s * ux - wx) * vx + (s * uy - wy) * vy + (s * uz - wz) * vz) / (vx * vx + vy * vy + vz * vz),
    ),
  );
  const ex = wx + t * vx;
  const ey = wy + t * vy;
  const ez = wz + t * vz;
  s = max<f64>(0, min<f64>(1, (ex * ux + ey * uy + ez * uz) / (ux * ux + uy * uy + uz * uz)));
  const dx = ex - s * ux;
  const dy = ey - s * uy;
  const dz = ez - s * uz;
  const found = dx * dx + dy * dy + dz * dz;
  if (!(found < square)) return square;
  writePoint(first, ax + s * ux, ay + s * uy, az + s * uz);
  writePoint(second, cx + t * vx, cy + t * vy, cz + t * vz);
  return found;
}
