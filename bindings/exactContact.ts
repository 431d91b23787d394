// Two moving features in doubles of any range -> do they ever touch, and when first? In integers, for what the kernel cannot tell.
import { commonFactor, difference, isSurelyRootless, locate, product, rootsOf, signAt, signAtRoot, signOf, sum, trimmed, type Polynomial, type Root } from './polynomials.js';

/** A contact's first time lies in toi..toi + bound. */
export interface ExactContact { readonly toi: number; readonly bound: number }

const AXES = [0, 1, 2] as const;
/** Points whose differences are taken, in cyclic order. */
const FACE_PAIRS = [[0, 1], [0, 2], [0, 3]] as const, EDGE_PAIRS = [[0, 2], [1, 2], [1, 3], [0, 3]] as const;

type Vector = readonly [Polynomial, Polynomial, Polynomial];

// Times are told up to 2^-48, which those of the kernel are multiples of.
const TIME_BITS = 48;

const minus = (a: Vector, b: Vector): Vector => [difference(a[0], b[0]), difference(a[1], b[1]), difference(a[2], b[2])];
const dot = (a: Vector, b: Vector): Polynomial => sum(sum(product(a[0], b[0]), product(a[1], b[1])), product(a[2], b[2]));
const cross = (a: Vector, b: Vector): Vector => [
  difference(product(a[1], b[2]), product(a[2], b[1])),
  difference(product(a[2], b[0]), product(a[0], b[2])),
  difference(product(a[0], b[1]), product(a[1], b[0])),
];
const isZero = (p: Polynomial): boolean => p.every(value => value === 0n);

/**
 * `query`: 24 finite doubles, four points at time 0, then at time 1: p, f0, f1, f2 where `isFace`, else a0, a1, b0, b1. Every
 * point moves linearly. Closed features: touching counts; a degenerate one is the segment or point that it spans.
 */
export function exactContact(query: Float64Array, isFace: boolean): ExactContact | undefined {
  const rounded = roundedDifferences(query, isFace), count = rounded.length / 6, flatAxis = AXES.find(axis => isFlat(rounded, axis));
  const near = edgesThatMayHit(rounded);
  const isApart = flatAxis !== undefined && isApartAtStart(rounded, flatAxis);
  if (isApart && near.length === 0) return undefined;
  const points = differencesOf(query, isFace), edges = edgesOf(points);
  if (!isApart && touchesAtStart(points)) return { toi: 0, bound: 0 };
  const inside = flatAxis === undefined ? crossings(points, edges) : [];
  const times = [...inside, ...near.flatMap(edge => hitsOf(points[edge]!, points[(edge + 1) % count]!, flatAxis))];
  return times.map(timeOf).reduce<ExactContact | undefined>((first, time) => (first && first.toi <= time.toi ? first : time), undefined);
}

/** Kept: hundreds of thousands of queries come one after the other. */
const faceRoom = /* @__PURE__ */ new Float64Array(18), edgeRoom = /* @__PURE__ */ new Float64Array(24);

// The differences of differencesOf in doubles, each rounded once: x, y, z of each point at the start, then at the end. Until the next call.
function roundedDifferences(query: Float64Array, isFace: boolean): Float64Array {
  const pairs = isFace ? FACE_PAIRS : EDGE_PAIRS, rounded = isFace ? faceRoom : edgeRoom;
  let to = 0;
  for (let time = 0; time <= 12; time += 12) {
    for (let pair = 0; pair < pairs.length; pair++) {
      const a = 3 * pairs[pair]![0] + time, b = 3 * pairs[pair]![1] + time;
      for (let axis = 0; axis < 3; axis++) rounded[to++] = query[a + axis]! - query[b + axis]!;
    }
  }
  return rounded;
}

// All points stay in a plane across the axis: a difference of doubles is 0 only where they are equal.
function isFlat(rounded: Float64Array, axis: number): boolean {
  for (let i = axis; i < rounded.length; i += 3) if (rounded[i] !== 0) return false;
  return true;
}

/** Each rounding takes 2^-53 of a product of two differences: six of them on the way to a coefficient. What is smaller than LOST may have lost more. */
const PRODUCT_ERROR = 2 ** -49, LOST = 2 ** -900;

// Sign of u1 v2 - v1 u2, of two rounded points; NaN where rounding may have changed it.
function turnOf(rounded: Float64Array, a: number, b: number, u: number, v: number): number {
  const left = rounded[a + u]! * rounded[b + v]!, right = rounded[a + v]! * rounded[b + u]!, value = left - right;
  return Math.abs(value) > PRODUCT_ERROR * (Math.abs(left) + Math.abs(right)) + LOST ? Math.sign(value) : NaN;
}

