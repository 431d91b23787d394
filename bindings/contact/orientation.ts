// Computes exact orientation signs: on which side of a plane a point lies, and whether three projected points
// are in counterclockwise order. Coordinates are doubles. A filter in doubles decides most cases, and BigInt
// decides the others.
import { signOf } from '../core/integers.js';
import { type GridPoint, integerShift, toInteger } from './gridPoint.js';

// A difference of two coordinates has a relative error of at most 2^-53. The longest chain of operations has
// eight roundings in space and four in the plane. Therefore the error is at most 10 * 2^-53 (in the plane
// 6 * 2^-53) times the sum of the magnitudes of the terms. A product may lose up to 2^-1074 by underflow. In
// space, this loss may be multiplied by a third factor: a difference of two coordinates. This factor is less
// than 2^340, because placed coordinates are less than 2^330 (see faceSums.ts). So the loss is negligible if
// the sum of magnitudes exceeds UNDERFLOW_LIMIT.
const SIDE_ERROR = 10 * 2 ** -53;
const ORIENT2D_ERROR = 6 * 2 ** -53;
const UNDERFLOW_LIMIT = 2 ** -600;

const AXES = [0, 1, 2] as const;
const ACROSS = [
  [1, 2],
  [2, 0],
  [0, 1],
] as const;

/**
 * Returns the two axes of the projection along `axis`, in right-handed order: seen from the axis' positive
 * end, the first rotates counterclockwise to the second.
 */
export const projectionAxes = (axis: number): readonly [number, number] => ACROSS[axis];

/**
 * Returns on which side of the plane through a, b, c the point d lies: 1 on the side to which (b - a) x
 * (c - a) points, -1 on the other side, 0 on the plane. a, b, c and d are offsets of points in p.
 */
export const side = (p: Float64Array, a: number, b: number, c: number, d: number): number =>
  filteredSide(p, a, b, c, d) || exactSide(p, a, b, c, d);

/** Returns the same as `side`, or 0 if doubles cannot decide. */
export function filteredSide(p: Float64Array, a: number, b: number, c: number, d: number): number {
  const ux = p[b] - p[a];
  const uy = p[b + 1] - p[a + 1];
  const uz = p[b + 2] - p[a + 2];
  const vx = p[c] - p[a];
  const vy = p[c + 1] - p[a + 1];
  const vz = p[c + 2] - p[a + 2];
  const wx = p[d] - p[a];
  const wy = p[d + 1] - p[a + 1];
  const wz = p[d + 2] - p[a + 2];
  const yz = uy * vz;
  const zy = uz * vy;
  const zx = uz * vx;
  const xz = ux * vz;
  const xy = ux * vy;
  const yx = uy * vx;
  const volume = (yz - zy) * wx + (zx - xz) * wy + (xy - yx) * wz;
  const size =
    (Math.abs(yz) + Math.abs(zy)) * Math.abs(wx) +
    (Math.abs(zx) + Math.abs(xz)) * Math.abs(wy) +
    (Math.abs(xy) + Math.abs(yx)) * Math.abs(wz);
  return size > UNDERFLOW_LIMIT && size < Infinity && Math.abs(volume) > size * SIDE_ERROR
    ? Math.sign(volume)
    : 0;
}

function exactSide(p: Float64Array, a: number, b: number, c: number, d: number): number {
  if (areInAxisPlane(p, a, b, c, d) || isSame(p, a, d) || isSame(p, b, d) || isSame(p, c, d)) return 0;
  const points = [a, b, c, d].map(at => p.subarray(at, at + 3));
  const shift = Math.max(...points.map(point => integerShift(point)));
  return sideOfIntegers(points.map(point => Array.from(point, value => toInteger(value, shift))));
}

// Returns whether all four points lie in one plane perpendicular to an axis. This is common: in models of
// buildings, most faces are perpendicular to an axis.
const areInAxisPlane = (p: Float64Array, a: number, b: number, c: number, d: number): boolean =>
  AXES.some(
    axis => p[a + axis] === p[b + axis] && p[a + axis] === p[c + axis] && p[a + axis] === p[d + axis],
  );
