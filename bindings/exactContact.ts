// Two moving features in doubles of any range -> do they ever touch, and when first? In integers, for what the kernel cannot tell.
import { commonFactor, difference, primitive, product, refine, rootsOf, signAt, signAtRoot, sum, type Polynomial, type Root } from './polynomials.js';

/** A contact's first time lies in toi..toi + bound. */
export interface ExactContact { readonly toi: number; readonly bound: number }

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
  const points = differencesOf(query, isFace), edges = edgesOf(points);
  if (touchesAtStart(points)) return { toi: 0, bound: 0 };
  const times = [...crossings(points, edges), ...edges.flatMap(([a, b]) => hitsOf(a, b))];
  return times.map(timeOf).reduce<ExactContact | undefined>((first, time) => (first && first.toi <= time.toi ? first : time), undefined);
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
  const pairs = isFace ? [[0, 1], [0, 2], [0, 3]] : [[0, 2], [1, 2], [1, 3], [0, 3]];
  return pairs.map(([a, b]) => minus(point(a!), point(b!)));
}

// Doubles -> integers with one common factor, a power of two.
function onCommonGrid(values: Float64Array): bigint[] {
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
  const still = points.map(point => point.map(([start]) => [start!]) as unknown as Vector), normal = normalOf(still), edges = edgesOf(still);
  if (!isZero(dot(normal, still[0]!))) return false;
  return edges.every(([a, b]) => signAt(dot(normal, cross(a, b)), 0n, 0) > 0) || edges.some(([a, b]) => cross(a, b).every(isZero) && signAt(dot(a, b), 0n, 0) <= 0);
}

// Times at which the origin lies strictly within. Where it stays in the plane of the points all the time it is within from the
// start, or has to cross an edge first.
function crossings(points: readonly Vector[], edges: readonly (readonly [Vector, Vector])[]): Root[] {
  const normal = normalOf(points), volume = volumeOf(points);
  const turns = edges.map(([a, b]) => dot(normal, cross(a, b)));
  if (isZero(volume)) return turns.every(turn => signAt(turn, 0n, 0) > 0) ? [start()] : [];
  const inside = rootsOf(volume).find(root => turns.every(turn => signAtRoot(turn, root) > 0));
  return inside ? [inside] : [];
}

// The first time at which the segment from a to b holds the origin.
function hitsOf(a: Vector, b: Vector): Root[] {
  const inLine = cross(a, b).reduce<Polynomial>((factor, part) => commonFactor(factor, part), []);
  const between = dot(a, b);
  if (inLine.length > 0) {
    const hit = rootsOf(inLine).find(root => signAtRoot(between, root) <= 0);
    return hit ? [hit] : [];
  }
  if (signAt(between, 0n, 0) <= 0) return [start()];
  return rootsOf(between).slice(0, 1);
}

const start = (): Root => ({ of: primitive([0n, 1n]), k: 0n, n: 0, before: 0 });

function timeOf(root: Root): ExactContact {
  while (root.before !== 0 && root.n < TIME_BITS) refine(root);
  const isExact = root.before === 0 && root.n <= TIME_BITS;
  const steps = root.n > TIME_BITS ? root.k >> BigInt(root.n - TIME_BITS) : root.k << BigInt(TIME_BITS - root.n);
  return { toi: Number(steps) / 2 ** TIME_BITS, bound: isExact ? 0 : 2 ** -TIME_BITS };
}
