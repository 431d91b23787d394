// Points in doubles -> exact signs: side of a plane, turn in a projection. A double filter, then whole
// numbers without bounds.
import { type GridPoint, shiftOf, signOf, wholeOf } from './grid.js';

// Differences of coordinates are off by at most 2^-53 of themselves; eight roundings lie on the longest path
// to a side, four on that to a turn: 10 (6) times 2^-53 of the sum of sizes cover them. Below LEAST a product
// may have gone under, by 2^-1074 times a third factor of at most 2^340.
const SIDE_ERROR = 10 * 2 ** -53;
const TURN_ERROR = 6 * 2 ** -53;
const LEAST = 2 ** -600;

const AXES = [0, 1, 2] as const;
const ACROSS = [
  [1, 2],
  [2, 0],
  [0, 1],
] as const;

/** The two axes of the projection along `axis`: seen from its positive end they turn left. */
export const acrossAxes = (axis: number): readonly [number, number] => ACROSS[axis];

/**
 * Side of point d against the plane of a, b, c, numbers of doubles in p: 1 where (b - a) x (c - a) points, 0
 * on it.
 */
export const side = (p: Float64Array, a: number, b: number, c: number, d: number): number =>
  sureSide(p, a, b, c, d) || exactSide(p, a, b, c, d);

/** The same where doubles tell it, else 0. */
export function sureSide(p: Float64Array, a: number, b: number, c: number, d: number): number {
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
  return size > LEAST && size < Infinity && Math.abs(volume) > size * SIDE_ERROR ? Math.sign(volume) : 0;
}

function exactSide(p: Float64Array, a: number, b: number, c: number, d: number): number {
  if (areLevel(p, a, b, c, d) || isSame(p, a, d) || isSame(p, b, d) || isSame(p, c, d)) return 0;
  const points = [a, b, c, d].map(at => p.subarray(at, at + 3));
  const shift = Math.max(...points.map(point => shiftOf(point)));
  return sideOfWhole(points.map(point => Array.from(point, value => wholeOf(value, shift))));
}

// Upright on an axis, as most faces of buildings are.
const areLevel = (p: Float64Array, a: number, b: number, c: number, d: number): boolean =>
  AXES.some(
    axis => p[a + axis] === p[b + axis] && p[a + axis] === p[c + axis] && p[a + axis] === p[d + axis],
  );
const isSame = (p: Float64Array, a: number, b: number): boolean =>
  p[a] === p[b] && p[a + 1] === p[b + 1] && p[a + 2] === p[b + 2];

/** The same of whole points. */
export function sideOfWhole(points: readonly (readonly bigint[])[]): number {
  const [u, v, w] = [1, 2, 3].map(i => AXES.map(axis => points[i][axis] - points[0][axis])) as [
    bigint[],
    bigint[],
    bigint[],
  ];
  return signOf(
    (u[1] * v[2] - u[2] * v[1]) * w[0] +
      (u[2] * v[0] - u[0] * v[2]) * w[1] +
      (u[0] * v[1] - u[1] * v[0]) * w[2],
  );
}

/** Sign of (b - a) x (c - a) along `axis`: 1 where a, b, c turn left, 0 in line. */
export function turn(p: Float64Array, a: number, b: number, c: number, axis: number): number {
  const [u, v] = acrossAxes(axis);
  const bu = p[b + u] - p[a + u];
  const bv = p[b + v] - p[a + v];
  const cu = p[c + u] - p[a + u];
  const cv = p[c + v] - p[a + v];
  const left = bu * cv;
  const right = bv * cu;
  const size = Math.abs(left) + Math.abs(right);
  const area = left - right;
  if (size > LEAST && size < Infinity && Math.abs(area) > size * TURN_ERROR) return Math.sign(area);
  // Differences are 0 exactly where numbers are equal.
  if ((bu === 0 || cv === 0) && (bv === 0 || cu === 0)) return 0;
  const points = [a, b, c].map(at => [p[at + u], p[at + v]]);
  const shift = Math.max(...points.map(point => shiftOf(point)));
  return turnOfWhole(points.map(point => point.map(value => wholeOf(value, shift))));
}

/** The same of whole points in a plane. */
function turnOfWhole([a, b, c]: readonly (readonly bigint[])[]): number {
  return signOf((b![0] - a![0]) * (c![1] - a![1]) - (b![1] - a![1]) * (c![0] - a![0]));
}

// A grid point is within 2^-52 of `near`, in its own size; what that and rounding make of differences is at
// most 2^-51 of the greatest coordinate, and what those make of a turn or a side is below 16 (64) times that
// of the product of the greatest ones.
const NEAR_ERROR = 2 ** -51;