const isSame = (p: Float64Array, a: number, b: number): boolean =>
  p[a] === p[b] && p[a + 1] === p[b + 1] && p[a + 2] === p[b + 2];

/** Returns the same as `side`, for four points with integer coordinates. */
export function sideOfIntegers(points: readonly (readonly bigint[])[]): number {
  const [u, v, w] = [1, 2, 3].map(i => AXES.map(axis => points[i][axis] - points[0][axis]));
  return signOf(
    (u[1] * v[2] - u[2] * v[1]) * w[0] +
      (u[2] * v[0] - u[0] * v[2]) * w[1] +
      (u[0] * v[1] - u[1] * v[0]) * w[2],
  );
}

/**
 * Returns the sign of (b - a) x (c - a) along `axis`: 1 if a, b, c are counterclockwise in the
 * projection, -1 if clockwise, 0 if collinear.
 */
export function orient2d(p: Float64Array, a: number, b: number, c: number, axis: number): number {
  const [u, v] = projectionAxes(axis);
  const bu = p[b + u] - p[a + u];
  const bv = p[b + v] - p[a + v];
  const cu = p[c + u] - p[a + u];
  const cv = p[c + v] - p[a + v];
  const left = bu * cv;
  const right = bv * cu;
  const size = Math.abs(left) + Math.abs(right);
  const area = left - right;
  if (size > UNDERFLOW_LIMIT && size < Infinity && Math.abs(area) > size * ORIENT2D_ERROR)
    return Math.sign(area);
  // A difference of two doubles is 0 if and only if they are equal.
  if ((bu === 0 || cv === 0) && (bv === 0 || cu === 0)) return 0;
  const points = [a, b, c].map(at => [p[at + u], p[at + v]]);
  const shift = Math.max(...points.map(point => integerShift(point)));
  return orient2dOfIntegers(points.map(point => point.map(value => toInteger(value, shift))));
}

/** Returns the orientation sign of three points with integer coordinates in the plane. */
function orient2dOfIntegers([a, b, c]: readonly (readonly bigint[])[]): number {
  return signOf((b![0] - a![0]) * (c![1] - a![1]) - (b![1] - a![1]) * (c![0] - a![0]));
}

// The relative difference between a coordinate of a grid point and its double in `near` is at most 2^-52.
// Together with rounding, the error of a difference of coordinates is at most 2^-51 times the largest
// coordinate, `maxCoordinate`. Let `maxFactor` be the largest difference plus this error. The error of the
// computed area or volume is then below 16 * maxFactor * maxCoordinate * 2^-51 in the plane, and below 64 *
// maxFactor^2 * maxCoordinate * 2^-51 in space.
const NEAR_ERROR = 2 ** -51;

/** Returns the same as `orient2d`, for the points at offsets a and b in p, and a third point on the grid. */
export function orient2dAt(p: Float64Array, a: number, b: number, point: GridPoint, axis: number): number {
  const [u, v] = projectionAxes(axis);
  const { near } = point;
  const au = p[a + u] - near[u];
  const av = p[a + v] - near[v];
  const bu = p[b + u] - near[u];
  const bv = p[b + v] - near[v];
  const maxCoordinate = Math.max(
    Math.abs(p[a + u]),
    Math.abs(p[a + v]),
    Math.abs(p[b + u]),
    Math.abs(p[b + v]),
    Math.abs(near[u]),
    Math.abs(near[v]),
  );
  const maxFactor =
    Math.max(Math.abs(au), Math.abs(av), Math.abs(bu), Math.abs(bv)) + maxCoordinate * NEAR_ERROR;
  const area = au * bv - av * bu;
  const error = 16 * maxFactor * maxCoordinate * NEAR_ERROR;
  if (error > UNDERFLOW_LIMIT && error < Infinity && Math.abs(area) > error) return Math.sign(area);
  const shift = integerShift([p[a + u], p[a + v], p[b + u], p[b + v]], point.shift);
  const up = BigInt(shift - point.shift);
  const integers = (at: number): bigint[] => [toInteger(p[at + u], shift), toInteger(p[at + v], shift)];
  return orient2dOfIntegers([[point.at[u] << up, point.at[v] << up], integers(a), integers(b)]);
}

