// Decides with integer arithmetic whether two moving features ever touch, and when they first do. Coordinates
// may be doubles of any range. Used for contacts that the kernel cannot decide.
import { toExactIntegers } from '../mesh/trianglesIntersectExact.js';
import {
  commonFactor,
  difference,
  locate,
  type Polynomial,
  product,
  type Root,
  rootsOf,
  signAt,
  signAtRoot,
  sum,
  trimmed,
} from './polynomials.js';

/** The time of a first contact lies in toi..toi + bound. */
export interface ExactContact {
  readonly toi: number;
  readonly bound: number;
}

const AXES = [0, 1, 2] as const;
/** Indices of the points whose differences are taken, in cyclic order. */
const FACE_PAIRS = [
  [0, 1],
  [0, 2],
  [0, 3],
] as const;
const EDGE_PAIRS = [
  [0, 2],
  [1, 2],
  [1, 3],
  [0, 3],
] as const;

type Vector = readonly [Polynomial, Polynomial, Polynomial];

// Times are reported as multiples of 2^-48, like those of the kernel.
const TIME_BITS = 48;

const minus = (a: Vector, b: Vector): Vector => [
  difference(a[0], b[0]),
  difference(a[1], b[1]),
  difference(a[2], b[2]),
];
const dot = (a: Vector, b: Vector): Polynomial =>
  sum(sum(product(a[0], b[0]), product(a[1], b[1])), product(a[2], b[2]));
const cross = (a: Vector, b: Vector): Vector => [
  difference(product(a[1], b[2]), product(a[2], b[1])),
  difference(product(a[2], b[0]), product(a[0], b[2])),
  difference(product(a[0], b[1]), product(a[1], b[0])),
];
const isZero = (p: Polynomial): boolean => p.every(value => value === 0n);

/**
 * Returns the first contact of two moving features, or undefined if they never touch. The features are
 * closed, so touching counts; a degenerate feature is the segment or point that it spans. Every point moves
 * linearly.
 * @param query 24 finite doubles, four points at time 0, then at time 1: p, f0, f1, f2 if `isFace`, else a0,
 * a1, b0, b1
 */
export function exactContact(query: Float64Array, isFace: boolean): ExactContact | undefined {
  const count = takeDifferences(query, isFace, 1);
  const flatAxis = AXES.find(axis => isFlat(count, axis));
  const candidates = edgesThatMayHit(count, false);
  const isApart = flatAxis !== undefined && isApartAtStart(count, flatAxis);
  if (isApart && candidates.length === 0) return undefined;
  const points = differencesOf(query, isFace);
  const edges = edgesOf(points);
  if (!isApart && touchesAtStart(points)) return { toi: 0, bound: 0 };
  const inside = flatAxis === undefined ? crossings(points, edges) : [];
  const times = [
    ...inside,
    ...candidates.flatMap(edge => hitsOf(points[edge], points[(edge + 1) % count], flatAxis)),
  ];
  return times
    .map(timeOf)
    .reduce<ExactContact | undefined>(
      (first, time) => (first && first.toi <= time.toi ? first : time),
      undefined,
    );
}

/**
 * Returns whether doubles prove that two features do not touch before `time`, 0 <= time <= 1 + 2^-48. If not,
 * they may or may not touch. Nothing is proven unless both features stay in one plane that is perpendicular
 * to a coordinate axis.
 */
export function isProvenNotBefore(query: Float64Array, isFace: boolean, time: number): boolean {
  const count = takeDifferences(query, isFace, time);
  const flatAxis = AXES.find(axis => isFlat(count, axis));
  return (
    flatAxis !== undefined && isApartAtStart(count, flatAxis) && edgesThatMayHit(count, true).length === 0
  );
}

/**
 * The same differences as in differencesOf, but in doubles, and bounds of their errors: x, y, z of each point
 * at the start and, from index END on, at the given time. The array is reused, because there may be hundreds
 * of thousands of queries one after another.
 */
const values = /* @__PURE__ */ new Float64Array(24);
const errorBounds = /* @__PURE__ */ new Float64Array(24);
const END = 12;
/** The positions of the four points at the given time, and bounds of the errors of these positions. */
const positions = /* @__PURE__ */ new Float64Array(12);
const positionErrors = /* @__PURE__ */ new Float64Array(12);

