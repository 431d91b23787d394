// Decides with integer arithmetic whether two moving features (a vertex and a triangle, or two edges) touch
// during a step, and when they first touch. Coordinates may be any finite doubles. Used for contacts that the
// WebAssembly kernel cannot decide.
import { cross as crossOf, dot as dotOf, type IntegerVector, subtract } from '../core/integers.js';
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
/**
 * Each pair holds the indices of two points whose difference is taken. The differences are the corners, in
 * cyclic order, of a convex polygon: a triangle for a vertex and a face, a parallelogram for two edges.
 */
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

// Times are reported as multiples of 2^-48, as in the kernel.
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
 * Returns the first contact of two moving features, or undefined if they do not touch during the step. The
 * features include their boundaries, so touching counts; a degenerate feature is the segment or point that it
 * spans. Every point moves linearly.
 * @param query 24 finite doubles: four points at time 0, then the same points at time 1. The points are p,
 * f0, f1, f2 (a vertex and a face) if `isFace` is set; otherwise they are a0, a1, b0, b1 (two edges)
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
 * Returns whether calculations in doubles, with error bounds, prove that two features do not touch before
 * `time`, 0 <= time <= 1 + 2^-48. If the result is false, the features may or may not touch. The result is
 * always false unless both features stay in one plane that is perpendicular to a coordinate axis.
 */
export function isProvenNotBefore(query: Float64Array, isFace: boolean, time: number): boolean {
  const count = takeDifferences(query, isFace, time);
  const flatAxis = AXES.find(axis => isFlat(count, axis));
  return (
    flatAxis !== undefined && isApartAtStart(count, flatAxis) && edgesThatMayHit(count, true).length === 0
  );
}

/**
 * The differences of `differencesOf`, computed in doubles, and bounds on their errors. Each array holds x, y, z
 * of every difference at the start and, from index END on, at the given time. The arrays are reused, because
 * there may be hundreds of thousands of queries one after another.
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
 * ROUNDING bounds the relative error of a few roundings of doubles. A tiny product may lose more digits;
 * UNDERFLOW bounds this loss.
 */
const ROUNDING = 2 ** -50;
const UNDERFLOW = 2 ** -900;

/**
 * Factor that covers two effects: the error of `path` is multiplied by the time, which is at most 1 + 2^-48,
 * and the sums and products of position errors are rounded (fewer than 20 roundings, each at most 2^-53).
 */
const GROWTH = 1 + 2 ** -47;

// Computes a position and a bound of its error. The bound is computed from the exact rounding error of each
// operation. If no operation rounds and none may have underflowed, the bound is 0, so coincident points can be
// detected. Source: Dekker 1971 (error of a product), Knuth's TwoSum (error of a sum).
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
          GROWTH +
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

// Returns whether all points stay in one plane perpendicular to the axis. Doubles suffice for this test,
// because the difference of two doubles is 0 only if the two are equal.
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
    // Unless a factor is certainly 0, each of the products above may have underflowed.
    ((x !== 0 || errorX !== 0) && (y !== 0 || errorY !== 0) ? UNDERFLOW : 0);
}

// Returns the orientation of points a and b around the origin: the sign of a[u] * b[v] - a[v] * b[u]. For
// moving points, this expression is a quadratic polynomial in time. With `isMixed`, returns the sign of the
// polynomial's middle Bernstein coefficient on the interval from the start to the given time. Returns NaN if
// rounding may have changed the sign.
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

// Returns the edges of the convex polygon of differences, except the edges for which doubles prove that they
// never contain the origin. With `isOpen`, the end time is excluded.
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

// Returns whether one component of a x b, as a polynomial in time, provably has no root. Its Bernstein
// coefficients are computed from the points at both times. There is no root if the first and last
// coefficients have the same sign and the middle one has this sign or is 0. With `isOpen`, the last one may
// be 0, too.
function hasNoRoot(a: number, b: number, u: number, v: number, isOpen: boolean): boolean {
  const sign = orientationOf(a, b, u, v, false);
  return (
    sign !== 0 &&
    keepsSign(sign, orientationOf(a + END, b + END, u, v, false), isOpen) &&
    orientationOf(a, b, u, v, true) * sign >= 0
  );
}