// Edges of the hull that doubles do not show to miss the origin all the time: a x b has no root on some axis where its Bernstein coefficients,
// the turns of ends of the step, have one sign.
function edgesThatMayHit(rounded: Float64Array): number[] {
  const count = rounded.length / 6, edges: number[] = [];
  for (let edge = 0; edge < count; edge++) {
    const a = 3 * edge, b = 3 * ((edge + 1) % count), end = 3 * count;
    if (!AXES.some(axis => missesOn(rounded, a, b, end, (axis + 1) % 3, (axis + 2) % 3))) edges.push(edge);
  }
  return edges;
}

function missesOn(rounded: Float64Array, a: number, b: number, end: number, u: number, v: number): boolean {
  const sign = turnOf(rounded, a, b, u, v);
  if (Number.isNaN(sign) || turnOf(rounded, a + end, b + end, u, v) !== sign) return false;
  const left = rounded[a + u]! * rounded[b + end + v]! + rounded[a + end + u]! * rounded[b + v]!, right = rounded[a + v]! * rounded[b + end + u]! + rounded[a + end + v]! * rounded[b + u]!;
  const size = Math.abs(rounded[a + u]! * rounded[b + end + v]!) + Math.abs(rounded[a + end + u]! * rounded[b + v]!) + Math.abs(rounded[a + v]! * rounded[b + end + u]!) + Math.abs(rounded[a + end + v]! * rounded[b + u]!);
  return sign * (left - right) > PRODUCT_ERROR * size + LOST;
}

// Whether the origin surely lies beyond an edge of flat points at the start: they do not turn one way around it, and it is on no edge's line.
function isApartAtStart(rounded: Float64Array, axis: number): boolean {
  const points = rounded.length / 6, u = (axis + 1) % 3, v = (axis + 2) % 3, first = turnOf(rounded, 0, 3, u, v);
  let isMixed = false;
  for (let i = 0; i < points; i++) {
    const sign = turnOf(rounded, 3 * i, 3 * ((i + 1) % points), u, v);
    if (Number.isNaN(sign)) return false;
    isMixed ||= sign !== first;
  }
  return isMixed;
}

/** The same where a contact is known to lie between a time `toi`, a multiple of 2^-48 before which there is none, and the next time at which the four points are coplanar. */
export function exactCrossing(query: Float64Array, isFace: boolean, toi: number): ExactContact {
  const times = rootsOf(volumeOf(differencesOf(query, isFace))).map(timeOf);
  return times.find(time => time.toi >= toi)!;
}

// The features touch where the hull of these points, in cyclic order, holds the origin.
function differencesOf(query: Float64Array, isFace: boolean): Vector[] {
  const whole = onCommonGrid(query);
  const point = (i: number): Vector => [0, 1, 2].map(axis => [whole[3 * i + axis]!, whole[12 + 3 * i + axis]! - whole[3 * i + axis]!]) as unknown as Vector;
  return (isFace ? FACE_PAIRS : EDGE_PAIRS).map(([a, b]) => minus(point(a!), point(b!)));
}

// Doubles -> integers with one common factor, a power of two.
function onCommonGrid(values: Float64Array): bigint[] {
  let most = 0;
  for (const value of values) most = Math.max(most, Math.abs(value));
  const factor = 2 ** (52 - Math.floor(Math.log2(most)));
  if (most > LEAST && most < MOST && values.every((value) => Number.isInteger(value * factor))) return Array.from(values, (value) => BigInt(value * factor));
  return onFinestGrid(values);
}

/** Of such sizes factors are powers of two that doubles have. */
const LEAST = 2 ** -900, MOST = 2 ** 900;

function onFinestGrid(values: Float64Array): bigint[] {
  const bits = new BigUint64Array(values.buffer.slice(values.byteOffset, values.byteOffset + values.byteLength));
  const exponents = Array.from(bits, word => Math.max(1, Number((word >> 52n) & 0x7ffn)));
  const least = Math.min(...exponents.filter((_, i) => values[i] !== 0), 2047);
  return Array.from(bits, (word, i) => {
    if (values[i] === 0) return 0n;
    const fraction = word & 0xfffffffffffffn;
    const size = (((word >> 52n) & 0x7ffn) === 0n ? fraction : fraction | (1n << 52n)) << BigInt(exponents[i]! - least);
    return word >> 63n === 0n ? size : -size;
  });
}

