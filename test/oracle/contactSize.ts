// Computes bounds of the length and of the area of the set of points that two sets of triangles have in
// common, from exact coordinates. The common points of two triangles may form a segment or an area. Every
// such segment is cut where another segment begins or ends, and where the border of an area may cross it. The
// areas in a plane are cut along parallel lines through all corners and crossings of sides. The code is slow
// and shares nothing with the engine.

import { commonCorners, type HalfSpace, halfSpacesOf, type Point, type Vector } from './commonSet.js';
import {
  compare,
  cross,
  divide,
  dot,
  type Fraction,
  fraction,
  isZero,
  minus,
  ordered,
  plus,
  signOf,
  subtract,
  times,
} from './fractions.js';
import { toIntegers } from './integers.js';

type Triangle = readonly [Vector, Vector, Vector];
/** A point whose three coordinates are fractions. */
type Place = readonly [Fraction, Fraction, Fraction];

/**
 * Each length and each area is computed in the integer coordinates of `toIntegers`, and rounded down to a
 * multiple of 2^-GRID.
 */
const GRID = 200n;
const ZERO = fraction(0n);
const ONE = fraction(1n);

/**
 * Compares a length or an area with a double. Returns 1 if the length or area is larger, -1 if it is smaller,
 * and 0 if it is equal to the double or too close to decide.
 */
export type Comparer = (value: number) => number;

/**
 * Returns functions that compare the length and the area with a double. The length is that of the common
 * segments outside of the common areas.
 * @param cornersA Nine doubles per triangle; cornersB likewise.
 */
export function contactSizeComparers(
  cornersA: Float64Array,
  cornersB: Float64Array,
): { compareLength: Comparer; compareArea: Comparer } {
  const [unit, ...whole] = toIntegers([1, ...cornersA, ...cornersB]);
  const a = trianglesOf(whole.slice(0, cornersA.length));
  const b = trianglesOf(whole.slice(cornersA.length));
  const segments: Segment[] = [];
  const areas: Area[] = [];
  for (const one of a) {
    for (const other of b) {
      const corners = commonCorners(one, other);
      if (corners.length === 2) segments.push([placeOf(corners[0]), placeOf(corners[1])]);
      if (corners.length > 2)
        areas.push({
          triangle: one,
          corners: corners.map(placeOf),
          within: [...halfSpacesOf(one), ...halfSpacesOf(other)],
        });
    }
  }
  return {
    compareLength: comparer(squaredLengths(segments, areas), unit),
    compareArea: comparer(squaredAreas(areas), unit * unit),
  };
}

type Segment = readonly [Place, Place];
/**
 * The common part of two coplanar triangles. triangle: one of the triangles. corners: the corners of the common
 * part. within: half spaces whose intersection is the common part.
 */
interface Area {
  triangle: Triangle;
  corners: readonly Place[];
  within: readonly HalfSpace[];
}

function trianglesOf(values: readonly bigint[]): Triangle[] {
  const at = (i: number): Vector => [values[i], values[i + 1], values[i + 2]];
  return Array.from({ length: values.length / 9 }, (_, i) => [at(9 * i), at(9 * i + 3), at(9 * i + 6)]);
}

const placeOf = ([x, y, z, w]: Point): Place => [fraction(x, w), fraction(y, w), fraction(z, w)];
const sum = (values: readonly Fraction[]): Fraction => values.reduce(plus, ZERO);
const between = (p: Place, q: Place): Place =>
  p.map((value, axis) => minus(q[axis], value)) as unknown as Place;
const scalar = (p: Place, q: Place): Fraction => sum(p.map((value, axis) => times(value, q[axis])));
const along = ([p, q]: Segment, share: Fraction): Place =>
  p.map((value, axis) => plus(value, times(share, minus(q[axis], value)))) as unknown as Place;
const heightOver = ({ normal, offset }: HalfSpace, place: Place): Fraction =>
  minus(sum(place.map((value, axis) => times(value, fraction(normal[axis])))), fraction(offset));

// Returns the position of a point on the line of a segment: 0 is the start of the segment, 1 is its end.
// Returns undefined if the point is not on the line.
function shareOf([p, q]: Segment, place: Place): Fraction | undefined {
  const direction = between(p, q);
  const share = divide(scalar(direction, between(p, place)), scalar(direction, direction));
  const foot = along([p, q], share);
  return foot.every((value, axis) => compare(value, place[axis]) === 0) ? share : undefined;
}

const isBetween = (value: Fraction, low: Fraction, high: Fraction): boolean =>
  compare(low, value) <= 0 && compare(value, high) <= 0;

