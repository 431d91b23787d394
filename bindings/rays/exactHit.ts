// Decides with BigInt arithmetic whether and where a ray hits a triangle. The kernel defers the following
// cases: rays in the plane of a triangle, triangles without area, and numbers whose exponents differ too much.

import { cross, dot, type IntegerVector, isZero, nearestDouble, subtract } from '../core/integers.js';
import { toExactIntegers } from '../mesh/trianglesIntersectExact.js';
import type { RaySide } from './rayOptions.js';

/** The parameter t of a hit at origin + t * direction, as a fraction: over / under, with under > 0. */
export interface ExactTime {
  readonly over: bigint;
  readonly under: bigint;
}

/** The vertices of a triangle, relative to the origin of the ray. */
type Points = readonly [IntegerVector, IntegerVector, IntegerVector];

const AXES = [0, 1, 2] as const;
const time = (over: bigint, under: bigint): ExactTime =>
  under < 0n ? { over: -over, under: -under } : { over, under };

/** Compares two parameters t. Returns -1 if `a` is less than `b`, 0 if they are equal, and 1 otherwise. */
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
  const vector = (i: number): IntegerVector => [numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]];
  const [origin, direction] = [vector(0), vector(1)];
  const points: Points = [
    subtract(vector(2), origin),
    subtract(vector(3), origin),
    subtract(vector(4), origin),
  ];
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
  [a, b, c]: Points,
  normal: IntegerVector,
  direction: IntegerVector,
  speed: bigint,
): ExactTime | undefined {
  const sides = [cross(a, b), cross(b, c), cross(c, a)].map(edge => dot(edge, direction));
  if (sides.some(value => value > 0n) && sides.some(value => value < 0n)) return undefined;
  const hit = time(dot(normal, a), speed);
  return hit.over < 0n ? undefined : hit;
}

// The ray is parallel to the triangle's plane, or the triangle is a segment or a point. The line of the ray
// then meets the triangle only if it meets an edge. The points are relative to the origin.
function firstInPlane(points: Points, direction: IntegerVector): ExactTime | undefined {
  const onLine: ExactTime[] = points.flatMap((point, i) => onEdge(point, points[(i + 1) % 3], direction));
  if (onLine.length === 0) return undefined;
  const first = onLine.reduce((best, one) => (compareExact(one, best) < 0 ? one : best));
  const last = onLine.reduce((best, one) => (compareExact(one, best) > 0 ? one : best));
  if (last.over < 0n) return undefined;
  return first.over < 0n ? { over: 0n, under: 1n } : first;
}

// Returns the parameters of the points that an edge shares with the line through 0: none, one, or both ends.
function onEdge(p: IntegerVector, q: IntegerVector, direction: IntegerVector): ExactTime[] {
  const atP = cross(p, direction);
  const atQ = cross(q, direction);
  const along = (point: IntegerVector): ExactTime => time(dot(point, direction), dot(direction, direction));
  if (isZero(atP)) return isZero(atQ) ? [along(p), along(q)] : [along(p)];
  if (isZero(atQ)) return [along(q)];
  // Neither end of the edge is on the line. The line meets the edge if the perpendicular vectors from the line
  // to the two ends have opposite directions. Then atP = -k * atQ for some k > 0.
  if (!isZero(cross(atP, atQ)) || dot(atP, atQ) > 0n) return [];
  const axis = AXES.find(i => atP[i] !== 0n)!;
  // The point is (q * |atP| + p * |atQ|) / (|atP| + |atQ|).
  const share = atP[axis] < 0n ? -atP[axis] : atP[axis];
  const other = atQ[axis] < 0n ? -atQ[axis] : atQ[axis];
  const point = AXES.map(i => q[i] * share + p[i] * other) as unknown as IntegerVector;
  return [time(dot(point, direction), dot(direction, direction) * (share + other))];
}

/**
 * Returns the double that is nearest to a parameter. If two doubles are equally near, returns the one whose
 * last bit is 0.
 */
export const toNearest = ({ over, under }: ExactTime): number => nearestDouble(over, under);
