// Describes how balls can touch a surface: at which points, and in which directions from there the centers of
// the balls lie. The description consists of pieces, which can be bisected.
//
// A ball touches a triangle along the triangle's normal. At an edge or a corner, it may touch in a range of
// directions. A piece is a set of points (a point, a segment or a flat convex polygon) together with a set of
// unit directions (the smallest convex spherical set around one to three directions). Every ball that touches
// the surface at one of the points, and whose center lies from there in one of the directions, belongs to the
// piece.

export type Vector = readonly [number, number, number];

/**
 * A piece. points: the corners of the set of points, in order. directions: one to three unit vectors, which
 * span the set of directions toward the center of a ball.
 */
export interface Piece {
  points: readonly Vector[];
  directions: readonly Vector[];
}

/**
 * A piece must be bisected before its balls can be bounded if the cosine of the angle between any of its
 * directions and a vector in their middle is less than this.
 */
const MIN_COSINE = 0.8;

export const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
export const scaled = (a: Vector, factor: number): Vector => [a[0] * factor, a[1] * factor, a[2] * factor];
export const lengthOf = (a: Vector): number => Math.sqrt(dot(a, a));
/** Returns the vector scaled to length 1, or undefined if the vector is 0. */
export function unit(a: Vector): Vector | undefined {
  // The largest component is scaled to 1 first, so that squares neither overflow nor underflow.
  const maxComponent = Math.max(Math.abs(a[0]), Math.abs(a[1]), Math.abs(a[2]));
  if (!(maxComponent > 0)) return undefined;
  const near: Vector = [a[0] / maxComponent, a[1] / maxComponent, a[2] / maxComponent];
  return scaled(near, 1 / lengthOf(near));
}

const mean = (vectors: readonly Vector[]): Vector =>
  [0, 1, 2].map(
    axis => vectors.reduce((sum, one) => sum + one[axis], 0) / vectors.length,
  ) as unknown as Vector;

/** Returns the mean point of a piece and its mean direction. */
export const centerOf = ({ points, directions }: Piece): { point: Vector; direction: Vector } => ({
  point: mean(points),
  direction: unit(mean(directions)) ?? directions[0],
});

/**
 * Returns vectors whose convex hull contains all directions of a piece. The given one to three directions span
 * a flat set inside the unit sphere, and copies of them that are enlarged enough span a flat set outside. All
 * directions of the piece lie between the two sets.
 * @returns undefined if the directions are too far apart
 */
export function hullOfDirections({ directions }: Piece): readonly Vector[] | undefined {
  if (directions.length === 1) return directions;
  const cosine = Math.max(
    minCosine(unit(mean(directions)), directions),
    directions.length === 3 ? minCosine(normalOf(directions), directions) : 0,
  );
  if (cosine < MIN_COSINE) return undefined;
  return [...directions, ...directions.map(one => scaled(one, 1 / cosine))];
}

const normalOf = ([a, b, c]: readonly Vector[]): Vector | undefined => unit(cross(minus(b, a), minus(c, a)));

// Returns the least absolute cosine of the angles between a unit vector and directions; 0 if the directions lie
// on both sides of the plane that is perpendicular to the vector. For any vector, the flat set that the
// directions span has at least this distance from the origin. So the normal of three directions need not be
// accurate. It is inaccurate if two of them almost agree.
function minCosine(vector: Vector | undefined, directions: readonly Vector[]): number {
  if (!vector) return 0;
  const cosines = directions.map(one => dot(vector, one));
  return Math.max(Math.min(...cosines), Math.min(...cosines.map(cosine => -cosine)), 0);
}

/** Returns a range that contains the coordinate `axis` of each direction of a piece. */
export function rangeOfDirections(piece: Piece, axis: number): [min: number, max: number] {
  const values = piece.directions.map(one => one[axis]);
  const [min, max] = [Math.min(...values), Math.max(...values)];
  // Each direction is a convex combination of the given ones, enlarged to length 1. Enlarging moves its
  // coordinates away from 0. So a minimum of 0 or more is still a lower bound of the coordinates, and a maximum
  // of 0 or less is still an upper bound.
  if (values.length === 1) return [min, max];
  const hull = hullOfDirections(piece)?.map(one => one[axis]);
  return [
    min >= 0 ? min : Math.max(-1, hull ? Math.min(...hull) : -1),
    max <= 0 ? max : Math.min(1, hull ? Math.max(...hull) : 1),
  ];
}

/** Returns the squared length of the longest edge between consecutive corners, and the edge's number. */
export function longestEdge(corners: readonly Vector[]): { length: number; edge: number } {
  let length = 0;
  let edge = 0;
  for (let i = 0; i < corners.length; i++) {
    const between = minus(corners[(i + 1) % corners.length], corners[i]);
    const squared = dot(between, between);
    if (squared > length) [length, edge] = [squared, i];
  }
  return { length, edge };
}

// Bisects a segment or a triangle at the middle of an edge. middleOf: converts the mean of the edge's ends to
// the point where the halves meet.
function bisected(corners: readonly Vector[], edge: number, middleOf: (mean: Vector) => Vector): Vector[][] {
  const next = (edge + 1) % corners.length;
  const middle = middleOf(mean([corners[edge], corners[next]]));
  return [edge, next].map(replaced => corners.map((one, i) => (i === replaced ? middle : one)));
}

