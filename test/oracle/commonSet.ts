// Computes the points that two triangles (18 finite doubles) have in common, in integers without rounding.
// Describes one triangle as an intersection of half spaces, and clips the other triangle with each of them.
// This file is the reference for the engine's contact kinds and contact points. It is slow and simple, and
// shares no code with the engine.

import { toIntegers } from './integers.js';

export type Vector = readonly [bigint, bigint, bigint];
/** The point (x, y, z) / w, with w > 0. */
export type Point = readonly [bigint, bigint, bigint, bigint];
/** The points x with normal . x >= offset. */
export interface HalfSpace {
  normal: Vector;
  offset: bigint;
}

export interface CommonSetTruth {
  kind: 'nothing' | 'cross' | 'touch point' | 'touch segment' | 'coplanar same' | 'coplanar opposite';
  /**
   * Corners of the common set, rounded to the nearest doubles. n_a and n_b are the normals of the triangles.
   * The two ends of a segment are ordered in the direction of n_a x n_b; if n_a x n_b is 0, the
   * lexicographically smaller end is first. The corners of a polygon wind around n_a and start with the
   * lexicographically smallest corner.
   */
  points: number[][];
}

const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const negative = (a: Vector): Vector => [-a[0], -a[1], -a[2]];
const dot = (a: Vector, b: Vector): bigint => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const isZero = (a: Vector): boolean => a.every(value => value === 0n);
const size = (value: bigint): bigint => (value < 0n ? -value : value);

function divisor(a: bigint, b: bigint): bigint {
  while (b !== 0n) [a, b] = [b, a % b];
  return a;
}

function reduced(point: Point): Point {
  const common = point.reduce((known, value) => divisor(known, size(value)), 0n);
  return point.map(value => value / common) as unknown as Point;
}

const above = (normal: Vector, through: Vector): HalfSpace => ({ normal, offset: dot(normal, through) });
const onPlane = (normal: Vector, through: Vector): HalfSpace[] => [
  above(normal, through),
  above(negative(normal), through),
];

// Returns half spaces whose intersection is the triangle abc. If the triangle is degenerate, this
// intersection is a segment or a point.
export function halfSpacesOf([a, b, c]: readonly [Vector, Vector, Vector]): HalfSpace[] {
  const normal = cross(minus(b, a), minus(c, a));
  if (!isZero(normal))
    return [
      ...onPlane(normal, a),
      ...(
        [
          [a, b],
          [b, c],
          [c, a],
        ] as const
      ).map(([from, to]) => above(cross(normal, minus(to, from)), from)),
    ];
  const along = [minus(b, a), minus(c, b), minus(a, c)].find(difference => !isZero(difference));
  const axes: Vector[] = [
    [1n, 0n, 0n],
    [0n, 1n, 0n],
    [0n, 0n, 1n],
  ];
  if (!along) return axes.flatMap(axis => onPlane(axis, a));
  const places = [a, b, c].map(corner => dot(along, corner));
  const minimum = places.reduce((x, y) => (x < y ? x : y));
  const maximum = places.reduce((x, y) => (x > y ? x : y));
  return [
    ...axes
      .map(axis => cross(along, axis))
      .filter(difference => !isZero(difference))
      .flatMap(difference => onPlane(difference, a)),
    { normal: along, offset: minimum },
    { normal: negative(along), offset: -maximum },
  ];
}

// Clips a convex polygon with a half space.
function clip(points: Point[], { normal, offset }: HalfSpace): Point[] {
  const height = ([x, y, z, w]: Point): bigint => dot(normal, [x, y, z]) - offset * w;
  return points.flatMap((point, i) => {
    const next = points[(i + 1) % points.length];
    const [from, to] = [height(point), height(next)];
    const kept = from >= 0n ? [point] : [];
    if (from * to >= 0n) return kept;
    const sign = to > from ? 1n : -1n;
    return [
      ...kept,
      reduced(point.map((value, axis) => (value * to - next[axis] * from) * sign) as unknown as Point),
    ];
  });
}

const key = (point: Point): string => point.join();
const place = (point: Point): Vector => [point[0], point[1], point[2]];
// Returns the vector from p to q, multiplied by the divisors w of both points.
const difference = (p: Point, q: Point): Vector =>
  minus(
    place(q).map(value => value * p[3]) as unknown as Vector,
    place(p).map(value => value * q[3]) as unknown as Vector,
  );

