// Computes the rotation between two placements of a rigid body as a unit quaternion (Horn 1987). The
// computation uses only sums, products, quotients and square roots, so the result has the same bits on every
// machine.

/** A placement: three rows of four numbers. */
export type Rows = Float64Array;
/** w is the cosine of half the angle; x, y, z are the axis times the sine of half the angle. */
export type Quaternion = readonly [number, number, number, number];

/**
 * A motion counts as rigid if, for each column of the linear part, the rotated column of the initial placement
 * differs from the column of the final placement by at most this value, relative to the column's length.
 * Placements that were rounded to floats cause differences of up to 2^-20.
 */
export const MAX_MISFIT = 2 ** -16;
/** Rotations count as half turns if the magnitude of the cosine of half their angle is less than this. */
const HALF_TURN = 2 ** -20;
const MAX_SQUARINGS = 64;

export const columnOf = (rows: Rows, column: number): [number, number, number] => [
  rows[column],
  rows[column + 4],
  rows[column + 8],
];
export const lengthOf = (v: readonly number[]): number =>
  Math.sqrt(v.reduce((sum, value) => sum + value * value, 0));

/**
 * Returns the shortest rotation from one placement to the other. For a half turn, there are two shortest
 * rotations, about opposite axes: returns the rotation about the axis whose first nonzero coordinate is
 * positive. If all columns are parallel, as for a mesh that is scaled to a line, returns the shortest rotation
 * from the direction of this line at the start to its direction at the end. If these directions are opposite,
 * returns a half turn. Its axis is the coordinate axis that makes the largest angle with the line, projected
 * onto the plane perpendicular to the line. If several axes make this angle, the first of them is used.
 */
export function rotationBetween(from: Rows, to: Rows): Quaternion {
  const columns = [0, 1, 2].map(column => [columnOf(from, column), columnOf(to, column)] as const);
  const fit = rotationOf(correlation(columns));
  const units = columns
    .filter(pair => pair.every(column => lengthOf(column) > 0))
    .map(([p, q]): Pair => [unitOf(p), unitOf(q)]);
  return units.length === 0 || spreadOf(units) >= WELL_SPREAD ? fit : chooseRotation(units, fit);
}

type Vector = readonly [number, number, number];
/** A direction at the start and at the end. */
type Pair = readonly [Vector, Vector];

/**
 * Minimum value of spreadOf at which the fit is accurate enough. The gap between the two largest eigenvalues of
 * the correlation matrix is about spreadOf, so rounding changes the fit by about 2^-52 / spreadOf. This change
 * is less than 2^-43 if spreadOf is at least WELL_SPREAD.
 */
const WELL_SPREAD = 2 ** -8;
/**
 * A rotation certainly fits if each direction at the end, rotated back, differs from the direction at the
 * start by at most this value, which is larger than the rounding errors of unit vectors.
 */
const FIT = 2 ** -48;
/** Two directions count as equal or opposite if the sine of the angle between them is at most this. */
const PARALLEL = 2 ** -50;

// Chooses a rotation for directions that are almost parallel. `fit` is then inaccurate: rounding may change it
// by about 2^-52 / angle^2, where `angle` is the largest angle between the directions. Rounding changes the
// rotation between orthonormal frames of the directions only by about 2^-52 / angle. The misfit of a rotation
// is the largest difference between a direction at the start and the same direction at the end, rotated back. A
// rotation fits well if its misfit is at most twice the smallest misfit of the three rotations. The rotation
// between the mean directions is used if it fits well or its misfit is at most FIT. Otherwise, `fit` is used if
// it fits well, because it is the best choice for placements that have errors. If it does not fit well, the
// rotation between the frames is used.
function chooseRotation(units: readonly Pair[], fit: Quaternion): Quaternion {
  const rotations = [rotationBetweenLines(units), fit, rotationBetweenFrames(units)];
  const misfits = rotations.map(rotation =>
    Math.max(...units.map(([p, q]) => lengthOf(plus(rotateBack(rotation, q), p, -1)))),
  );
  const limit = 2 * Math.min(...misfits);
  return rotations.find((_, i) => misfits[i] <= (i === 0 ? Math.max(FIT, limit) : limit)) ?? fit;
}

