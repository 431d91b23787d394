// Computes, for a point that lies in two solids, the radius of the largest ball around it that crosses no
// triangle. Uses solid angles and all triangles, in doubles. It shares no code with the engine.

type Point = readonly [number, number, number];

const minus = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Point, b: Point): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Point, b: Point): Point => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const length = (a: Point): number => Math.hypot(a[0], a[1], a[2]);

/** The corners of all triangles of a placed mesh: nine doubles per triangle. */
export type Corners = Float64Array;

const cornersAt = (corners: Corners, at: number): readonly [Point, Point, Point] => [
  [corners[at], corners[at + 1], corners[at + 2]],
  [corners[at + 3], corners[at + 4], corners[at + 5]],
  [corners[at + 6], corners[at + 7], corners[at + 8]],
];

/** Returns the winding number of a closed mesh around a point, by the sum of the triangles' solid angles. */
function windingNumber(corners: Corners, point: Point): number {
  let sum = 0;
  for (let at = 0; at < corners.length; at += 9) {
    const [a, b, c] = cornersAt(corners, at).map(corner => minus(corner, point));
    const [x, y, z] = [length(a), length(b), length(c)];
    const volume = dot(a, cross(b, c));
    sum += 2 * Math.atan2(volume, x * y * z + dot(a, b) * z + dot(b, c) * x + dot(c, a) * y);
  }
  return Math.round(sum / (4 * Math.PI));
}

function distanceToSegment(point: Point, from: Point, to: Point): number {
  const along = minus(to, from);
  const square = dot(along, along);
  const share = square > 0 ? Math.min(1, Math.max(0, dot(minus(point, from), along) / square)) : 0;
  return length(
    minus(point, [from[0] + share * along[0], from[1] + share * along[1], from[2] + share * along[2]]),
  );
}

/**
 * Returns the distance of a point from a triangle: if the projection of the point lies inside the triangle, the
 * distance from the triangle's plane, otherwise the distance from its edges.
 */
export function distanceToTriangle(point: Point, [a, b, c]: readonly [Point, Point, Point]): number {
  const edges = Math.min(
    distanceToSegment(point, a, b),
    distanceToSegment(point, b, c),
    distanceToSegment(point, c, a),
  );
  const normal = cross(minus(b, a), minus(c, a));
  const size = length(normal);
  const isInside = [
    [a, b],
    [b, c],
    [c, a],
  ].every(([from, to]) => dot(cross(minus(to, from), minus(point, from)), normal) > 0);
  return size > 0 && isInside ? Math.abs(dot(minus(point, a), normal)) / size : edges;
}

/**
 * Returns the radius of the largest ball around the point that crosses no triangle, or 0 if the point is not in
 * both solids.
 */
export function freeRadius(a: Corners, b: Corners, point: Point): number {
  if (windingNumber(a, point) === 0 || windingNumber(b, point) === 0) return 0;
  let radius = Infinity;
  for (const corners of [a, b])
    for (let at = 0; at < corners.length; at += 9)
      radius = Math.min(radius, distanceToTriangle(point, cornersAt(corners, at)));
  return radius;
}