/** Returns the same as `side`, but for a grid point instead of d. The plane is that of the triangle at `a`. */
export function sideAt(p: Float64Array, a: number, point: GridPoint): number {
  const x = point.near[0];
  const y = point.near[1];
  const z = point.near[2];
  const ax = p[a] - x;
  const ay = p[a + 1] - y;
  const az = p[a + 2] - z;
  const bx = p[a + 3] - x;
  const by = p[a + 4] - y;
  const bz = p[a + 5] - z;
  const cx = p[a + 6] - x;
  const cy = p[a + 7] - y;
  const cz = p[a + 8] - z;
  let maxCoordinate = Math.max(Math.abs(x), Math.abs(y), Math.abs(z));
  for (let i = a; i < a + 9; i++) maxCoordinate = Math.max(maxCoordinate, Math.abs(p[i]));
  const maxFactor =
    Math.max(
      Math.abs(ax),
      Math.abs(ay),
      Math.abs(az),
      Math.abs(bx),
      Math.abs(by),
      Math.abs(bz),
      Math.abs(cx),
      Math.abs(cy),
      Math.abs(cz),
    ) +
    maxCoordinate * NEAR_ERROR;
  const volume = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
  const error = 64 * maxFactor * maxFactor * maxCoordinate * NEAR_ERROR;
  // The volume is measured from the point, not from corner a, so its sign is the opposite of the side.
  if (error > UNDERFLOW_LIMIT && error < Infinity && Math.abs(volume) > error) return -Math.sign(volume);
  const corners = p.subarray(a, a + 9);
  const shift = integerShift(corners, point.shift);
  const up = BigInt(shift - point.shift);
  const integers = (at: number): bigint[] => AXES.map(axis => toInteger(corners[at + axis], shift));
  return sideOfIntegers([integers(0), integers(3), integers(6), point.at.map(value => value << up)]);
}

/**
 * Returns a lower bound on where the straight path from a grid point to the corner at offset `to` first reaches
 * the segment at offset `at`, in the projection along `axis`: 0 is the start of the path, 1 its end. Returns 1
 * if the path certainly misses the segment, and 0 if doubles cannot decide.
 */
export function minHitFraction(
  p: Float64Array,
  { near }: GridPoint,
  to: number,
  at: number,
  axis: number,
): number {
  const [u, v] = projectionAxes(axis);
  const x = near[u];
  const y = near[v];
  const pathU = p[to + u] - x;
  const pathV = p[to + v] - y;
  const startU = p[at + u] - x;
  const startV = p[at + v] - y;
  const endU = p[at + 3 + u] - x;
  const endV = p[at + 3 + v] - y;
  const alongU = p[at + 3 + u] - p[at + u];
  const alongV = p[at + 3 + v] - p[at + v];
  const maxCoordinate = Math.max(
    Math.abs(x),
    Math.abs(y),
    Math.abs(p[to + u]),
    Math.abs(p[to + v]),
    Math.abs(p[at + u]),
    Math.abs(p[at + v]),
    Math.abs(p[at + 3 + u]),
    Math.abs(p[at + 3 + v]),
  );
  const maxFactor =
    Math.max(
      Math.abs(pathU),
      Math.abs(pathV),
      Math.abs(startU),
      Math.abs(startV),
      Math.abs(endU),
      Math.abs(endV),
      Math.abs(alongU),
      Math.abs(alongV),
    ) +
    maxCoordinate * NEAR_ERROR;
  const error = 16 * maxFactor * maxCoordinate * NEAR_ERROR;
  if (!(error > UNDERFLOW_LIMIT && error < Infinity)) return 0;
  const start = pathU * startV - pathV * startU;
  const end = pathU * endV - pathV * endU;
  if ((start > error && end > error) || (start < -error && end < -error)) return 1;
  const part = startU * alongV - startV * alongU;
  const of = pathU * alongV - pathV * alongU;
  if (Math.abs(part) <= 2 * error) return 0;
  if (Math.abs(of) > error && part > 0 !== of > 0) return 1;
  return Math.min(1, (Math.abs(part) - error) / (Math.abs(of) + error));
}
