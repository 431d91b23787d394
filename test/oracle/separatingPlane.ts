// Decides in integers, by the separating axis theorem, whether a plane lies strictly between two triangles.
// Tests use this slower method to check the main oracle, trianglesIntersect.ts.

import { toIntegers } from './integers.js';

type Vector = [bigint, bigint, bigint];

const subtract = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Vector, b: Vector): bigint => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

function separates(normal: Vector, a: Vector[], b: Vector[]): boolean {
  const heightsA = a.map(point => dot(normal, point));
  const heightsB = b.map(point => dot(normal, point));
  return (
    heightsA.every(height => heightsB.every(other => height < other)) ||
    heightsA.every(height => heightsB.every(other => height > other))
  );
}

const cornersOf = (corners: ArrayLike<number>): Vector[] => {
  const values = toIntegers(corners);
  return [0, 3, 6, 9, 12, 15]
    .slice(0, values.length / 3)
    .map(at => [values[at], values[at + 1], values[at + 2]]);
};

// Returns whether the closed triangles are disjoint. corners: 18 finite doubles. Consider all lines through two
// of the six corners. Three kinds of planes are tested: planes perpendicular to one of these lines, planes
// parallel to two of these lines, and planes that are parallel to one line L and perpendicular to a plane that
// is parallel to both L and a second line. If the triangles are disjoint, one of the tested planes separates
// them.
export function havePlaneBetween(corners: ArrayLike<number>): boolean {
  const points = cornersOf(corners);
  const [a, b] = [points.slice(0, 3), points.slice(3)];
  const directions = points.flatMap(from => points.map(to => subtract(to, from)));
  return (
    directions.some(normal => separates(normal, a, b)) ||
    directions.some(first =>
      directions.some(second => {
        const normal = cross(first, second);
        return separates(normal, a, b) || separates(cross(normal, first), a, b);
      }),
    )
  );
}