// Returns the rotation from the mean of the directions at the start to their mean at the end. Directions that
// point away from the first one are negated before the means are computed.
function rotationBetweenLines(units: readonly Pair[]): Quaternion {
  const [start, end] = [0, 1].map(side =>
    unitOf(
      units.reduce<Vector>(
        (sum, pair) => plus(sum, pair[side], dot(pair[0], units[0][0]) < 0 ? -1 : 1),
        [0, 0, 0],
      ),
    ),
  );
  // The cross product of `start` and `end`. Adding or subtracting `start` does not change it, but makes it
  // accurate if the vectors are almost parallel.
  const sideways = cross(start, plus(end, start, dot(start, end) < 0 ? 1 : -1));
  const axis = unitOf(lengthOf(sideways) > PARALLEL ? sideways : perpendicularTo(start));
  return rotationOf(
    correlation([
      [start, end],
      [axis, axis],
      [cross(start, axis), cross(end, axis)],
    ]),
  );
}

// Returns the coordinate axis that makes the largest angle with a unit vector, projected onto the plane
// perpendicular to this vector.
function perpendicularTo(v: Vector): Vector {
  const sizes = v.map(Math.abs);
  const farthest = sizes.indexOf(Math.min(...sizes));
  return plus([0, 1, 2].map(axis => (axis === farthest ? 1 : 0)) as unknown as Vector, v, -v[farthest]);
}

// Selects the two directions with the largest angle between them, makes an orthonormal frame of both at the
// start and another at the end (Gram-Schmidt), and returns the rotation from the first frame to the second. If
// all directions are parallel, returns one of the rotations that fit.
function rotationBetweenFrames(units: readonly Pair[]): Quaternion {
  let [first, second] = [units[0], units[0]];
  let maxSize = 0;
  for (const a of units)
    for (const b of units) {
      const size = Math.min(...[0, 1].map(side => lengthOf(cross(a[side], b[side]))));
      if (size > maxSize) [first, second, maxSize] = [a, b, size];
    }
  const sign = dot(first[0], second[0]) < 0 ? 1 : -1;
  const [f, g] = [0, 1].map(side => frameOf(first[side], plus(second[side], first[side], sign)));
  return rotationOf(correlation(f.map((vector, i) => [vector, g[i]])));
}

function frameOf(v: Vector, other: Vector): Vector[] {
  const normal = unitOf(plus(other, v, -dot(other, v)));
  return [v, normal, cross(v, normal)];
}

// Returns the sum of the squared sines of the angles between the directions at the start.
const spreadOf = (units: readonly Pair[]): number =>
  units.reduce(
    (sum, [a], i) => units.slice(i + 1).reduce((total, [b]) => total + dot(cross(a, b), cross(a, b)), sum),
    0,
  );

// Returns the rotation that fits a correlation matrix best.
function rotationOf(matrix: Float64Array): Quaternion {
  const projection = projector(matrix);
  const maxIndex = maxDiagonalIndex(projection);
  // Each column that is not 0 is a multiple of the quaternion. Column 0 is used if w is not tiny and no other
  // component has a square of more than 1/2.
  const column = projection[5 * maxIndex] * 2 <= 1 && projection[0] > HALF_TURN ? 0 : maxIndex;
  const q = [0, 1, 2, 3].map(row => projection[4 * row + column]);
  const size = lengthOf(q);
  const [w, x, y, z] = q.map(value => value / size);
  const leading = Math.abs(w) > HALF_TURN ? w : [x, y, z].find(value => Math.abs(value) > HALF_TURN)!;
  return leading < 0 ? [-w, -x, -y, -z] : [w, x, y, z];
}

