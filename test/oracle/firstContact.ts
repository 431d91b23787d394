// Decides exactly whether two features (a vertex and a face, or two edges) touch while their vertices move in
// straight lines from time 0 to 1. Returns the first time of contact as an algebraic number. Examines every
// time at which a contact can begin. A query has 24 doubles: four points at time 0, then the same points at
// time 1.

import { toIntegers } from './integers.js';
import {
  type Algebraic,
  compare,
  middleOf,
  minus,
  type Poly,
  plus,
  rootsIn01,
  signAtRoot,
  times,
} from './sturm.js';

type Vector = [Poly, Poly, Poly];

const subtract = (a: Vector, b: Vector): Vector => [minus(a[0], b[0]), minus(a[1], b[1]), minus(a[2], b[2])];
const dot = (a: Vector, b: Vector): Poly =>
  plus(plus(times(a[0], b[0]), times(a[1], b[1])), times(a[2], b[2]));
const cross = (a: Vector, b: Vector): Vector => [
  minus(times(a[1], b[2]), times(a[2], b[1])),
  minus(times(a[2], b[0]), times(a[0], b[2])),
  minus(times(a[0], b[1]), times(a[1], b[0])),
];

// Returns the sign that a polynomial has at the time that is examined.
type SignOf = (p: Poly) => number;

// Returns whether a point touches a triangle: it is on an edge, or in the triangle's plane and on the inner
// side of all edges.
function vertexTouches([p, a, b, c]: Vector[], signOf: SignOf): boolean {
  const segments: [Vector, Vector][] = [
    [a!, b!],
    [b!, c!],
    [c!, a!],
  ];
  if (segments.some(([from, to]) => isOnSegment(p!, from, to, signOf))) return true;
  const normal = cross(subtract(b!, a!), subtract(c!, a!));
  return (
    segments.every(([from, to]) => signOf(dot(normal, cross(subtract(from, p!), subtract(to, p!)))) > 0) &&
    signOf(dot(normal, subtract(p!, a!))) === 0
  );
}

function isOnSegment(p: Vector, a: Vector, b: Vector, signOf: SignOf): boolean {
  const toA = subtract(a, p);
  const toB = subtract(b, p);
  return signOf(dot(toA, toB)) <= 0 && cross(toA, toB).every(part => signOf(part) === 0);
}

// Returns whether two segments touch: an end of one segment lies on the other, or both segments lie in one
// plane and the line of each segment strictly separates the ends of the other.
function edgesTouch([a, b, c, d]: Vector[], signOf: SignOf): boolean {
  if (
    isOnSegment(a!, c!, d!, signOf) ||
    isOnSegment(b!, c!, d!, signOf) ||
    isOnSegment(c!, a!, b!, signOf) ||
    isOnSegment(d!, a!, b!, signOf)
  )
    return true;
  const normal = cross(subtract(b!, a!), subtract(d!, c!));
  const side = (p: Vector, from: Vector, to: Vector) =>
    signOf(dot(normal, cross(subtract(to, from), subtract(p, from))));
  return (
    side(c!, a!, b!) * side(d!, a!, b!) < 0 &&
    side(a!, c!, d!) * side(b!, c!, d!) < 0 &&
    signOf(dot(normal, subtract(c!, a!))) === 0
  );
}

/**
 * Returns the first time of contact, or undefined if the features never touch. isFace: the first point is a
 * vertex, and the others are a face; otherwise the first two points are an edge, and the last two are the
 * other edge.
 */
export function firstContact(query: ArrayLike<number>, isFace: boolean): Algebraic | undefined {
  const whole = toIntegers(query);
  const points = [0, 1, 2, 3].map(
    i =>
      [0, 1, 2].map(axis =>
        plus([whole[3 * i + axis], whole[12 + 3 * i + axis] - whole[3 * i + axis]], []),
      ) as Vector,
  );
  const touches = isFace ? vertexTouches : edgesTouch;
  const volume = dot(
    cross(subtract(points[1], points[0]), subtract(points[2], points[0])),
    subtract(points[3], points[0]),
  );
  const start: Algebraic = { of: [0n, 1n], low: { num: -1n, den: 1n }, high: { num: 0n, den: 1n } };
  // When the features touch, their four points lie in one plane, so the volume of their tetrahedron is 0. If
  // this volume is 0 at all times, contact can begin only at a root of another polynomial of the contact
  // test.
  const critical = volume.length > 0 ? [volume] : criticalOf(points, isFace);
  const candidates = [start, ...critical.filter(p => p.length > 0).flatMap(rootsIn01)];
  return candidates
    .filter(time => touches(points, p => (p.length === 0 ? 0 : signAtRoot(p, time))))
    .reduce<Algebraic | undefined>(earlier, undefined);
}

function criticalOf(points: Vector[], isFace: boolean): Poly[] {
  const [a, b, c, d] = points;
  const segments: [Vector, Vector, Vector][] = isFace
    ? [
        [a, b, c],
        [a, c, d],
        [a, d, b],
      ]
    : [
        [a, c, d],
        [b, c, d],
        [c, a, b],
        [d, a, b],
      ];
  return segments.flatMap(([p, from, to]) => {
    const toA = subtract(from, p);
    const toB = subtract(to, p);
    return [...cross(toA, toB), dot(toA, toB)];
  });
}

function earlier(first: Algebraic | undefined, other: Algebraic): Algebraic {
  if (!first) return other;
  let low = other.low;
  let high = other.high;
  // Bisects the interval of the root `other` until this interval no longer contains the root `first`, or is
  // so short that both must be the same root.
  for (let step = 0; step < 200; step++) {
    if (compare(first, high) > 0) return other;
    if (compare(first, low) <= 0) return first;
    const middle = middleOf(low, high);
    if (compare(other, middle) <= 0) high = middle;
    else low = middle;
  }
  return first;
}
