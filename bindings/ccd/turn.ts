// Two placements of a rigid body -> the turn that leads from the one to the other, as a unit quaternion (Horn
// 1987). Sums, products, quotients and square roots alone: the same bits on every machine.

/** Three rows of four. */
export type Rows = Float64Array;
/** w, x, y, z: the cosine of half the angle, the axis times its sine. */
export type Quaternion = readonly [number, number, number, number];

/**
 * What a linear part may differ by from one that is turned, column by column, in parts of the column: floats
 * make 2^-20 of it.
 */
export const MOST_MISFIT = 2 ** -16;
/** Turns that miss half a turn by less than this, as the cosine of half the angle, count as half turns. */
const HALF_TURN = 2 ** -20;
const MOST_SQUARINGS = 64;

export const columnOf = (rows: Rows, column: number): [number, number, number] => [
  rows[column],
  rows[column + 4],
  rows[column + 8],
];
export const lengthOf = (v: readonly number[]): number =>
  Math.sqrt(v.reduce((sum, value) => sum + value * value, 0));

/**
 * The shortest turn. Of a half turn, which has two axes, that whose first coordinate that is not 0 is
 * positive.
 */
export function turnBetween(from: Rows, to: Rows): Quaternion {
  const projection = projector(correlation(from, to));
  const half = longest(projection);
  const isOne = projection[5 * half] * 2 > 1;
  // Where several turns fit, as of a mesh that is scaled to a line: the least of them.
  const column = !isOne && projection[0] > HALF_TURN ? 0 : half;
  const q = [0, 1, 2, 3].map(row => projection[4 * row + column]);
  const size = lengthOf(q);
  const [w, x, y, z] = q.map(value => value / size) as [number, number, number, number];
  const leading = Math.abs(w) > HALF_TURN ? w : [x, y, z].find(value => Math.abs(value) > HALF_TURN)!;
  return leading < 0 ? [-w, -x, -y, -z] : [w, x, y, z];
}

/** The angle, 0..pi but for rounding. */
export function angleOf([w, x, y, z]: Quaternion): number {
  let cosine = w;
  let sine = lengthOf([x, y, z]);
  for (let i = 0; i < 10; i++) {
    const half = Math.sqrt(0.5 * (1 + cosine));
    sine /= 2 * half;
    cosine = half;
  }
  // The arc of so small a sine.
  return 2048 * sine * (1 + sine * sine * (1 / 6 + sine * sine * 0.075));
}

/** The vector turned backwards. */
export function turnedBack(
  [w, x, y, z]: Quaternion,
  [a, b, c]: readonly [number, number, number],
): [number, number, number] {
  const u = 2 * (c * y - b * z);
  const v = 2 * (a * z - c * x);
  const t = 2 * (b * x - a * y);
  return [a - w * u + (y * t - z * v), b - w * v + (z * u - x * t), c - w * t + (x * v - y * u)];
}

// Unit columns of both: a symmetric matrix whose quadratic form, at a quaternion, tells how well the turn
// fits.
function correlation(from: Rows, to: Rows): Float64Array {
  const s = new Float64Array(9);
  for (let column = 0; column < 3; column++) {
    const p = columnOf(from, column);
    const q = columnOf(to, column);
    const size = lengthOf(p) * lengthOf(q);
    if (size > 0) for (let i = 0; i < 9; i++) s[i] += (p[Math.floor(i / 3)] * q[i % 3]) / size;
  }
  const [xx, xy, xz, yx, yy, yz, zx, zy, zz] = s as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
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

// Onto the quaternions that fit best: a matrix squared again and again. None of its values is less than -3.
function projector(matrix: Float64Array): Float64Array {
  let m = matrix.map((value, i) => (value + (i % 5 === 0 ? 3 : 0)) / 12);
  let square = new Float64Array(16);
  for (let i = 0; i < MOST_SQUARINGS; i++) {
    const trace = squareOf(m, square);
    const factor = 1 / trace;
    for (let k = 0; k < 16; k++) square[k] *= factor;
    [m, square] = [square, m];
    if (trace >= 1 - 2 ** -50) break;
  }
  return m;
}

// Of a symmetric matrix, to `out`. Returns the trace.
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

const longest = (m: Float64Array): number =>
  [0, 1, 2, 3].reduce((best, i) => (m[5 * i] > m[5 * best] ? i : best), 0);