const normalOf = (points: readonly Vector[]): Vector => cross(minus(points[1]!, points[0]!), minus(points.at(-1)!, points[0]!));
const volumeOf = (points: readonly Vector[]): Polynomial => dot(normalOf(points), points[0]!);

const edgesOf = (points: readonly Vector[]): (readonly [Vector, Vector])[] => points.map((point, i) => [point, points[(i + 1) % points.length]!]);

// What rests on something is decided without a root.
function touchesAtStart(points: readonly Vector[]): boolean {
  const still = points.map(startOf), [first, second, last] = [still[0]!, still[1]!, still.at(-1)!], normal = crossOf(apart(second, first), apart(last, first));
  if (dotOf(normal, first) !== 0n) return false;
  const crosses = still.map((point, i) => crossOf(point, still[(i + 1) % still.length]!));
  return crosses.every(edge => dotOf(normal, edge) > 0n) || crosses.some((edge, i) => edge[0] === 0n && edge[1] === 0n && edge[2] === 0n && dotOf(still[i]!, still[(i + 1) % still.length]!) <= 0n);
}

type Point = readonly [bigint, bigint, bigint];
const startOf = (point: Vector): Point => [point[0][0]!, point[1][0]!, point[2][0]!];
const apart = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dotOf = (a: Point, b: Point): bigint => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const crossOf = (a: Point, b: Point): Point => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

// Times at which the origin lies strictly within. Where it stays in the plane of the points all the time, and is not within at the start,
// it has to cross an edge first.
function crossings(points: readonly Vector[], edges: readonly (readonly [Vector, Vector])[]): Root[] {
  const normal = normalOf(points), volume = dot(normal, points[0]!);
  if (isZero(volume)) return [];
  const roots = rootsOf(volume);
  if (roots.length === 0) return [];
  const turns = edges.map(([a, b]) => dot(normal, cross(a, b)));
  const inside = roots.find(root => turns.every(turn => signAtRoot(turn, root) > 0));
  return inside ? [inside] : [];
}

// A coordinate of a x b, of points that move evenly.
function turning(a: Vector, b: Vector, u: number, v: number): Polynomial {
  const [p0, p1] = a[u]!, [q0, q1] = b[v]!, [r0, r1] = a[v]!, [s0, s1] = b[u]!;
  return [p0! * q0! - r0! * s0!, p0! * q1! + p1! * q0! - r0! * s1! - r1! * s0!, p1! * q1! - r1! * s1!];
}

// The first time at which the segment from a to b holds the origin. flatAxis: where all coordinates are 0, always.
function hitsOf(a: Vector, b: Vector, flatAxis: number | undefined): Root[] {
  if (AXES.some(axis => areOnOneSide(a[axis], b[axis]))) return [];
  const axes = flatAxis === undefined ? AXES : [flatAxis], parts = axes.map(axis => turning(a, b, (axis + 1) % 3, (axis + 2) % 3)).filter(part => !isZero(part)).map(trimmed);
  if (parts.length > 1 && parts.some(isSurelyRootless)) return [];
  const inLine = parts.length === 1 ? parts[0]! : parts.reduce<Polynomial>((factor, part) => commonFactor(factor, part), []);
  const between = dot(a, b);
  if (inLine.length > 0) {
    const hit = rootsOf(inLine).find(root => signAtRoot(between, root) <= 0);
    return hit ? [hit] : [];
  }
  if (signAt(between, 0n, 0) <= 0) return [start()];
  return rootsOf(between).slice(0, 1);
}

// Whether two coordinates that change evenly have one sign all the time.
function areOnOneSide(a: Polynomial, b: Polynomial): boolean {
  const sign = signOf(a[0]!);
  return sign !== 0 && signOf(b[0]!) === sign && signOf(a[0]! + a[1]!) === sign && signOf(b[0]! + b[1]!) === sign;
}

const start = (): Root => ({ of: [0n, 1n], k: 0n, n: 0, before: 0 });

function timeOf(root: Root): ExactContact {
  locate(root, TIME_BITS);
  const isExact = root.before === 0 && root.n <= TIME_BITS;
  const steps = root.n > TIME_BITS ? root.k >> BigInt(root.n - TIME_BITS) : root.k << BigInt(TIME_BITS - root.n);
  return { toi: Number(steps) / 2 ** TIME_BITS, bound: isExact ? 0 : 2 ** -TIME_BITS };
}