// Computes the differences and positions, which are valid until the next call. Returns the number of
// differences.
function takeDifferences(query: Float64Array, isFace: boolean, time: number): number {
  for (let i = 0; i < 12; i++) moveTo(i, query[i], query[12 + i], time);
  const pairs = isFace ? FACE_PAIRS : EDGE_PAIRS;
  for (let pair = 0, to = 0; pair < pairs.length; pair++) {
    for (let axis = 0; axis < 3; axis++, to++) {
      const a = 3 * pairs[pair][0] + axis;
      const b = 3 * pairs[pair][1] + axis;
      values[to] = query[a] - query[b];
      values[to + END] = positions[a] - positions[b];
      errorBounds[to] = Math.abs(values[to]) * ROUNDING;
      errorBounds[to + END] = Math.abs(values[to + END]) * ROUNDING + positionErrors[a] + positionErrors[b];
    }
  }
  return pairs.length;
}

/**
 * ROUNDING bounds the relative error of a few roundings of doubles. Below UNDERFLOW, more digits may be lost.
 */
const ROUNDING = 2 ** -50;
const UNDERFLOW = 2 ** -900;

// Computes a position and a bound of its error. The bound is computed from the exact error of each operation.
// So it is 0 if nothing is rounded, and coincident points can be detected. Source: Dekker 1971 (product),
// Knuth's TwoSum.
function moveTo(i: number, from: number, to: number, time: number): void {
  const path = to - from;
  const offset = path * time;
  const position = from + offset;
  positions[i] = time === 1 ? to : position;
  positionErrors[i] =
    time === 1 || path === 0
      ? 0
      : (Math.abs(lostBySum(to, -from, path)) +
          Math.abs(lostByProduct(path, time, offset)) +
          Math.abs(lostBySum(from, offset, position))) *
          (1 + ROUNDING) +
        (Math.abs(offset) < UNDERFLOW ? UNDERFLOW : 0);
}

function lostBySum(a: number, b: number, total: number): number {
  const added = total - a;
  return a - (total - added) + (b - added);
}

function lostByProduct(a: number, b: number, result: number): number {
  const cutA = a * 134217729;
  const cutB = b * 134217729;
  const highA = cutA - (cutA - a);
  const highB = cutB - (cutB - b);
  const lowA = a - highA;
  const lowB = b - highB;
  return lowA * lowB - (result - highA * highB - lowA * highB - highA * lowB);
}

// Returns whether all points stay in one plane perpendicular to the axis. The difference of two doubles is 0
// only if they are equal.
function isFlat(count: number, axis: number): boolean {
  for (let i = axis; i < 3 * count; i += 3)
    if (values[i] !== 0 || values[i + END] !== 0 || errorBounds[i + END] !== 0) return false;
  return true;
}

/** The sum of products so far, and a bound of its error. */
let total = 0;
let errorBound = 0;

function addProduct(i: number, j: number, sign: number): void {
  const x = values[i];
  const y = values[j];
  const errorX = errorBounds[i];
  const errorY = errorBounds[j];
  const result = x * y;
  const size = Math.abs(result);
  total += sign * result;
  errorBound +=
    size * ROUNDING +
    Math.abs(x) * errorY +
    Math.abs(y) * errorX +
    errorX * errorY +
    (x !== 0 && y !== 0 ? UNDERFLOW : 0);
}

// Returns the orientation of points a and b around the origin: the sign of a[u] b[v] - a[v] b[u]. With
// `isMixed`, returns the sign of the middle Bernstein coefficient of this polynomial between both times.
// Returns NaN if rounding may have changed the sign.
function orientationOf(a: number, b: number, u: number, v: number, isMixed: boolean): number {
  const later = isMixed ? END : 0;
  total = errorBound = 0;
  addProduct(a + u, b + later + v, 1);
  addProduct(a + v, b + later + u, -1);
  if (isMixed) {
    addProduct(a + END + u, b + v, 1);
    addProduct(a + END + v, b + u, -1);
  }
  return Math.abs(total) > errorBound ? Math.sign(total) : errorBound === 0 ? 0 : NaN;
}