const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const plus = (a: Vector, b: Vector, factor: number): Vector => [
  a[0] + factor * b[0],
  a[1] + factor * b[1],
  a[2] + factor * b[2],
];
function unitOf([x, y, z]: Vector): Vector {
  const size = Math.sqrt(x * x + y * y + z * z);
  return size > 0 ? [x / size, y / size, z / size] : [0, 0, 0];
}

/** Returns the rotation angle in radians, 0..pi up to rounding. */
export function angleOf([w, x, y, z]: Quaternion): number {
  let cosine = w;
  let sine = lengthOf([x, y, z]);
  for (let i = 0; i < 10; i++) {
    const half = Math.sqrt(0.5 * (1 + cosine));
    sine /= 2 * half;
    cosine = half;
  }
  // Each pass of the loop halved the angle, so the sine is now small and a few terms of the arcsine series
  // suffice.
  return 2048 * sine * (1 + sine * sine * (1 / 6 + sine * sine * 0.075));
}

/** Rotates a vector by the inverse of a rotation. */
export function rotateBack(
  [w, x, y, z]: Quaternion,
  [a, b, c]: readonly [number, number, number],
): [number, number, number] {
  const u = 2 * (c * y - b * z);
  const v = 2 * (a * z - c * x);
  const t = 2 * (b * x - a * y);
  return [a - w * u + (y * t - z * v), b - w * v + (z * u - x * t), c - w * t + (x * v - y * u)];
}

// Returns a symmetric 4x4 matrix M that is computed from vectors at the start and at the end, scaled to unit
// length. For a unit quaternion q, q^T M q measures how well the rotation q fits: the larger, the better.
function correlation(pairs: readonly (readonly [readonly number[], readonly number[]])[]): Float64Array {
  const s = new Float64Array(9);
  for (const [p, q] of pairs) {
    const size = lengthOf(p) * lengthOf(q);
    if (size > 0) for (let i = 0; i < 9; i++) s[i] += (p[Math.floor(i / 3)] * q[i % 3]) / size;
  }
  const [xx, xy, xz, yx, yy, yz, zx, zy, zz] = s;
  return Float64Array.of(
    xx + yy + zz,
    yz - zy,
    zx - xz,
    xy - yx,
    yz - zy,
    xx - yy - zz,
    xy + yx,
    zx + xz,
    zx - xz,
    xy + yx,
    yy - xx - zz,
    yz + zy,
    xy - yx,
    zx + xz,
    yz + zy,
    zz - xx - yy,
  );
}

// Returns the matrix that projects onto the best-fitting quaternions: the eigenvectors of the largest
// eigenvalue. It is computed by repeated squaring, which needs non-negative eigenvalues. No eigenvalue is
// less than -3, so 3 is first added to the diagonal.
function projector(matrix: Float64Array): Float64Array {
  let m = matrix.map((value, i) => (value + (i % 5 === 0 ? 3 : 0)) / 12);
  let square = new Float64Array(16);
  for (let i = 0; i < MAX_SQUARINGS; i++) {
    const trace = squareOf(m, square);
    const factor = 1 / trace;
    for (let k = 0; k < 16; k++) square[k] *= factor;
    [m, square] = [square, m];
    if (trace >= 1 - 2 ** -50) break;
  }
  return m;
}

// Writes the square of a symmetric matrix to `out`. Returns its trace.
function squareOf(m: Float64Array, out: Float64Array): number {
  for (let row = 0; row < 16; row += 4) {
    const a = m[row];
    const b = m[row + 1];
    const c = m[row + 2];
    const d = m[row + 3];
    for (let column = 0; column < 16; column += 4)
      out[row + column / 4] = a * m[column] + b * m[column + 1] + c * m[column + 2] + d * m[column + 3];
  }
  return out[0] + out[5] + out[10] + out[15];
}

const maxDiagonalIndex = (m: Float64Array): number =>
  [0, 1, 2, 3].reduce((best, i) => (m[5 * i] > m[5 * best] ? i : best), 0);
