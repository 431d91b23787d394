// Decides in integers, without rounding, whether two closed triangles (18 finite doubles) share a point. This
// file is the reference for the engine's faster tests. It is slow and simple, and shares no code with the
// engine.

import { toIntegers } from './integers.js';

type Vector = readonly [bigint, bigint, bigint];

const subtract = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const scaled = (a: Vector, factor: bigint): Vector => [a[0] * factor, a[1] * factor, a[2] * factor];
const dot = (a: Vector, b: Vector): bigint => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const isZero = (a: Vector): boolean => a[0] === 0n && a[1] === 0n && a[2] === 0n;
const areEqual = (a: Vector, b: Vector): boolean => isZero(subtract(a, b));

// Returns whether the point x is on the segment from p to q, ends included.
function pointOnSegment(x: Vector, p: Vector, q: Vector): boolean {
  if (areEqual(p, q)) return areEqual(x, p);
  if (!isZero(cross(subtract(q, p), subtract(x, p)))) return false;
  return dot(subtract(x, p), subtract(x, q)) <= 0n;
}

// Returns whether the segments p q and r s share a point. Parallel segments share a point if an end of one
// segment lies on the other; the same test applies if a segment is only a point. Other segments share a point
// if both lie in one plane, and neither segment has both ends strictly on the same side of the other's line.
function segmentsIntersect(p: Vector, q: Vector, r: Vector, s: Vector): boolean {
  const along = subtract(q, p);
  const across = subtract(s, r);
  const normal = cross(along, across);
  if (isZero(normal)) {
    return (
      pointOnSegment(p, r, s) || pointOnSegment(q, r, s) || pointOnSegment(r, p, q) || pointOnSegment(s, p, q)
    );
  }
  if (dot(normal, subtract(r, p)) !== 0n) return false;
  const sideOfFirst = (x: Vector) => dot(normal, cross(along, subtract(x, p)));
  const sideOfSecond = (x: Vector) => dot(normal, cross(across, subtract(x, r)));
  return sideOfFirst(r) * sideOfFirst(s) <= 0n && sideOfSecond(p) * sideOfSecond(q) <= 0n;
}

// Returns whether the point x is in the triangle abc or on an edge. x must lie in the plane of the triangle.
// `normal` is the triangle's normal and not 0.
function pointInTriangle(x: Vector, a: Vector, b: Vector, c: Vector, normal: Vector): boolean {
  const isInside = (from: Vector, to: Vector) =>
    dot(normal, cross(subtract(to, from), subtract(x, from))) >= 0n;
  return isInside(a, b) && isInside(b, c) && isInside(c, a);
}

function segmentIntersectsTriangle(p: Vector, q: Vector, a: Vector, b: Vector, c: Vector): boolean {
  const normal = cross(subtract(b, a), subtract(c, a));
  const intersectsEdge = () =>
    segmentsIntersect(p, q, a, b) || segmentsIntersect(p, q, b, c) || segmentsIntersect(p, q, c, a);
  // A triangle without area is the union of its edges.
  if (isZero(normal)) return intersectsEdge();
  const heightP = dot(normal, subtract(p, a));
  const heightQ = dot(normal, subtract(q, a));
  if (heightP === 0n && heightQ === 0n) {
    return pointInTriangle(p, a, b, c, normal) || pointInTriangle(q, a, b, c, normal) || intersectsEdge();
  }
  if (heightP * heightQ > 0n) return false;
  // The segment intersects the plane in one point, (heightP*q - heightQ*p) / (heightP - heightQ). This point
  // and the triangle are multiplied by the divisor, so that all values stay integers. The products in
  // pointInTriangle are then multiplied by the square of the divisor, so their signs do not change.
  const divisor = heightP - heightQ;
  const point = subtract(scaled(q, heightP), scaled(p, heightQ));
  return pointInTriangle(point, scaled(a, divisor), scaled(b, divisor), scaled(c, divisor), normal);
}

// Returns whether two triangles share a point. corners: 18 finite doubles, a0 a1 a2 b0 b1 b2 as x y z.
// Triangles are closed: triangles that only touch share a point, and a degenerate triangle is the segment or
// point that its corners span. Two triangles intersect if and only if an edge of one triangle intersects the
// other triangle. If intersecting triangles lie in different planes, they share a segment or a point, and
// each end of this segment is on an edge. If intersecting triangles are coplanar, either their edges cross or
// one triangle contains the other.
export function trianglesMeet(corners: ArrayLike<number>): boolean {
  if (corners.length !== 18) throw new RangeError(`corners has length ${corners.length}, not 18`);
  const integers = toIntegers(corners);
  const at = (corner: number): Vector => [
    integers[corner * 3],
    integers[corner * 3 + 1],
    integers[corner * 3 + 2],
  ];
  const [a, b, c, d, e, f] = [at(0), at(1), at(2), at(3), at(4), at(5)];
  return (
    segmentIntersectsTriangle(a, b, d, e, f) ||
    segmentIntersectsTriangle(b, c, d, e, f) ||
    segmentIntersectsTriangle(c, a, d, e, f) ||
    segmentIntersectsTriangle(d, e, a, b, c) ||
    segmentIntersectsTriangle(e, f, a, b, c) ||
    segmentIntersectsTriangle(f, d, a, b, c)
  );
}
