// Computes in exact fractions which clash class two placed triangle soups have: apart, touch, coplanar, hard
// or contained, as the guide Contacts defines them. (The class `clearance` and depths are not computed.) The
// code is slow and shares nothing with the engine. It divides triangles into vertical strips, and decides
// whether a point is inside a soup by the crossings of a ray with all triangles.

import { boxPairs, type Pair, triangleBoxes } from './bruteForce.js';
import { type FlatPoint, type FlatSegment, flatParts } from './flatParts.js';
import {
  compare,
  cross,
  divide,
  dot,
  type Fraction,
  fraction,
  isZero,
  minus,
  plus,
  type RationalPoint,
  rationalPoint,
  signOf,
  subtract,
  times,
  type Vector,
} from './fractions.js';
import { toIntegers } from './integers.js';
import { trianglesMeet } from './trianglesIntersect.js';
import { type Soup, windingBeyond } from './windings.js';

export type SolidClass = 'apart' | 'touch' | 'coplanar' | 'hard' | 'contained';
export interface SolidAnswer {
  class: SolidClass;
  which?: 'a' | 'b';
  pairs: number;
  duplicate: boolean;
}

type Triangle = readonly [Vector, Vector, Vector];
interface Part {
  soup: Soup;
  isClosed: boolean;
  axes: number[];
}
const EDGES = [
  [0, 1],
  [1, 2],
  [2, 0],
] as const;

/**
 * Returns the class of two solids. cornersA, cornersB: nine doubles per triangle. known: the intersecting
 * pairs of triangles; if undefined, they are computed.
 */
export function solidClass(
  cornersA: Float64Array,
  cornersB: Float64Array,
  known?: readonly Pair[],
): SolidAnswer {
  const a = partOf(cornersA, cornersA, cornersB);
  const b = partOf(cornersB, cornersA, cornersB);
  const pairs =
    known ??
    boxPairs(a.soup.boxes, b.soup.boxes).filter(([i, j]) =>
      trianglesMeet([...cornersA.subarray(9 * i, 9 * i + 9), ...cornersB.subarray(9 * j, 9 * j + 9)]),
    );
  const duplicate = triangleNames(cornersA).join() === triangleNames(cornersB).join();
  const answer = { pairs: pairs.length, duplicate };
  if (pairs.length === 0) return { ...apartOrWithin(a, b), ...answer };
  const shared = pairs.map(([i, j]) => sharedBy(a.soup.triangles[i], b.soup.triangles[j]));
  if (duplicate || shared.some(({ crosses }) => crosses)) return { class: 'hard', ...answer };
  if (reachesIn(a, b, pairs, shared, 0) || reachesIn(b, a, pairs, shared, 1))
    return { class: 'hard', ...answer };
  return { class: shared.some(({ area }) => area) ? 'coplanar' : 'touch', ...answer };
}

function partOf(corners: Float64Array, ...all: Float64Array[]): Part {
  const both = Float64Array.from(all.flatMap(list => [...list]));
  const from = corners === all[0] ? 0 : all[0].length;
  const whole = toIntegers(both);
  const at = (i: number): Vector => [whole[from + i], whole[from + i + 1], whole[from + i + 2]];
  const triangles = Array.from(
    { length: corners.length / 9 },
    (_, i): Triangle => [at(9 * i), at(9 * i + 3), at(9 * i + 6)],
  );
  const scale = both.findIndex(value => value !== 0);
  const unit = scale < 0 ? 1 : Number(whole[scale]) / both[scale];
  const axes = triangles.map(triangle => {
    const sizes = normalOf(triangle).map(part => (part < 0n ? -part : part));
    return sizes.every(part => part === 0n)
      ? -1
      : sizes.indexOf(sizes.reduce((maximum, part) => (part > maximum ? part : maximum)));
  });
  return {
    soup: { triangles, boxes: triangleBoxes(corners), unit },
    isClosed: triangles.length > 0 && isClosed(corners),
    axes,
  };
}

const normalOf = ([a, b, c]: Triangle): Vector => cross(subtract(b, a), subtract(c, a));
const nameOf = (corners: Float64Array, at: number): string =>
  Array.from(corners.subarray(at, at + 3), value => String(value + 0)).join(' ');
const triangleNames = (corners: Float64Array): string[] =>
  Array.from({ length: corners.length / 9 }, (_, i) =>
    [0, 3, 6]
      .map(at => nameOf(corners, 9 * i + at))
      .sort()
      .join('|'),
  ).sort();