// Returns only the corners of a clipped polygon: drops duplicate points, and points in the interior of an
// edge.
function cornersOf(points: Point[]): Point[] {
  const distinct = [...new Map(points.map(point => [key(point), point])).values()];
  if (distinct.length < 3) return distinct;
  const isCorner = (point: Point): boolean =>
    !distinct.some(p =>
      distinct.some(
        q =>
          p !== point &&
          q !== point &&
          p !== q &&
          isZero(cross(difference(p, point), difference(point, q))) &&
          dot(difference(p, point), difference(point, q)) > 0n,
      ),
    );
  return distinct.filter(isCorner);
}

/**
 * Returns the double nearest to n / d * 2^exponent. Of two doubles that are equally near, returns the one
 * with an even last bit.
 */
export function nearestDouble(n: bigint, d: bigint, exponent: number): number {
  if (n === 0n) return 0;
  if (n < 0n) return 0 - nearestDouble(-n, d, exponent);
  // The loop below increases `unit` until 2^unit is the result's unit in the last place. The value is then
  // 2^52 to 2^53 times 2^unit, or less if 2^unit is the smallest denormal.
  let unit = Math.max(-1074, exponent + n.toString(2).length - d.toString(2).length - 54);
  const ratio = (): [bigint, bigint] =>
    unit <= exponent ? [n << BigInt(exponent - unit), d] : [n, d << BigInt(unit - exponent)];
  const whole = (): bigint => {
    const [top, bottom] = ratio();
    return top / bottom;
  };
  while (whole() >= 2n ** 53n) unit++;
  const [top, bottom] = ratio();
  const floor = top / bottom;
  const twice = 2n * (top % bottom);
  const rounded = twice > bottom || (twice === bottom && floor % 2n === 1n) ? floor + 1n : floor;
  return Number(rounded) * 2 ** unit;
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (let axis = 0; axis < 3; axis++) if (a[axis] !== b[axis]) return a[axis] - b[axis];
  return 0;
}

/** Returns the exact corners of the common set of two triangles with integer corners. */
export const commonCorners = (
  a: readonly [Vector, Vector, Vector],
  b: readonly [Vector, Vector, Vector],
): Point[] =>
  cornersOf(
    halfSpacesOf(b).reduce(
      clip,
      a.map((point): Point => [...point, 1n]),
    ),
  );

/** Returns the common points of two triangles. corners: 18 finite doubles, a0 a1 a2 b0 b1 b2 as x y z. */
export function commonSet(corners: ArrayLike<number>): CommonSetTruth {
  // The exponent of the lowest bit of all coordinates: the integer 1 stands for 2^exponent.
  const exponent = Array.from(corners).reduce(
    (minimum, value) => Math.min(minimum, value === 0 ? 1100 : lastBit(value)),
    1100,
  );
  const integers = toIntegers(corners);
  const at = (i: number): Vector => [integers[3 * i], integers[3 * i + 1], integers[3 * i + 2]];
  const a = [at(0), at(1), at(2)] as const;
  const b = [at(3), at(4), at(5)] as const;
  const normals = [a, b].map(([p, q, r]) => cross(minus(q, p), minus(r, p))) as [Vector, Vector];
  const ends = commonCorners(a, b);
  const line = cross(...normals);
  const round = (point: Point): number[] =>
    place(point).map(value => nearestDouble(value, point[3], exponent));
  if (ends.length === 0) return { kind: 'nothing', points: [] };
  if (ends.length === 1) return { kind: 'touch point', points: ends.map(round) };
  if (ends.length === 2) {
    if (isZero(line)) return { kind: 'touch segment', points: ends.map(round).sort(compare) };
    const directed = dot(line, difference(ends[0], ends[1])) > 0n ? ends : ends.reverse();
    return {
      kind: isThrough(a, normals[1], b[0]) && isThrough(b, normals[0], a[0]) ? 'cross' : 'touch segment',
      points: directed.map(round),
    };
  }
  const isRight = dot(normals[0], cross(difference(ends[0], ends[1]), difference(ends[0], ends[2]))) > 0n;
  const around = (isRight ? ends : ends.reverse()).map(round);
  const rotations = around.map((_, i) => [...around.slice(i), ...around.slice(0, i)]);
  rotations.sort((x, y) => x.map((point, i) => compare(point, y[i])).find(order => order !== 0) ?? 0);
  return { kind: dot(...normals) > 0n ? 'coplanar same' : 'coplanar opposite', points: rotations[0] };
}

function isThrough(points: readonly Vector[], normal: Vector, through: Vector): boolean {
  const heights = points.map(point => dot(normal, minus(point, through)));
  return heights.some(height => height > 0n) && heights.some(height => height < 0n);
}

// Returns the exponent of the last place of a double.
function lastBit(value: number): number {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  return Math.max(Number((bits.getBigUint64(0) >> 52n) & 0x7ffn), 1) - 1075;
}