/** As `turn`, of the doubles at a and b and a point of a grid. */
export function turnAt(p: Float64Array, a: number, b: number, point: GridPoint, axis: number): number {
  const [u, v] = acrossAxes(axis);
  const { near } = point;
  const au = p[a + u] - near[u];
  const av = p[a + v] - near[v];
  const bu = p[b + u] - near[u];
  const bv = p[b + v] - near[v];
  const most = Math.max(
    Math.abs(p[a + u]),
    Math.abs(p[a + v]),
    Math.abs(p[b + u]),
    Math.abs(p[b + v]),
    Math.abs(near[u]),
    Math.abs(near[v]),
  );
  const greatest = Math.max(Math.abs(au), Math.abs(av), Math.abs(bu), Math.abs(bv)) + most * NEAR_ERROR;
  const area = au * bv - av * bu;
  const error = 16 * greatest * most * NEAR_ERROR;
  if (error > LEAST && error < Infinity && Math.abs(area) > error) return Math.sign(area);
  const shift = shiftOf([p[a + u], p[a + v], p[b + u], p[b + v]], point.shift);
  const up = BigInt(shift - point.shift);
  const whole = (at: number): bigint[] => [wholeOf(p[at + u], shift), wholeOf(p[at + v], shift)];
  return turnOfWhole([[point.at[u] << up, point.at[v] << up], whole(a), whole(b)]);
}

/** As `side`, of three corners from number `a` on and a point of a grid. */
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
  let most = Math.max(Math.abs(x), Math.abs(y), Math.abs(z));
  for (let i = a; i < a + 9; i++) most = Math.max(most, Math.abs(p[i]));
  const greatest =
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
    most * NEAR_ERROR;
  const volume = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
  const error = 64 * greatest * greatest * most * NEAR_ERROR;
  // a, b, c seen from the point: the other way round than the point seen from their plane.
  if (error > LEAST && error < Infinity && Math.abs(volume) > error) return -Math.sign(volume);
  const corners = p.subarray(a, a + 9);
  const shift = shiftOf(corners, point.shift);
  const up = BigInt(shift - point.shift);
  const whole = (at: number): bigint[] => AXES.map(axis => wholeOf(corners[at + axis], shift));
  return sideOfWhole([whole(0), whole(3), whole(6), point.at.map(value => value << up)]);
}

/**
 * How much of the way from a point of a grid to the corner at number `to` comes before the segment from
 * number `at` on, in the projection along `axis`: no more than that; 1 where the way surely misses it, 0
 * where doubles do not tell.
 */
export function leastPart(
  p: Float64Array,
  { near }: GridPoint,
  to: number,
  at: number,
  axis: number,
): number {
  const [u, v] = acrossAxes(axis);
  const x = near[u];
  const y = near[v];
  const wayU = p[to + u] - x;
  const wayV = p[to + v] - y;
  const startU = p[at + u] - x;
  const startV = p[at + v] - y;
  const endU = p[at + 3 + u] - x;
  const endV = p[at + 3 + v] - y;
  const alongU = p[at + 3 + u] - p[at + u];
  const alongV = p[at + 3 + v] - p[at + v];
  const most = Math.max(
    Math.abs(x),
    Math.abs(y),
    Math.abs(p[to + u]),
    Math.abs(p[to + v]),
    Math.abs(p[at + u]),
    Math.abs(p[at + v]),
    Math.abs(p[at + 3 + u]),
    Math.abs(p[at + 3 + v]),
  );
  const greatest =
    Math.max(
      Math.abs(wayU),
      Math.abs(wayV),
      Math.abs(startU),
      Math.abs(startV),
      Math.abs(endU),
      Math.abs(endV),
      Math.abs(alongU),
      Math.abs(alongV),
    ) +
    most * NEAR_ERROR;
  const error = 16 * greatest * most * NEAR_ERROR;
  if (!(error > LEAST && error < Infinity)) return 0;
  const start = wayU * startV - wayV * startU;
  const end = wayU * endV - wayV * endU;
  if ((start > error && end > error) || (start < -error && end < -error)) return 1;
  const part = startU * alongV - startV * alongU;
  const of = wayU * alongV - wayV * alongU;
  if (Math.abs(part) <= 2 * error) return 0;
  if (Math.abs(of) > error && part > 0 !== of > 0) return 1;
  return Math.min(1, (Math.abs(part) - error) / (Math.abs(of) + error));
}