function isClosed(corners: Float64Array): boolean {
  const uses = new Map<string, number>();
  for (let at = 0; at < corners.length; at += 9) {
    for (const [i, j] of EDGES) {
      const from = nameOf(corners, at + 3 * i);
      const to = nameOf(corners, at + 3 * j);
      if (from !== to) uses.set(`${from}|${to}`, (uses.get(`${from}|${to}`) ?? 0) + 1);
    }
  }
  return [...uses].every(([edge, count]) => count === (uses.get(edge.split('|').reverse().join('|')) ?? 0));
}

interface Shared {
  crosses: boolean;
  area: boolean;
  segments: [RationalPoint, RationalPoint][];
}

// Returns what two intersecting triangles share. segments: the segment in which the triangles intersect, or
// none if they share only one point. If the triangles are parallel, or one of them has no area, `segments`
// are the edges of both.
function sharedBy(s: Triangle, t: Triangle): Shared {
  const normalS = normalOf(s);
  const normalT = normalOf(t);
  const line = cross(normalS, normalT);
  const whole = (point: Vector): RationalPoint => ({ at: point, under: 1n });
  const edges = (triangle: Triangle): [RationalPoint, RationalPoint][] =>
    EDGES.map(([i, j]) => [whole(triangle[i]), whole(triangle[j])]);
  if (isZero(line))
    return {
      crosses: false,
      area: !isZero(normalS) && !isZero(normalT) && shareArea(s, t, normalS),
      segments: [...edges(s), ...edges(t)],
    };
  const onLine = (own: Triangle, normal: Vector, origin: Vector): RationalPoint[] => {
    const heights = own.map(corner => dot(normal, subtract(corner, origin)));
    return EDGES.flatMap(([i, j]): RationalPoint[] => {
      if (heights[i] === 0n) return [whole(own[i])];
      if (signOf(heights[i]) * signOf(heights[j]) >= 0) return [];
      const under = heights[i] - heights[j];
      const at = [0, 1, 2].map(
        axis => own[j][axis] * heights[i] - own[i][axis] * heights[j],
      ) as unknown as Vector;
      return [under > 0n ? { at, under } : { at: at.map(part => -part) as unknown as Vector, under: -under }];
    });
  };
  const byPlace = (points: RationalPoint[]): { place: Fraction; point: RationalPoint }[] =>
    points
      .map(point => ({ place: fraction(dot(line, point.at), point.under), point }))
      .sort((x, y) => compare(x.place, y.place));
  const onS = byPlace(onLine(s, normalT, t[0]));
  const onT = byPlace(onLine(t, normalS, s[0]));
  if (onS.length === 0 || onT.length === 0) return { crosses: false, area: false, segments: [] };
  const start = compare(onS[0].place, onT[0].place) > 0 ? onS[0] : onT[0];
  const end = compare(onS.at(-1)!.place, onT.at(-1)!.place) < 0 ? onS.at(-1)! : onT.at(-1)!;
  const isLong = compare(start.place, end.place) < 0;
  const passes = (own: Triangle, normal: Vector, origin: Vector): boolean => {
    const sides = own.map(corner => signOf(dot(normal, subtract(corner, origin))));
    return sides.includes(1) && sides.includes(-1);
  };
  return {
    crosses: isLong && passes(s, normalT, t[0]) && passes(t, normalS, s[0]),
    area: false,
    segments: isLong ? [[start.point, end.point]] : [],
  };
}

// Returns whether two triangles in one plane share an area. Cuts s into parts by the edges of t, and tests
// whether a part lies in t.
function shareArea(s: Triangle, t: Triangle, normal: Vector): boolean {
  const axis = normal.findIndex(part => part !== 0n);
  const flat = (point: Vector): FlatPoint => flatten({ at: point, under: 1n }, axis);
  const target = t.map(flat);
  const edges = EDGES.map(([i, j]): FlatSegment => [target[i], target[j]]);
  return flatParts(s.map(flat), edges).some(point => isIn(target, point));
}

function isIn(triangle: readonly FlatPoint[], p: FlatPoint): boolean {
  const side = (a: FlatPoint, b: FlatPoint): number =>
    compare(times(minus(b[0], a[0]), minus(p[1], a[1])), times(minus(b[1], a[1]), minus(p[0], a[0])));
  const sides = EDGES.map(([i, j]) => side(triangle[i], triangle[j]));
  return sides[0] !== 0 && sides[0] === sides[1] && sides[1] === sides[2];
}

