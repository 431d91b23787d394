// Finds the point of a simplex that is closest to the origin, and the smallest sub-simplex that contains this
// point: the inner step of GJK. Source: Ericson, Real-Time Collision Detection, sections 5.1 and 9.5.

/** The point of a simplex that is closest to the origin, and the smallest sub-simplex that contains it. */
export interface Closest {
  x: number;
  y: number;
  z: number;
  /** Bit k is set if point k of the simplex is a vertex of this sub-simplex. */
  used: number;
}

/**
 * Finds the point of a simplex that is closest to the origin. The simplex has `count` points (1 to 4), with
 * three coordinates each.
 * @returns whether the simplex is a tetrahedron with the origin in its interior. If so, `to` is the origin.
 */
export function closestOfSimplex(points: Float64Array, count: number, to: Closest): boolean {
  if (count < 4) {
    if (count === 1) write(points, 1, 1, 0, 0, 0, 0, to);
    else if (count === 2) closestOnSegment(points, 0, 1, to);
    else closestOnTriangle(points, 0, 1, 2, to);
    return false;
  }
  let min = Number.POSITIVE_INFINITY;
  for (const [i, j, k, other] of FACES) {
    if (isOnInnerSide(points, i, j, k, other)) continue;
    closestOnTriangle(points, i, j, k, face);
    const square = face.x * face.x + face.y * face.y + face.z * face.z;
    if (square >= min) continue;
    min = square;
    Object.assign(to, face);
  }
  if (min !== Number.POSITIVE_INFINITY) return false;
  Object.assign(to, { x: 0, y: 0, z: 0, used: 15 });
  return true;
}

/** For a tetrahedron that contains the origin, returns the distance from the origin to the nearest face. */
export function depthInTetrahedron(points: Float64Array): number {
  return Math.min(
    ...FACES.map(([i, j, k]) => {
      const [nx, ny, nz] = normalOf(points, i, j, k);
      const height = points[3 * i] * nx + points[3 * i + 1] * ny + points[3 * i + 2] * nz;
      return Math.abs(height) / (Math.hypot(nx, ny, nz) || Number.POSITIVE_INFINITY);
    }),
  );
}

const FACES = [
  [0, 1, 2, 3],
  [0, 1, 3, 2],
  [0, 2, 3, 1],
  [1, 2, 3, 0],
] as const;
const face: Closest = { x: 0, y: 0, z: 0, used: 0 };

// Returns whether the origin and the point `other` lie strictly on the same side of the plane through points
// i, j and k.
function isOnInnerSide(p: Float64Array, i: number, j: number, k: number, other: number): boolean {
  const [nx, ny, nz] = normalOf(p, i, j, k);
  const plane = p[3 * i] * nx + p[3 * i + 1] * ny + p[3 * i + 2] * nz;
  return -plane * (p[3 * other] * nx + p[3 * other + 1] * ny + p[3 * other + 2] * nz - plane) > 0;
}

function normalOf(p: Float64Array, i: number, j: number, k: number): [number, number, number] {
  const [ux, uy, uz] = [p[3 * j] - p[3 * i], p[3 * j + 1] - p[3 * i + 1], p[3 * j + 2] - p[3 * i + 2]];
  const [vx, vy, vz] = [p[3 * k] - p[3 * i], p[3 * k + 1] - p[3 * i + 1], p[3 * k + 2] - p[3 * i + 2]];
  return [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
}

function closestOnSegment(p: Float64Array, i: number, j: number, to: Closest): void {
  const [x, y, z] = [p[3 * j] - p[3 * i], p[3 * j + 1] - p[3 * i + 1], p[3 * j + 2] - p[3 * i + 2]];
  const along = -(p[3 * i] * x + p[3 * i + 1] * y + p[3 * i + 2] * z);
  const square = x * x + y * y + z * z;
  if (along <= 0) write(p, 1 << i, 1, i, 0, i, 0, to);
  else if (along >= square) write(p, 1 << j, 1, j, 0, j, 0, to);
  else write(p, (1 << i) | (1 << j), 1 - along / square, i, along / square, j, 0, to);
}

// Finds the point of triangle i, j, k that is closest to the origin (Ericson, section 5.1.5).
function closestOnTriangle(p: Float64Array, i: number, j: number, k: number, to: Closest): void {
  const [ux, uy, uz] = [p[3 * j] - p[3 * i], p[3 * j + 1] - p[3 * i + 1], p[3 * j + 2] - p[3 * i + 2]];
  const [vx, vy, vz] = [p[3 * k] - p[3 * i], p[3 * k + 1] - p[3 * i + 1], p[3 * k + 2] - p[3 * i + 2]];
  const along = (x: number, y: number, z: number, from: number): number =>
    -(p[3 * from] * x + p[3 * from + 1] * y + p[3 * from + 2] * z);
  const d1 = along(ux, uy, uz, i);
  const d2 = along(vx, vy, vz, i);
  if (d1 <= 0 && d2 <= 0) return write(p, 1 << i, 1, i, 0, i, 0, to);
  const d3 = along(ux, uy, uz, j);
  const d4 = along(vx, vy, vz, j);
  if (d3 >= 0 && d4 <= d3) return write(p, 1 << j, 1, j, 0, j, 0, to);
  const d5 = along(ux, uy, uz, k);
  const d6 = along(vx, vy, vz, k);
  if (d6 >= 0 && d5 <= d6) return write(p, 1 << k, 1, k, 0, k, 0, to);
  const c = d1 * d4 - d3 * d2;
  if (c <= 0 && d1 >= 0 && d3 <= 0) return closestOnSegment(p, i, j, to);
  const b = d5 * d2 - d1 * d6;
  if (b <= 0 && d2 >= 0 && d6 <= 0) return closestOnSegment(p, i, k, to);
  const a = d3 * d6 - d5 * d4;
  if (a <= 0 && d4 >= d3 && d5 >= d6) return closestOnSegment(p, j, k, to);
  const sum = a + b + c;
  if (!(sum > 0)) return closestOnSegment(p, i, j, to);
  write(p, (1 << i) | (1 << j) | (1 << k), a / sum, i, b / sum, j, c / sum, to, k);
}

// Writes the weighted sum of points i, j and k to `to`. The weights are weightI, weightJ and weightK.
function write(
  p: Float64Array,
  used: number,
  weightI: number,
  i: number,
  weightJ: number,
  j: number,
  weightK: number,
  to: Closest,
  k = i,
): void {
  to.x = weightI * p[3 * i] + weightJ * p[3 * j] + weightK * p[3 * k];
  to.y = weightI * p[3 * i + 1] + weightJ * p[3 * j + 1] + weightK * p[3 * k + 1];
  to.z = weightI * p[3 * i + 2] + weightJ * p[3 * j + 2] + weightK * p[3 * k + 2];
  to.used = used;
}
