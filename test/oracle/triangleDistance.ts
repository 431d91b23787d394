// Computes the squared distance of two triangles (18 finite doubles) as a fraction of integers, without
// rounding. The distance is the min over all pairs of features: vertex and edge, vertex and face, edge and
// edge. This file is the reference for the engine's distances. It is slow and simple, and shares no code with
// the engine.

import { toIntegers } from './integers.js';
import { trianglesMeet } from './trianglesIntersect.js';

export type Vector = readonly [bigint, bigint, bigint];

/** The fraction above / below, with below > 0. */
export interface Fraction {
  above: bigint;
  below: bigint;
}

const subtract = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Vector, b: Vector): bigint => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
export const isLess = (a: Fraction, b: Fraction): boolean => a.above * b.below < b.above * a.below;

// Returns the squared distance of the point x to the segment from p to q. If p equals q, the segment is one
// point.
export function toSegment(x: Vector, p: Vector, q: Vector): Fraction {
  const along = subtract(q, p);
  const offset = subtract(x, p);
  const length = dot(along, along);
  const place = dot(along, offset);
  if (place <= 0n || length === 0n) return { above: dot(offset, offset), below: 1n };
  if (place >= length) {
    const other = subtract(x, q);
    return { above: dot(other, other), below: 1n };
  }
  return { above: dot(offset, offset) * length - place * place, below: length };
}

// Returns the squared distance of the point x to the plane of triangle abc. Returns undefined if the foot of
// the perpendicular from x is outside the triangle, or the triangle has no area.
export function toFace(x: Vector, a: Vector, b: Vector, c: Vector): Fraction | undefined {
  const normal = cross(subtract(b, a), subtract(c, a));
  const square = dot(normal, normal);
  if (square === 0n) return undefined;
  const isInside = (from: Vector, to: Vector): boolean =>
    dot(normal, cross(subtract(to, from), subtract(x, from))) >= 0n;
  if (!isInside(a, b) || !isInside(b, c) || !isInside(c, a)) return undefined;
  const height = dot(normal, subtract(x, a));
  return { above: height * height, below: square };
}

// Returns the squared distance of the lines p q and r s. Returns undefined if the lines are parallel, or if
// the nearest points of the lines are not on the segments p q and r s.
function betweenLines(p: Vector, q: Vector, r: Vector, s: Vector): Fraction | undefined {
  const along = subtract(q, p);
  const across = subtract(s, r);
  const between = subtract(r, p);
  const normal = cross(along, across);
  const square = dot(normal, normal);
  if (square === 0n) return undefined;
  const first = dot(cross(between, across), normal);
  const second = dot(cross(between, along), normal);
  if (first < 0n || first > square || second < 0n || second > square) return undefined;
  const height = dot(normal, between);
  return { above: height * height, below: square };
}

/**
 * Computes the squared distance of two triangles. corners: a0 a1 a2 b0 b1 b2 as x y z. others: numbers to
 * compare the distance with, in the unit of the corners.
 * @returns `square` and `others`, computed after the corners and `others` were all divided by the same power
 * of two, which makes them integers.
 */
export function squaredDistance(
  corners: ArrayLike<number>,
  others: readonly number[] = [],
): { square: Fraction; others: bigint[] } {
  const integers = toIntegers([...Array.from(corners), ...others]);
  const at = (corner: number): Vector => [
    integers[corner * 3],
    integers[corner * 3 + 1],
    integers[corner * 3 + 2],
  ];
  const a = [at(0), at(1), at(2)];
  const b = [at(3), at(4), at(5)];
  let square: Fraction = { above: 0n, below: 1n };
  if (!trianglesMeet(corners)) {
    const found: (Fraction | undefined)[] = [];
    for (const [one, other] of [
      [a, b],
      [b, a],
    ] as const) {
      for (const x of one) {
        found.push(toFace(x, other[0], other[1], other[2]));
        for (let i = 0; i < 3; i++) found.push(toSegment(x, other[i], other[(i + 1) % 3]));
      }
    }
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 3; j++) found.push(betweenLines(a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3]));
    square = (found.filter(Boolean) as Fraction[]).reduce((minimum, one) =>
      isLess(one, minimum) ? one : minimum,
    );
  }
  return { square, others: integers.slice(18) };
}

/**
 * Returns whether |value - distance| <= bound, where `distance` is the exact distance of the triangles. All
 * arguments must be finite.
 */
export function isWithin(corners: ArrayLike<number>, value: number, bound: number): boolean {
  const {
    square: { above, below },
    others: [computed, error],
  } = squaredDistance(corners, [value, bound]);
  const maximum = computed! + error!;
  const minimum = computed! - error!;
  return maximum * maximum * below >= above && (minimum <= 0n || minimum * minimum * below <= above);
}

/** Returns the distance of two triangles as a double, with an error of a few roundings. */
export function distanceOf(corners: ArrayLike<number>): number {
  const {
    square: { above, below },
    others: [unit],
  } = squaredDistance(corners, [2 ** -1074]);
  if (above === 0n) return 0;
  // Multiplies the quotient by a power of four, so that the square root has at least 110 bits.
  let shift = 0n;
  while ((above << (2n * shift)) / below < 1n << 220n) shift += 64n;
  const root = squareRoot((above << (2n * shift)) / below);
  const bits = BigInt(root.toString(2).length);
  const kept = bits > 60n ? bits - 60n : 0n;
  // The integer `unit` represents 2^-1074, so the integer 1 represents 2^-1074 / unit.
  const power = -1074 - (unit!.toString(2).length - 1) + Number(kept) - Number(shift);
  const half = Math.trunc(power / 2);
  return Number(root >> kept) * 2 ** half * 2 ** (power - half);
}

/** Returns the square root of a positive integer, rounded down. */
export function squareRoot(value: bigint): bigint {
  let root = 1n << BigInt(Math.ceil(value.toString(2).length / 2));
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}