function squaredLengths(segments: readonly Segment[], areas: readonly Area[]): Fraction[] {
  return segments.flatMap((segment, i) => {
    const cuts = [ZERO, ONE];
    const earlier: [Fraction, Fraction][] = [];
    segments.forEach((other, j) => {
      const [from, to] = [shareOf(segment, other[0]), shareOf(segment, other[1])];
      if (i === j || !from || !to) return;
      cuts.push(from, to);
      if (j < i) earlier.push(compare(from, to) < 0 ? [from, to] : [to, from]);
    });
    for (const { within } of areas) {
      for (const half of within) {
        const [from, to] = [heightOver(half, segment[0]), heightOver(half, segment[1])];
        if (compare(from, to) !== 0) cuts.push(divide(from, minus(from, to)));
      }
    }
    const direction = between(...segment);
    const marks = ordered(cuts.filter(cut => isBetween(cut, ZERO, ONE)));
    return marks.slice(1).flatMap((to, k) => {
      const middle = divide(plus(marks[k], to), fraction(2n));
      const place = along(segment, middle);
      const isCounted =
        !earlier.some(([low, high]) => isBetween(middle, low, high)) &&
        !areas.some(({ within }) => within.every(half => compare(heightOver(half, place), ZERO) >= 0));
      const share = minus(to, marks[k]);
      return isCounted ? [times(times(share, share), scalar(direction, direction))] : [];
    });
  });
}

// Returns one squared area for each plane: that of the union of the areas in this plane.
function squaredAreas(areas: readonly Area[]): Fraction[] {
  const planes: Area[][] = [];
  for (const area of areas) {
    const plane = planes.find(([first]) => isInPlane(first.triangle, area.triangle));
    if (plane) plane.push(area);
    else planes.push([area]);
  }
  return planes.map(plane => {
    const normal = normalOf(plane[0].triangle);
    const axis = [0, 1, 2].find(axis => normal[axis] !== 0n)!;
    const projected = projectedArea(
      plane.map(({ corners }) =>
        corners.map((corner): Flat => [corner[(axis + 1) % 3], corner[(axis + 2) % 3]]),
      ),
    );
    return times(times(projected, projected), fraction(dot(normal, normal), normal[axis] ** 2n));
  });
}

const normalOf = ([a, b, c]: Triangle): Vector => cross(subtract(b, a), subtract(c, a));
const isInPlane = (plane: Triangle, triangle: Triangle): boolean =>
  isZero(cross(normalOf(plane), normalOf(triangle))) &&
  dot(normalOf(plane), subtract(triangle[0], plane[0])) === 0n;

type Flat = readonly [Fraction, Fraction];

// Returns the area of the union of convex polygons in the plane. Vertical lines divide the plane into slabs in
// which no two sides cross. The result is the sum of the areas of the union in these slabs.
function projectedArea(polygons: readonly (readonly Flat[])[]): Fraction {
  const sides = polygons.map(corners => corners.map((from, i): [Flat, Flat] => [from, corners.at(i - 1)!]));
  const all = sides.flat();
  const marks = ordered([
    ...all.map(([[x]]) => x),
    ...all.flatMap((one, i) => all.slice(0, i).flatMap(other => crossingOf(one, other) ?? [])),
  ]);
  return sum(
    marks.slice(1).map((right, i) => {
      const middle = divide(plus(marks[i], right), fraction(2n));
      const spans = sides.flatMap(own => {
        const heights = ordered(own.flatMap(side => heightAt(side, middle) ?? []));
        return heights.length === 2 ? [[heights[0], heights[1]] as const] : [];
      });
      return times(minus(right, marks[i]), unionLength(spans));
    }),
  );
}

const flatCross = ([[ax, ay], [bx, by]]: [Flat, Flat], [x, y]: Flat): Fraction =>
  minus(times(minus(bx, ax), minus(y, ay)), times(minus(by, ay), minus(x, ax)));

function crossingOf(one: [Flat, Flat], [from, to]: [Flat, Flat]): Fraction | undefined {
  const [h, k] = [flatCross(one, from), flatCross(one, to)];
  if (compare(h, k) === 0) return undefined;
  return plus(from[0], times(divide(h, minus(h, k)), minus(to[0], from[0])));
}

function heightAt([[ax, ay], [bx, by]]: [Flat, Flat], x: Fraction): Fraction | undefined {
  if (compare(ax, bx) === 0 || compare(ax, x) === compare(bx, x)) return undefined;
  return plus(ay, times(divide(minus(x, ax), minus(bx, ax)), minus(by, ay)));
}

function unionLength(spans: readonly (readonly [Fraction, Fraction])[]): Fraction {
  const marks = ordered(spans.flat());
  return sum(
    marks.slice(1).map((to, i) => {
      const middle = divide(plus(marks[i], to), fraction(2n));
      return spans.some(([low, high]) => isBetween(middle, low, high)) ? minus(to, marks[i]) : ZERO;
    }),
  );
}

// Returns a function that compares the sum of the square roots of `squares` with value * unit.
function comparer(squares: readonly Fraction[], unit: bigint): Comparer {
  const roots = squares.map(({ over, under }) => rootOf((over << (2n * GRID)) / under));
  const min = roots.reduce((total, root) => total + root, 0n);
  const max = min + BigInt(squares.filter(({ over }) => signOf(over) !== 0).length);
  return value => {
    if (value === Infinity) return -1;
    const [one, own] = toIntegers([1, value]);
    const target = (own * unit) << GRID;
    return target < min * one ? 1 : target > max * one ? -1 : 0;
  };
}

// Returns the integer square root, by Newton's method.
function rootOf(value: bigint): bigint {
  if (value === 0n) return 0n;
  let root = 1n << BigInt(Math.ceil(value.toString(2).length / 2));
  for (;;) {
    const next = (root + value / root) / 2n;
    if (next >= root) return root;
    root = next;
  }
}
