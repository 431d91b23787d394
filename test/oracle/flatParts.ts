// Segments cut a triangle in a plane into parts. `flatParts` returns one point of every part, in fractions
// without rounding. It divides the plane into vertical strips between all ends and crossings of segments. In
// each strip, it takes one point between each two neighboring segments. This is slow but easy to check.

import { between, compare, divide, type Fraction, minus, ordered, plus, times } from './fractions.js';

export type FlatPoint = readonly [Fraction, Fraction];
export type FlatSegment = readonly [FlatPoint, FlatPoint];

const cross = (a: FlatPoint, b: FlatPoint, c: FlatPoint): number =>
  compare(times(minus(b[0], a[0]), minus(c[1], a[1])), times(minus(b[1], a[1]), minus(c[0], a[0])));

function isInside(triangle: readonly FlatPoint[], point: FlatPoint): boolean {
  const [a, b, c] = triangle;
  const sides = [cross(a, b, point), cross(b, c, point), cross(c, a, point)];
  return sides[0] !== 0 && sides[0] === sides[1] && sides[1] === sides[2];
}

// Returns the height of a segment at x, or undefined if the segment is vertical or x is not between its ends.
function heightAt([from, to]: FlatSegment, x: Fraction): Fraction | undefined {
  if (compare(from[0], to[0]) === 0 || compare(from[0], x) * compare(to[0], x) > 0) return undefined;
  return plus(from[1], divide(times(minus(to[1], from[1]), minus(x, from[0])), minus(to[0], from[0])));
}

// Returns the x at which two segments intersect, or undefined if they do not intersect or are parallel.
function crossing([a, b]: FlatSegment, [c, d]: FlatSegment): Fraction | undefined {
  if (cross(a, b, c) * cross(a, b, d) > 0 || cross(c, d, a) * cross(c, d, b) > 0) return undefined;
  const way = [minus(b[0], a[0]), minus(b[1], a[1])] as const;
  const other = [minus(d[0], c[0]), minus(d[1], c[1])] as const;
  const turned = minus(times(way[0], other[1]), times(way[1], other[0]));
  if (turned.over === 0n) return undefined;
  const part = divide(minus(times(minus(c[0], a[0]), other[1]), times(minus(c[1], a[1]), other[0])), turned);
  return plus(a[0], times(part, way[0]));
}

export function flatParts(triangle: readonly FlatPoint[], segments: readonly FlatSegment[]): FlatPoint[] {
  const edges = triangle.map((corner, i): FlatSegment => [corner, triangle[(i + 1) % 3]]);
  const lines = [
    ...segments.filter(
      segment => segment.some(end => isInside(triangle, end)) || edges.some(edge => crossing(edge, segment)),
    ),
    ...edges,
  ];
  const cuts = lines.flatMap((line, i) => [
    line[0][0],
    line[1][0],
    ...lines.slice(0, i).flatMap(other => crossing(line, other) ?? []),
  ]);
  const strips = ordered(cuts);
  const found: FlatPoint[] = [];
  for (let i = 0; i + 1 < strips.length; i++) {
    const x = between(strips[i], strips[i + 1]);
    const heights = ordered(lines.flatMap(line => heightAt(line, x) ?? []));
    for (let j = 0; j + 1 < heights.length; j++) {
      const point: FlatPoint = [x, between(heights[j], heights[j + 1])];
      if (isInside(triangle, point)) found.push(point);
    }
  }
  return found;
}