// Returns whether two coordinates provably are nonzero and have the same sign at all times. With `isOpen`,
// they may be 0 at the end.
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

// Returns whether the origin is provably outside the hull of coplanar points at the start. There are two ways
// to prove this. Either the coordinates of all points along u, or along v, have the same sign. Or no edge's
// line contains the origin, and the edges do not all have the same orientation around the origin.
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
 * Returns the exact time of a contact that the kernel has already proven. Such a contact occurs at the first
 * time, from `toi` on, at which the four points are coplanar.
 * @param toi a multiple of 2^-48 before which there is no contact
 */
export function exactCrossing(query: Float64Array, isFace: boolean, toi: number): ExactContact {
  const times = rootsOf(volumeOf(differencesOf(query, isFace))).map(timeOf);
  return times.find(time => time.toi >= toi)!;
}

// Returns the differences of the points in FACE_PAIRS or EDGE_PAIRS as functions of time. The features touch
// when the convex hull of these differences contains the origin.
function differencesOf(query: Float64Array, isFace: boolean): Vector[] {
  const integers = onCommonGrid(query);
  const point = (i: number): Vector =>
    [0, 1, 2].map(axis => [
      integers[3 * i + axis],
      integers[12 + 3 * i + axis] - integers[3 * i + axis],
    ]) as unknown as Vector;
  return (isFace ? FACE_PAIRS : EDGE_PAIRS).map(([a, b]) => minus(point(a!), point(b!)));
}

// Converts doubles to integers by multiplying all of them by the same power of two.
function onCommonGrid(values: Float64Array): bigint[] {
  let maxMagnitude = 0;
  for (const value of values) maxMagnitude = Math.max(maxMagnitude, Math.abs(value));
  const factor = 2 ** (52 - Math.floor(Math.log2(maxMagnitude)));
  if (
    maxMagnitude > MIN_MAGNITUDE &&
    maxMagnitude < MAX_MAGNITUDE &&
    // A product that underflows to 0 is an integer, too, but not an exact one. Any other integer is exact.
    values.every(value => Number.isInteger(value * factor) && (value === 0 || value * factor !== 0))
  )
    return Array.from(values, value => BigInt(value * factor));
  return toExactIntegers(values);
}

/**
 * If the largest magnitude lies between these limits, the factor by which all doubles are multiplied is a
 * normal double.
 */
const MIN_MAGNITUDE = 2 ** -900;
const MAX_MAGNITUDE = 2 ** 900;

const normalOf = (points: readonly Vector[]): Vector =>
  cross(minus(points[1], points[0]), minus(points.at(-1)!, points[0]));
const volumeOf = (points: readonly Vector[]): Polynomial => dot(normalOf(points), points[0]);

const edgesOf = (points: readonly Vector[]): (readonly [Vector, Vector])[] =>
  points.map((point, i) => [point, points[(i + 1) % points.length]]);

// Returns whether the features touch at the start. The points are constant at this time, so no roots of
// polynomials are needed.
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

const startOf = (point: Vector): IntegerVector => [point[0][0], point[1][0], point[2][0]];

// Returns the first time at which the origin lies strictly inside the hull. Returns no root if there is no such
// time, or if the origin always lies in the plane of the points. If it always lies in this plane and is outside
// the hull at the start, it crosses an edge before it is inside, so hitsOf finds the first contact.
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

// Returns one component of a x b as a polynomial in time: a[u] * b[v] - a[v] * b[u].
function crossComponent(a: Vector, b: Vector, u: number, v: number): Polynomial {
  const [p0, p1] = a[u];
  const [q0, q1] = b[v];
  const [r0, r1] = a[v];
  const [s0, s1] = b[u];
  return [p0! * q0! - r0! * s0!, p0! * q1! + p1! * q0! - r0! * s1! - r1! * s0!, p1! * q1! - r1! * s1!];
}

// Returns the first time at which the segment from a to b contains the origin. flatAxis: the axis along which
// all coordinates are always 0, if there is such an axis.
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
