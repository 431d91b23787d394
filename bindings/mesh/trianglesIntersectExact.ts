// Decides exactly, in BigInt, whether two triangles with double coordinates intersect. The kernels compute
// with floating-point expansions (Shewchuk 1997). If the exponents of the coordinates span too wide a range
// for expansions, this file decides instead. It gives the same answers as
// assembly/exact/trianglesIntersect.ts, but its test for triangles whose planes cross is simpler.

import { type IntegerVector as Point, signOf } from '../core/integers.js';

type Triangle = readonly [Point, Point, Point];

const AXES = [0, 1, 2] as const;
const EDGES = [
  [0, 1],
  [1, 2],
  [2, 0],
] as const;

/**
 * Tests exactly whether two closed triangles intersect; touching counts as intersecting. A degenerate
 * triangle counts as the segment or point that its vertices span. `points`: 18 finite doubles, first the
 * three vertices of triangle A, then those of triangle B.
 */
export function trianglesIntersectExact(points: Float64Array): boolean {
  const integers = toExactIntegers(points);
  const vertex = (i: number): Point => [integers[i * 3], integers[i * 3 + 1], integers[i * 3 + 2]];
  const a: Triangle = [vertex(0), vertex(1), vertex(2)];
  const b: Triangle = [vertex(3), vertex(4), vertex(5)];
  const sides = [...b.map(point => side(...a, point)), ...a.map(point => side(...b, point))];
  if (sides.some(sign => sign !== 0)) return edgesPierce(a, b) || edgesPierce(b, a);
  // Here, either all six points lie in one plane, or both triangles are segments or points. In the second case,
  // two segments may be on skew lines, which the next test finds.
  if (EDGES.some(([i, j]) => EDGES.some(([k, l]) => side(a[i], a[j], b[k], b[l]) !== 0))) return false;
  return boxesOverlap(a, b) && AXES.every(axis => !edgeSeparates(a, b, axis) && !edgeSeparates(b, a, axis));
}

/**
 * Multiplies all doubles by the same power of two, so that they become integers, and returns the integers. The
 * last mantissa bit of the nonzero value with the smallest exponent becomes the bit of weight 1.
 */
export function toExactIntegers(values: Float64Array): bigint[] {
  const bits = new BigUint64Array(
    values.buffer.slice(values.byteOffset, values.byteOffset + values.byteLength),
  );
  const exponents = Array.from(bits, word => Math.max(1, Number((word >> 52n) & 0x7ffn)));
  const minExponent = Math.min(...exponents.filter((_, i) => values[i] !== 0), 2047);
  return Array.from(bits, (word, i) => {
    if (values[i] === 0) return 0n;
    const fraction = word & 0xfffffffffffffn;
    const size =
      (((word >> 52n) & 0x7ffn) === 0n ? fraction : fraction | (1n << 52n)) <<
      BigInt(exponents[i] - minExponent);
    return word >> 63n === 0n ? size : -size;
  });
}

// Returns the cross product (b - a) x (c - a) in the projection along `axis`. Its sign is the orientation of
// the projected triangle a, b, c.
function orient2d(a: Point, b: Point, c: Point, axis: number): bigint {
  const u = (axis + 1) % 3;
  const v = (axis + 2) % 3;
  return (b[u] - a[u]) * (c[v] - a[v]) - (b[v] - a[v]) * (c[u] - a[u]);
}

// Returns on which side of the plane through a, b, c the point p lies: 1 or -1, or 0 if p is on the plane or
// if a, b and c span no plane.
function side(a: Point, b: Point, c: Point, p: Point): number {
  return signOf(AXES.reduce((sum, axis) => sum + orient2d(a, b, c, axis) * (p[axis] - a[axis]), 0n));
}

// Returns whether any edge of s intersects the closed triangle t. Edges that lie in t's plane are skipped.
function edgesPierce(s: Triangle, t: Triangle): boolean {
  return EDGES.some(([i, j]) => {
    const from = side(...t, s[i]);
    const to = side(...t, s[j]);
    if (from * to > 0 || (from === 0 && to === 0)) return false;
    const around = EDGES.map(([k, l]) => side(s[i], s[j], t[k], t[l]));
    return !(around.includes(1) && around.includes(-1));
  });
}

// Returns whether the closed bounding boxes overlap. This test is needed if both triangles are segments or
// points on one line: edgeSeparates never separates two such triangles.
function boxesOverlap(a: Triangle, b: Triangle): boolean {
  const below = (s: Triangle, t: Triangle, axis: 0 | 1 | 2) => s.every(p => t.every(q => p[axis] < q[axis]));
  return AXES.every(axis => !below(a, b, axis) && !below(b, a, axis));
}

// Returns whether an edge of t separates the triangles in the projection along `axis`: t lies on one closed
// side of the line through the edge, and s lies strictly on the other side.
function edgeSeparates(t: Triangle, s: Triangle, axis: number): boolean {
  const own = signOf(orient2d(...t, axis));
  return EDGES.some(([i, j]) => {
    const signs = s.map(point => signOf(orient2d(t[i], t[j], point, axis)));
    return signs[0] !== 0 && signs[0] !== own && signs.every(sign => sign === signs[0]);
  });
}
