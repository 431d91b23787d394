// Decides exactly, in BigInt, whether and where a ray hits a triangle. The kernel defers the cases that it does
// not decide: rays in the plane of a triangle, triangles without area, and numbers whose exponents differ too
// much.

import { toExactIntegers } from '../mesh/trianglesIntersectExact.js';
import type { RaySide } from './rayOptions.js';

type Vector = readonly [bigint, bigint, bigint];

/** The parameter of a hit: over / under, with under > 0. */
export interface ExactTime {
  readonly over: bigint;
  readonly under: bigint;
}

const AXES = [0, 1, 2] as const;
const subtract = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Vector, b: Vector): bigint => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const isZero = (a: Vector): boolean => a.every(part => part === 0n);
const time = (over: bigint, under: bigint): ExactTime =>
  under < 0n ? { over: -over, under: -under } : { over, under };

/** Returns a negative number, 0 or a positive number, as the first parameter is less, equal or greater. */
export function compareExact(a: ExactTime, b: ExactTime): number {
  const difference = a.over * b.under - b.over * a.under;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/**
 * Returns the smallest parameter from 0 to max at which the ray is in the closed triangle; undefined if there
 * is none. ray: origin and direction. corners: nine doubles. max may be Infinity.
 */
export function exactHit(
  ray: Float64Array,
  corners: Float64Array,
  max: number,
  side: RaySide,
): ExactTime | undefined {
  // Scaling all points and the direction by one factor does not change the parameter.
  const numbers = toExactIntegers(Float64Array.of(...ray, ...corners));
  const vector = (i: number): Vector => [numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]];
  const [origin, direction] = [vector(0), vector(1)];
  const points = [2, 3, 4].map(i => subtract(vector(i), origin)) as [Vector, Vector, Vector];
  const normal = cross(subtract(points[1], points[0]), subtract(points[2], points[0]));
  const speed = dot(normal, direction);
  if ((side === 'front' && speed >= 0n) || (side === 'back' && speed <= 0n)) return undefined;
  const hit = speed === 0n ? firstInPlane(points, direction) : crossing(points, normal, direction, speed);
  if (!hit || max === Infinity) return hit;
  // Both numbers are multiplied by the same power of two.
  const [one, limit] = toExactIntegers(Float64Array.of(1, max));
  return compareExact(hit, { over: limit, under: one }) > 0 ? undefined : hit;
}

function crossing(
  [a, b, c]: readonly [Vector, Vector, Vector],
  normal: Vector,
  direction: Vector,
  speed: bigint,
): ExactTime | undefined {
  const sides = [cross(a, b), cross(b, c), cross(c, a)].map(edge => dot(edge, direction));
  if (sides.some(value => value > 0n) && sides.some(value => value < 0n)) return undefined;
  const hit = time(dot(normal, a), speed);
  return hit.over < 0n ? undefined : hit;
}

// The ray is parallel to the triangle's plane, or the triangle is a segment or a point. The line of the ray
// then meets the triangle only if it meets an edge. The points are relative to the origin.
function firstInPlane(points: readonly [Vector, Vector, Vector], direction: Vector): ExactTime | undefined {
  const onLine: ExactTime[] = points.flatMap((point, i) => onEdge(point, points[(i + 1) % 3], direction));
  if (onLine.length === 0) return undefined;
  const first = onLine.reduce((best, one) => (compareExact(one, best) < 0 ? one : best));
  const last = onLine.reduce((best, one) => (compareExact(one, best) > 0 ? one : best));
  if (last.over < 0n) return undefined;
  return first.over < 0n ? { over: 0n, under: 1n } : first;
}

// Returns the parameters of the points that an edge shares with the line through 0: none, one, or both ends.
function onEdge(p: Vector, q: Vector, direction: Vector): ExactTime[] {
  const atP = cross(p, direction);
  const atQ = cross(q, direction);
  const along = (point: Vector): ExactTime => time(dot(point, direction), dot(direction, direction));
  if (isZero(atP)) return isZero(atQ) ? [along(p), along(q)] : [along(p)];
  if (isZero(atQ)) return [along(q)];
  // The edge meets the line between its ends if the distances of the ends from the line are opposite: then atP
  // = -k * atQ for a k > 0.
  if (!isZero(cross(atP, atQ)) || dot(atP, atQ) > 0n) return [];
  const axis = AXES.find(i => atP[i] !== 0n)!;
  // The point is (q * |atP| + p * |atQ|) / (|atP| + |atQ|).
  const share = atP[axis] < 0n ? -atP[axis] : atP[axis];
  const other = atQ[axis] < 0n ? -atQ[axis] : atQ[axis];
  const point = AXES.map(i => q[i] * share + p[i] * other) as unknown as Vector;
  return [time(dot(point, direction), dot(direction, direction) * (share + other))];
}

/** Returns the double that is nearest to a parameter >= 0; of two equally near doubles, the even one. */
export function toNearest({ over, under }: ExactTime): number {
  if (over === 0n) return 0;
  // The quotient is less than 2^54 units of 2^exponent. The last place of a double is at least 2^-1074.
  let exponent = Math.max(bitsOf(over) - bitsOf(under) - 53, -1074);
  if (quotient(over, under, exponent).digits >= 2n ** 53n) exponent++;
  const { digits, rest, divisor } = quotient(over, under, exponent);
  const isUp = 2n * rest > divisor || (2n * rest === divisor && (digits & 1n) === 1n);
  return Number(isUp ? digits + 1n : digits) * 2 ** exponent;
}

const bitsOf = (value: bigint): number => value.toString(2).length;

function quotient(over: bigint, under: bigint, exponent: number) {
  const scaled = exponent < 0 ? over << BigInt(-exponent) : over;
  const divisor = exponent < 0 ? under : under << BigInt(exponent);
  return { digits: scaled / divisor, rest: scaled % divisor, divisor };
}