const flatten = ({ at, under }: RationalPoint, axis: number): FlatPoint => [
  fraction(at[(axis + 1) % 3], under),
  fraction(at[(axis + 2) % 3], under),
];

// Returns the point of a triangle's plane that projects to `point` along the axis.
function lift(point: FlatPoint, triangle: Triangle, axis: number): RationalPoint {
  const normal = normalOf(triangle);
  const u = (axis + 1) % 3;
  const v = (axis + 2) % 3;
  const part = (i: number): Fraction => fraction(normal[i]);
  const origin = triangle[0];
  const fall = plus(
    times(part(u), minus(point[0], fraction(origin[u]))),
    times(part(v), minus(point[1], fraction(origin[v]))),
  );
  const parts: Fraction[] = [];
  parts[u] = point[0];
  parts[v] = point[1];
  parts[axis] = minus(fraction(origin[axis]), divide(fall, part(axis)));
  return rationalPoint(parts);
}

// Returns whether `own` reaches into the solid `other`: a triangle of `own` with nonzero area has a point
// inside `other`, or both solids lie on the same side of an area that they share.
function reachesIn(
  own: Part,
  other: Part,
  pairs: readonly Pair[],
  shared: readonly Shared[],
  side: 0 | 1,
): boolean {
  if (!other.isClosed) return false;
  const intersecting = new Map<number, number[]>();
  const metByOther = new Map<number, number[]>();
  for (const [i, pair] of pairs.entries()) {
    for (const [of, triangle] of [
      [intersecting, pair[side]],
      [metByOther, pair[1 - side]],
    ] as const)
      of.set(triangle, [...(of.get(triangle) ?? []), i]);
  }
  return own.soup.triangles.some((triangle, number) => {
    const axis = own.axes[number];
    if (axis < 0) return false;
    const contacts = intersecting.get(number) ?? [];
    const sharing = contacts.filter(i => shared[i].area).flatMap(i => metByOther.get(pairs[i][1 - side])!);
    const normal = normalOf(triangle);
    const inPlane = (point: RationalPoint): boolean =>
      dot(normal, point.at) === dot(normal, triangle[0]) * point.under;
    const segments = [...new Set([...contacts, ...sharing])]
      .flatMap(i => shared[i].segments)
      .filter(ends => ends.every(inPlane));
    const flat = triangle.map(corner => flatten({ at: corner, under: 1n }, axis));
    const parts = flatParts(
      flat,
      distinct(segments.map(([from, to]): FlatSegment => [flatten(from, axis), flatten(to, axis)])),
    );
    return parts.some(point => reachesInAt(lift(point, triangle, axis), axis, own, other));
  });
}

function distinct(segments: FlatSegment[]): FlatSegment[] {
  const named = new Map(
    segments.map(segment => [
      segment
        .map(([x, y]) => `${x.over}/${x.under},${y.over}/${y.under}`)
        .sort()
        .join(),
      segment,
    ]),
  );
  return [...named.values()];
}

function reachesInAt(point: RationalPoint, axis: number, own: Part, other: Part): boolean {
  const ways = [1n, -1n] as const;
  const inOther = ways.map(way => windingBeyond(other.soup, point, axis, way) !== 0);
  if (inOther[0] && inOther[1]) return true;
  return own.isClosed && ways.some((way, i) => inOther[i] && windingBeyond(own.soup, point, axis, way) !== 0);
}

function apartOrWithin(a: Part, b: Part): { class: SolidClass; which?: 'a' | 'b' } {
  const share = (own: Part, other: Part): 'none' | 'some' | 'all' => {
    if (!other.isClosed) return 'none';
    const inside = own.soup.triangles.map(
      triangle => windingBeyond(other.soup, { at: triangle[0], under: 1n }, 2, 1n) !== 0,
    );
    return !inside.includes(true) ? 'none' : inside.includes(false) ? 'some' : 'all';
  };
  const [aInB, bInA] = [share(a, b), share(b, a)];
  if (aInB === 'none' && bInA === 'none') return { class: 'apart' };
  if (bInA === 'all' && aInB === 'none') return { class: 'contained', which: 'a' };
  if (aInB === 'all' && bInA === 'none') return { class: 'contained', which: 'b' };
  return { class: 'hard' };
}