// Returns the edges of the hull that may contain the origin at some time, because doubles cannot prove the
// opposite. With `isOpen`, the end time is excluded.
function edgesThatMayHit(count: number, isOpen: boolean): number[] {
  const edges: number[] = [];
  for (let edge = 0; edge < count; edge++) {
    const a = 3 * edge;
    const b = 3 * ((edge + 1) % count);
    if (
      !AXES.some(
        axis =>
          hasNoRoot(a, b, (axis + 1) % 3, (axis + 2) % 3, isOpen) || isOnOneSide(a + axis, b + axis, isOpen),
      )
    )
      edges.push(edge);
  }
  return edges;
}

// Returns whether one component of a x b has no root. This is the case if its Bernstein coefficients,
// computed from the points at both times, have the same sign.
function hasNoRoot(a: number, b: number, u: number, v: number, isOpen: boolean): boolean {
  const sign = orientationOf(a, b, u, v, false);
  return (
    sign !== 0 &&
    keepsSign(sign, orientationOf(a + END, b + END, u, v, false), isOpen) &&
    orientationOf(a, b, u, v, true) * sign >= 0
  );
}

// Returns whether two coordinates have the same sign at all times.
function isOnOneSide(a: number, b: number, isOpen: boolean): boolean {
  const sign = Math.sign(values[a]);
  return (
    sign !== 0 &&
    Math.sign(values[b]) === sign &&
    keepsSign(sign, signAtEnd(a), isOpen) &&
    keepsSign(sign, signAtEnd(b), isOpen)
  );
}

const keepsSign = (sign: number, end: number, isOpen: boolean): boolean =>
  end === sign || (isOpen && end * sign === 0);
const signAtEnd = (i: number): number =>
  Math.abs(values[i + END]) > errorBounds[i + END]
    ? Math.sign(values[i + END])
    : errorBounds[i + END] === 0
      ? 0
      : NaN;

// Returns whether the origin is provably outside the hull of flat points at the start: all points lie on one
// side of it, or they do not all have the same orientation around it and no edge's line contains it.
function isApartAtStart(points: number, axis: number): boolean {
  const u = (axis + 1) % 3;
  const v = (axis + 2) % 3;
  let signs = 1;
  let orientations = 0;
  let sumU = 0;
  let sumV = 0;
  for (let i = 0; i < points; i++) {
    const sign = orientationOf(3 * i, 3 * ((i + 1) % points), u, v, false);
    signs *= sign;
    orientations += sign;
    sumU += Math.sign(values[3 * i + u]);
    sumV += Math.sign(values[3 * i + v]);
  }
  return (
    Math.abs(sumU) === points || Math.abs(sumV) === points || (signs !== 0 && Math.abs(orientations) < points)
  );
}

/**
 * Returns the exact time of a contact that is known to occur at the first time from `toi` on at which the
 * four points are coplanar. toi: a multiple of 2^-48 before which there is no contact.
 */
export function exactCrossing(query: Float64Array, isFace: boolean, toi: number): ExactContact {
  const times = rootsOf(volumeOf(differencesOf(query, isFace))).map(timeOf);
  return times.find(time => time.toi >= toi)!;
}

// The features touch if the convex hull of these points, in cyclic order, contains the origin.
function differencesOf(query: Float64Array, isFace: boolean): Vector[] {
  const integers = onCommonGrid(query);
  const point = (i: number): Vector =>
    [0, 1, 2].map(axis => [
      integers[3 * i + axis],
      integers[12 + 3 * i + axis] - integers[3 * i + axis],
    ]) as unknown as Vector;
  return (isFace ? FACE_PAIRS : EDGE_PAIRS).map(([a, b]) => minus(point(a!), point(b!)));
}

// Converts doubles to integers with one common factor, a power of two.
function onCommonGrid(values: Float64Array): bigint[] {
  let largest = 0;
  for (const value of values) largest = Math.max(largest, Math.abs(value));
  const factor = 2 ** (52 - Math.floor(Math.log2(largest)));
  if (
    largest > MIN_MAGNITUDE &&
    largest < MAX_MAGNITUDE &&
    values.every(value => Number.isInteger(value * factor))
  )
    return Array.from(values, value => BigInt(value * factor));
  return toExactIntegers(values);
}

/** Between these magnitudes the factor is a normal double. */
const MIN_MAGNITUDE = 2 ** -900;
const MAX_MAGNITUDE = 2 ** 900;

