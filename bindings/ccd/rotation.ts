// Computes the rotation between two placements of a rigid body as a unit quaternion (Horn 1987). The
// computation uses only sums, products, quotients and square roots, so the result has the same bits on every
// machine.

/** A placement: three rows of four numbers. */
export type Rows = Float64Array;
/** w is the cosine of half the angle; x, y, z are the axis times the sine of half the angle. */
export type Quaternion = readonly [number, number, number, number];

/**
 * A motion counts as rigid if the rotation takes each column of the initial linear part to the final column
 * with a difference of at most this, relative to the column's length. Placements that were rounded to floats
 * cause differences of up to 2^-20.
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
 * Returns the shortest rotation from one placement to the other. For a half turn there are two, about
 * opposite axes: returns the rotation whose axis has a positive first nonzero coordinate.
 */
export function rotationBetween(from: Rows, to: Rows): Quaternion {
  const projection = projector(correlation(from, to));
  const half = largestDiagonal(projection);
  const isUnique = projection[5 * half] * 2 > 1;
  // If several rotations fit, as for a mesh that is scaled to a line, the rotation by the smallest angle is
  // used.
  const column = !isUnique && projection[0] > HALF_TURN ? 0 : half;
  const q = [0, 1, 2, 3].map(row => projection[4 * row + column]);
  const size = lengthOf(q);
  const [w, x, y, z] = q.map(value => value / size);
  const leading = Math.abs(w) > HALF_TURN ? w : [x, y, z].find(value => Math.abs(value) > HALF_TURN)!;
  return leading < 0 ? [-w, -x, -y, -z] : [w, x, y, z];
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

// Returns a symmetric 4x4 matrix M that is computed from the columns of both placements, scaled to unit
// length. For a unit quaternion q, q^T M q measures how well the rotation q fits: the larger, the better.
function correlation(from: Rows, to: Rows): Float64Array {
  const s = new Float64Array(9);
  for (let column = 0; column < 3; column++) {
    const p = columnOf(from, column);
    const q = columnOf(to, column);
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

const largestDiagonal = (m: Float64Array): number =>
  [0, 1, 2, 3].reduce((best, i) => (m[5 * i] > m[5 * best] ? i : best), 0);
