// Bounds the length of the parts of a line that segments cover and polygons do not, in exact arithmetic.

import { cross, dot, type IntegerVector, isZero, subtract } from '../../core/integers.js';
import { type HomogeneousPoint, scale, vectorTo } from '../intersectTrianglesExact.js';
import type { ProvenBounds } from '../volume/faceSums.js';
import { BoundsSum, rootBounds } from './roots.js';

/** A segment with exact ends. Its length is not 0. */
export interface ExactSegment {
  from: HomogeneousPoint;
  to: HomogeneousPoint;
}
/** Three corners of a triangle with area. */
export type ExactTriangle = readonly IntegerVector[];

/** The fraction over / under, with under > 0. */
interface Fraction {
  over: bigint;
  under: bigint;
}
interface Interval {
  from: Fraction;
  to: Fraction;
}

const isLess = (a: Fraction, b: Fraction): boolean => a.over * b.under < b.over * a.under;

/** Returns whether both segments lie on one line. */
export function areCollinear({ from, to }: ExactSegment, other: ExactSegment): boolean {
  const along = vectorTo(from, to);
  return isZero(cross(along, vectorTo(from, other.from))) && isZero(cross(along, vectorTo(from, other.to)));
}

/**
 * Returns bounds of the length of those parts of the union of segments that lie outside of polygons. The ends
 * of these parts are computed exactly, and only their lengths are rounded, outward.
 * @param segments Segments on one line; at least one.
 * @param areas Two triangles for each polygon, which is their common part.
 * @param exponent Coordinates are in units of 2^exponent.
 */
export function lengthOnLine(
  segments: readonly ExactSegment[],
  areas: readonly (readonly [ExactTriangle, ExactTriangle])[],
  exponent: number,
): ProvenBounds {
  const [line] = segments;
  const ends = segments.map(segment => intervalOn(line, segment));
  const gaps = areas.flatMap(area => clipLine(line, area) ?? []);
  const along = vectorTo(line.from, line.to);
  const weights = line.from.weight * line.to.weight;
  const sum = new BoundsSum();
  for (const { from, to } of without(ends, gaps)) {
    const part = to.over * from.under - from.over * to.under;
    const under = to.under * from.under * weights;
    sum.add(rootBounds(part * part * dot(along, along), under * under, exponent));
  }
  return sum.bounds;
}

// Returns where a segment lies on the line through the segment `line`. On this line, the start of `line` is at
// 0, and its end is at 1.
function intervalOn(line: ExactSegment, { from, to }: ExactSegment): Interval {
  const along = vectorTo(line.from, line.to);
  const size = dot(along, along);
  const at = (point: HomogeneousPoint): Fraction => ({
    over: dot(along, vectorTo(line.from, point)) * line.to.weight,
    under: point.weight * size,
  });
  const [a, b] = [at(from), at(to)];
  return isLess(a, b) ? { from: a, to: b } : { from: b, to: a };
}

// Returns which part of the line through a segment lies in both triangles. On this line, the start of the
// segment is at 0, and its end is at 1. Returns undefined if the part has no length, or if the line does not
// lie in the plane of the triangles.
function clipLine({ from, to }: ExactSegment, area: readonly ExactTriangle[]): Interval | undefined {
  let [min, max]: (Fraction | undefined)[] = [];
  for (const triangle of area) {
    const [a, b, c] = triangle;
    const normal = cross(subtract(b, a), subtract(c, a));
    const height = ({ point, weight }: HomogeneousPoint): bigint =>
      dot(normal, subtract(point, scale(a, weight)));
    if (height(from) !== 0n || height(to) !== 0n) return undefined;
    for (let i = 0; i < 3; i++) {
      const start = triangle[i];
      const edge = subtract(triangle[(i + 1) % 3], start);
      const inward = ({ point, weight }: HomogeneousPoint): bigint =>
        dot(normal, cross(edge, subtract(point, scale(start, weight))));
      // The signed distance from the edge is linear along the line. These are its values at both ends of the
      // segment, multiplied by the same positive number.
      const first = inward(from) * to.weight;
      const last = inward(to) * from.weight;
      if (first === last) {
        if (first < 0n) return undefined;
      } else if (first < last) {
        const at = { over: -first, under: last - first };
        if (!min || isLess(min, at)) min = at;
      } else {
        const at = { over: first, under: first - last };
        if (!max || isLess(at, max)) max = at;
      }
    }
  }
  return min && max && isLess(min, max) ? { from: min, to: max } : undefined;
}

// Returns the parts of the line that lie in at least one interval and in no gap.
function without(intervals: readonly Interval[], gaps: readonly Interval[]): Interval[] {
  const steps = [
    ...intervals.flatMap(({ from, to }) => [
      { at: from, covers: 1, cuts: 0 },
      { at: to, covers: -1, cuts: 0 },
    ]),
    ...gaps.flatMap(({ from, to }) => [
      { at: from, covers: 0, cuts: 1 },
      { at: to, covers: 0, cuts: -1 },
    ]),
  ].sort((x, y) => (isLess(x.at, y.at) ? -1 : isLess(y.at, x.at) ? 1 : 0));
  const parts: Interval[] = [];
  let [covers, cuts] = [0, 0];
  let start: Fraction | undefined;
  for (const step of steps) {
    covers += step.covers;
    cuts += step.cuts;
    const isOpen = covers > 0 && cuts === 0;
    if (isOpen) start ??= step.at;
    else if (start) {
      if (isLess(start, step.at)) parts.push({ from: start, to: step.at });
      start = undefined;
    }
  }
  return parts;
}