// Returns the longest vector between two corners of a polygon, and the point in its middle.
function longestDiagonal(corners: readonly Vector[]): { between: Vector; middle: Vector } {
  let longest = -1;
  let between: Vector = [0, 0, 0];
  let middle = corners[0];
  corners.forEach((from, i) => {
    for (const to of corners.slice(i + 1)) {
      const vector = minus(to, from);
      const squared = dot(vector, vector);
      if (squared > longest) [longest, between, middle] = [squared, vector, mean([from, to])];
    }
  });
  return { between, middle };
}

/**
 * Bisects a piece where its balls of a given radius differ most: across the longest extent of its points, or at
 * the widest angle of its directions. So a long piece is cut across its length until it is as short as it is
 * wide.
 */
export function bisect({ points, directions }: Piece, radius: number): Piece[] {
  const place = longestEdge(points);
  const angle = longestEdge(directions);
  if (place.length < angle.length * radius * radius)
    return bisected(directions, angle.edge, middle => unit(middle) ?? directions[0]).map(half => ({
      points,
      directions: half,
    }));
  if (points.length <= 3)
    return bisected(points, place.edge, middle => middle).map(half => ({ points: half, directions }));
  const { between, middle } = longestDiagonal(points);
  const normal = unit(between) ?? directions[0];
  const { below, above } = cutPolygon(points, normal, dot(normal, middle));
  // If rounding leaves no area on one side, the polygon is divided into triangles.
  const halves = below.length > 0 && above.length > 0 ? [below, above] : triangulated(points);
  return halves.map(half => ({ points: half, directions }));
}

/** Divides a convex polygon into triangles. */
export const triangulated = (corners: readonly Vector[]): Vector[][] =>
  corners.slice(2).map((corner, i) => [corners[0], corners[i + 1], corner]);

/**
 * Divides a piece at parallel planes. The points of the piece must be a polygon.
 * @param normal Unit normal of the planes.
 * @param heights Heights of the planes along the normal, ascending.
 */
export function cutAt({ points, directions }: Piece, normal: Vector, heights: readonly number[]): Piece[] {
  let rest: readonly Vector[] = points;
  const parts: Vector[][] = [];
  for (const height of heights) {
    const { below, above } = cutPolygon(rest, normal, height);
    parts.push(below);
    rest = above;
  }
  parts.push([...rest]);
  return parts.filter(hasArea).map(polygon => ({ points: polygon, directions }));
}

/**
 * Returns a list that contains the part of a piece whose points lie in a box; an empty list if there is none.
 * @param margin Points that are at most this far outside the box along an axis count as inside.
 */
export function clipToBox(
  { points, directions }: Piece,
  [min, max]: readonly [Vector, Vector],
  margin: number,
): Piece[] {
  let rest: readonly Vector[] = points;
  for (let axis = 0; axis < 3; axis++) {
    for (const sign of [1, -1]) {
      const height = (sign > 0 ? max[axis] : -min[axis]) + margin;
      if (rest.every(point => sign * point[axis] <= height)) continue;
      const up: Vector = [axis === 0 ? sign : 0, axis === 1 ? sign : 0, axis === 2 ? sign : 0];
      rest = cutPolygon(rest, up, height).below;
    }
  }
  return rest.length > 0 ? [{ points: rest, directions }] : [];
}

/**
 * A part of a polygon that is narrower than this share of its length is left out: up to rounding, the
 * neighboring parts contain it.
 */
const MIN_WIDTH = 2 ** -48;

function hasArea(corners: readonly Vector[]): boolean {
  return triangulated(corners).some(([a, b, c]) => {
    const area = cross(minus(b, a), minus(c, a));
    const { length } = longestEdge([a, b, c]);
    return dot(area, area) > MIN_WIDTH * MIN_WIDTH * length * length;
  });
}

// Divides a convex polygon, a segment or a point at a plane. A part of a polygon needs three corners, and a
// part of a segment two; a part with fewer corners lies in the plane, and is returned empty.
function cutPolygon(
  corners: readonly Vector[],
  normal: Vector,
  height: number,
): { below: Vector[]; above: Vector[] } {
  const below: Vector[] = [];
  const above: Vector[] = [];
  for (let i = 0; i < corners.length; i++) {
    const from = corners[i];
    const to = corners[(i + 1) % corners.length];
    const start = dot(normal, from) - height;
    const end = dot(normal, to) - height;
    if (start <= 0) below.push(from);
    if (start >= 0) above.push(from);
    if (start * end >= 0 || (i === 1 && corners.length === 2)) continue;
    const share = start / (start - end);
    const middle: Vector = [
      from[0] + share * (to[0] - from[0]),
      from[1] + share * (to[1] - from[1]),
      from[2] + share * (to[2] - from[2]),
    ];
    below.push(middle);
    above.push(middle);
  }
  const minCount = Math.min(3, corners.length);
  return { below: below.length < minCount ? [] : below, above: above.length < minCount ? [] : above };
}