const normalOf = (points: readonly Vector[]): Vector =>
  cross(minus(points[1], points[0]), minus(points.at(-1)!, points[0]));
const volumeOf = (points: readonly Vector[]): Polynomial => dot(normalOf(points), points[0]);

const edgesOf = (points: readonly Vector[]): (readonly [Vector, Vector])[] =>
  points.map((point, i) => [point, points[(i + 1) % points.length]]);

// Decides contacts at the start without computing a root.
function touchesAtStart(points: readonly Vector[]): boolean {
  const startPoints = points.map(startOf);
  const [first, second, last] = [startPoints[0], startPoints[1], startPoints.at(-1)!];
  const normal = crossOf(subtract(second, first), subtract(last, first));
  if (dotOf(normal, first) !== 0n) return false;
  const crosses = startPoints.map((point, i) => crossOf(point, startPoints[(i + 1) % startPoints.length]));
  return (
    crosses.every(edge => dotOf(normal, edge) > 0n) ||
    crosses.some(
      (edge, i) =>
        edge[0] === 0n &&
        edge[1] === 0n &&
        edge[2] === 0n &&
        dotOf(startPoints[i], startPoints[(i + 1) % startPoints.length]) <= 0n,
    )
  );
}

type Point = readonly [bigint, bigint, bigint];
const startOf = (point: Vector): Point => [point[0][0], point[1][0], point[2][0]];
const subtract = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dotOf = (a: Point, b: Point): bigint => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const crossOf = (a: Point, b: Point): Point => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

// Returns the first time at which the origin lies strictly inside the hull, if there is one. If the origin
// always lies in the plane of the points and is not inside at the start, it has to cross an edge first, so
// this time is not needed.
function crossings(points: readonly Vector[], edges: readonly (readonly [Vector, Vector])[]): Root[] {
  const normal = normalOf(points);
  const volume = dot(normal, points[0]);
  if (isZero(volume)) return [];
  const roots = rootsOf(volume);
  if (roots.length === 0) return [];
  const orientations = edges.map(([a, b]) => dot(normal, cross(a, b)));
  const inside = roots.find(root => orientations.every(orientation => signAtRoot(orientation, root) > 0));
  return inside ? [inside] : [];
}

// Returns one component of a x b for points that move linearly.
function crossComponent(a: Vector, b: Vector, u: number, v: number): Polynomial {
  const [p0, p1] = a[u];
  const [q0, q1] = b[v];
  const [r0, r1] = a[v];
  const [s0, s1] = b[u];
  return [p0! * q0! - r0! * s0!, p0! * q1! + p1! * q0! - r0! * s1! - r1! * s0!, p1! * q1! - r1! * s1!];
}

// Returns the first time at which the segment from a to b contains the origin. flatAxis: the axis on which
// all coordinates are always 0, if there is one.
function hitsOf(a: Vector, b: Vector, flatAxis: number | undefined): Root[] {
  const axes = flatAxis === undefined ? AXES : [flatAxis];
  const components = axes
    .map(axis => crossComponent(a, b, (axis + 1) % 3, (axis + 2) % 3))
    .filter(component => !isZero(component))
    .map(trimmed);
  const inLine =
    components.length === 1
      ? components[0]
      : components.reduce<Polynomial>((factor, component) => commonFactor(factor, component), []);
  const between = dot(a, b);
  if (inLine.length > 0) {
    const hit = rootsOf(inLine).find(root => signAtRoot(between, root) <= 0);
    return hit ? [hit] : [];
  }
  if (signAt(between, 0n, 0) <= 0) return [rootAtStart()];
  return rootsOf(between).slice(0, 1);
}

const rootAtStart = (): Root => ({ polynomial: [0n, 1n], k: 0n, n: 0, before: 0 });

function timeOf(root: Root): ExactContact {
  locate(root, TIME_BITS);
  const isExact = root.before === 0 && root.n <= TIME_BITS;
  const steps =
    root.n > TIME_BITS ? root.k >> BigInt(root.n - TIME_BITS) : root.k << BigInt(TIME_BITS - root.n);
  return { toi: Number(steps) / 2 ** TIME_BITS, bound: isExact ? 0 : 2 ** -TIME_BITS };
}
