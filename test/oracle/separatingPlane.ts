// Two sets of points with small integer coordinates -> whether a plane lies strictly between them: a proof that their
// hulls are apart which needs no case analysis. Second opinion on the oracle, for points and segments.

type Vector = [number, number, number];

const largest = 64;

const subtract = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

const separates = (normal: Vector, a: Vector[], b: Vector[]): boolean =>
  Math.max(...a.map(point => dot(normal, point))) < Math.min(...b.map(point => dot(normal, point))) ||
  Math.max(...b.map(point => dot(normal, point))) < Math.min(...a.map(point => dot(normal, point)));

// corners: 18 integers, at most 64 in size, so that every product below is exact in doubles. True proves that the hulls
// of the first and the last three points are apart; false proves nothing, though for points and segments some plane
// among those tried separates whatever can be separated.
export function havePlaneBetween(corners: ArrayLike<number>): boolean {
  if (Array.from(corners).some(value => !Number.isInteger(value) || Math.abs(value) > largest)) return false;
  const points = [0, 3, 6, 9, 12, 15].map((at): Vector => [corners[at]!, corners[at + 1]!, corners[at + 2]!]);
  const directions = points.flatMap(a => points.map(b => subtract(a, b)));
  const normals = directions.flatMap(a => directions.flatMap(b => [cross(a, b), cross(cross(a, b), a)]));
  const [a, b] = [points.slice(0, 3), points.slice(3)];
  return [...directions, ...normals].some(normal => separates(normal, a, b));
}
