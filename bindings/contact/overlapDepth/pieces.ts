// Lists the pieces of a surface (see piece.ts): the front and the back of each triangle, and the edges and
// corners that balls can touch.

import { crossOfEdges, exactCross, integerCross, integerEdges } from './exactCross.js';
import { cross, dot, lengthOf, minus, type Piece, scaled, unit, type Vector } from './piece.js';

/**
 * Bound of rounding errors. Two unit vectors count as at least a right angle apart if their dot product is at
 * most this. They count as equal if the length of their difference is at most this.
 */
const PERPENDICULAR = 2 ** -44;

/** Triangles as welded vertex numbers, three per triangle, and the position of each vertex. */
export interface WeldedTriangles {
  indices: ArrayLike<number>;
  /** Other triangles that share vertices with these. Edges and corners that they share have no pieces. */
  others: ArrayLike<number>;
  positionOf(vertex: number): Vector;
}

/**
 * Lists the pieces of all triangles. A triangle without area has no front and no back, but its edges and
 * corners count.
 */
export function piecesOf({ indices, others, positionOf }: WeldedTriangles): Piece[] {
  const pieces: Piece[] = [];
  const neighbors = new Map<number, Set<number>>();
  const opposite = new Map<number, { ends: [number, number]; corners: number[] }>();
  // Vertices numbered in the order of their first use.
  const numbers = new Map<number, number>();
  const numberOf = (vertex: number): number => {
    const known = numbers.get(vertex) ?? numbers.size;
    numbers.set(vertex, known);
    return known;
  };
  for (let i = 0; i < indices.length; i += 3) {
    const corners = [indices[i], indices[i + 1], indices[i + 2]];
    const points = corners.map(positionOf);
    const normal = unit(crossOfEdges(points[0], points[1], points[2]));
    if (normal) pieces.push({ points, directions: [normal] }, { points, directions: [scaled(normal, -1)] });
    for (let corner = 0; corner < 3; corner++) {
      const from = corners[corner];
      const to = corners[(corner + 1) % 3];
      if (from === to) continue;
      const ends: [number, number] = [from, to];
      const key = edgeKey(numberOf(from), numberOf(to));
      const known = opposite.get(key);
      if (known) known.corners.push(corners[(corner + 2) % 3]);
      else opposite.set(key, { ends, corners: [corners[(corner + 2) % 3]] });
      for (const [one, other] of [ends, [ends[1], ends[0]]] as const) {
        const known = neighbors.get(one);
        if (known) known.add(other);
        else neighbors.set(one, new Set([other]));
      }
    }
  }
  for (let i = 0; i < others.length; i++) {
    // Other triangles may have only one vertex in common with the given ones.
    const number = numbers.get(others[i]);
    if (number === undefined) continue;
    const next = numbers.get(others[i % 3 === 2 ? i - 2 : i + 1]);
    neighbors.delete(others[i]);
    if (next !== undefined) opposite.delete(edgeKey(number, next));
  }
  for (const { ends, corners } of opposite.values()) {
    const points = ends.map(positionOf);
    for (const directions of fansAt(points as [Vector, Vector], corners.map(positionOf)))
      pieces.push({ points, directions });
  }
  for (const [vertex, others] of neighbors) {
    const point = positionOf(vertex);
    for (const directions of conesAt(point, [...others].map(positionOf)))
      pieces.push({ points: [point], directions });
  }
  return pieces;
}

/** More vertices than a list of pieces can have. Its square is 2^52, so keys of edges are not rounded. */
const MAX_VERTICES = 2 ** 26;
/** Returns a number that identifies an edge in either direction, from the numbers of its vertices. */
const edgeKey = (from: number, to: number): number => Math.min(from, to) * MAX_VERTICES + Math.max(from, to);

/**
 * Returns the directions in which a ball may touch an edge: those that are perpendicular to the edge and at
 * least a right angle away from each triangle at the edge. At a flat edge, these are the triangles' normals,
 * which belong to the triangles' pieces, so nothing is returned.
 * @param corners The third corner of each triangle at the edge.
 */
function fansAt([from, to]: readonly [Vector, Vector], corners: readonly Vector[]): Vector[][] {
  const along = unit(minus(to, from));
  if (!along) return [];
  const normals = unitsOf(corners.map(corner => crossOfEdges(from, to, corner)));
  const blocked = normals.map(normal => cross(normal, along));
  if (blocked.length === 0) {
    // No triangle at the edge has area, so a ball may touch the edge in each direction perpendicular to it.
    const side = unit(cross(along, Math.abs(along[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0]))!;
    const other = cross(along, side);
    const around = [side, other, scaled(side, -1), scaled(other, -1)];
    return around.map((one, i) => [one, around[(i + 1) % 4]]);
  }
  // The ends of the fan are perpendicular to a triangle.
  const ends = normals
    .flatMap(normal => [normal, scaled(normal, -1)])
    .filter(end => blocked.every(out => dot(end, out) <= PERPENDICULAR));
  const [start] = ends;
  if (!start) return [];
  const stop = ends.reduce((best, one) => (dot(one, start) < dot(best, start) ? one : best));
  // The ends are opposite at a flat edge, which has no fan. They are also opposite at an edge of one triangle,
  // or of triangles that lie on each other: there the fan is half a circle, which is divided at its middle. A
  // fan that is almost as wide, at the edge of a thin wedge, is also divided at its middle. This middle is not
  // computed as the sum of the fan's ends, because that sum would consist mostly of rounding errors. The
  // triangles of a wedge are less than 60 degrees apart, so the sum of their directions is accurate.
  const isHalf = areSame(start, scaled(stop, -1));
  if (isHalf || dot(start, stop) < -0.5) {
    if (blocked.some(out => dot(out, blocked[0]) < 0)) return [];
    const away = isHalf ? scaled(blocked[0], -1) : unit(sumOf(blocked.map(out => scaled(out, -1))))!;
    return [
      [start, away],
      [away, stop],
    ];
  }
  return areSame(start, stop) ? [] : [[start, stop]];
}

// Returns whether two unit directions differ only by rounding errors.
const areSame = (a: Vector, b: Vector): boolean => lengthOf(minus(a, b)) <= PERPENDICULAR;

const sumOf = (vectors: readonly Vector[]): Vector =>
  vectors.reduce<Vector>((sum, one) => [sum[0] + one[0], sum[1] + one[1], sum[2] + one[2]], [0, 0, 0]);

// Returns the vectors scaled to length 1, without those that are 0.
const unitsOf = (vectors: readonly Vector[]): Vector[] =>
  vectors.map(unit).filter(vector => vector !== undefined);

/** All unit directions, divided into eight triangles. */
const ALL_DIRECTIONS: Vector[][] = [1, -1].flatMap(x =>
  [1, -1].flatMap(y =>
    [1, -1].map((z): Vector[] => [
      [x, 0, 0],
      [0, y, 0],
      [0, 0, z],
    ]),
  ),
);

/** Edges count as lying in one plane if the sines of their angles with the plane are at most this. */
const FLAT = 2 ** -20;
/**
 * If the cosine of the angle between each ray and the middle of the rays is at least this, errors of
 * PERPENDICULAR in the rays are acceptable: the arc between two rays then has an error of at most four times
 * as much.
 */
const MIN_COSINE = 1 / 4;
/**
 * If the cosine of the angle between each ray and the middle of the rays is at least this, errors of ROUNDING
 * in the rays are acceptable: the arc between two rays then has an error of at most 2^-43.
 */
const MIN_EXACT_COSINE = 2 ** -7;
const ROUNDING = 2 ** -50;

// Returns whether edges that lie in one plane all lie within an angle of at most 180 degrees, as at the corner
// of a flat sheet. normal: the normal of the plane.
const isSheetCorner = (edges: readonly Vector[], normal: Vector): boolean =>
  edges.some(edge =>
    [1, -1].some(sign => {
      const across = scaled(cross(normal, edge), sign);
      return edges.every(other => dot(across, other) <= FLAT);
    }),
  );

// Returns the vectors, without those that differ from an earlier one by at most `difference`.
function distinct(vectors: readonly Vector[], difference: number): Vector[] {
  const kept: Vector[] = [];
  for (const one of vectors)
    if (!kept.some(known => lengthOf(minus(known, one)) <= difference)) kept.push(one);
  return kept;
}

// Returns the min cosine of the angles between rays and their middle; -1 if they have no middle.
function minCosine(rays: readonly Vector[]): number {
  const middle = unit(sumOf(rays));
  return middle ? Math.min(...rays.map(ray => dot(ray, middle))) : -1;
}

// Returns a number from 0 to 4 that grows with the angle of the point (x, y).
function pseudoAngle(x: number, y: number): number {
  const share = y / (Math.abs(x) + Math.abs(y));
  return x < 0 ? 2 - share : y < 0 ? 4 + share : share;
}

/** A direction that is perpendicular to two edges at a corner. */
interface Ray {
  direction: Vector;
  /**
   * The numbers of the two edges. The direction is the cross product of edges `one` and `other`, times `sign`,
   * scaled to length 1.
   */
  one: number;
  other: number;
  sign: 1 | -1;
}

// Returns the rays that are at least a right angle away from all edges, up to rounding; undefined if all edges
// lie on one line.
function raysAt(point: Vector, ends: readonly Vector[], edges: readonly Vector[]): Ray[] | undefined {
  const rays: Ray[] = [];
  let isLine = true;
  for (let one = 0; one < edges.length; one++) {
    for (let other = one + 1; other < edges.length; other++) {
      const along = unit(crossOfEdges(point, ends[one], ends[other]));
      if (!along) continue;
      isLine = false;
      for (const sign of [1, -1] as const) {
        const direction = scaled(along, sign);
        if (edges.every(edge => dot(direction, edge) <= PERPENDICULAR))
          rays.push({ direction, one, other, sign });
      }
    }
  }
  return isLine ? undefined : rays;
}

// Returns those of the rays that are at least a right angle away from all edges in exact arithmetic.
function exactRays(
  rays: readonly Ray[],
  point: Vector,
  ends: readonly Vector[],
  edges: readonly Vector[],
): Ray[] {
  const isClear = ({ direction, one, other }: Ray): boolean =>
    edges.every((edge, i) => i === one || i === other || dot(direction, edge) < -PERPENDICULAR);
  if (rays.every(isClear)) return [...rays];
  const whole = integerEdges(point, ends);
  return rays.filter(ray => {
    if (isClear(ray)) return true;
    const [x, y, z] = integerCross(whole[ray.one], whole[ray.other]);
    return whole.every(edge => {
      const height = x * edge[0] + y * edge[1] + z * edge[2];
      return ray.sign > 0 ? height <= 0n : height >= 0n;
    });
  });
}

/**
 * Returns the directions in which a ball may touch a corner: those that are at least a right angle away from
 * each edge at the corner. They form a convex cone, which is divided into triangles. Each of its rays is
 * perpendicular to two of the edges. Nothing is returned if the cone is flat, because its directions then
 * belong to the edges' or the triangles' pieces.
 *
 * All directions are returned in three cases: at the corner of a flat sheet; if all edges lie on one line; and
 * if two rays are so nearly opposite that rounding decides which arc connects them. That is safe: a piece may
 * have more directions than necessary.
 */
function conesAt(point: Vector, others: readonly Vector[]): Vector[][] {
  const ends = others.filter(other => unit(minus(other, point)));
  const edges = unitsOf(ends.map(end => minus(end, point)));
  const all = raysAt(point, ends, edges);
  if (!all) return ALL_DIRECTIONS;
  const directionsOf = (list: readonly Ray[]): Vector[] => list.map(ray => ray.direction);
  const rays = distinct(directionsOf(all), PERPENDICULAR);
  const normal = rays.find(ray => edges.every(edge => Math.abs(dot(ray, edge)) <= FLAT));
  if (normal && isSheetCorner(edges, normal)) return ALL_DIRECTIONS;
  // If the edges lie in one plane, but not within 180 degrees, no direction in the plane is at least a right
  // angle away from all of them. So, if the edges are exactly coplanar, the cone consists of both normals of
  // the plane. Otherwise, the cone lies on one side of the plane, and rays on the other side pass the test of
  // raysAt only because of rounding errors.
  const sides = normal
    ? [true, false].map(side => rays.filter(ray => dot(ray, normal) > 0 === side))
    : [rays];
  if (sides.every(side => side.length < 2 || (side.length === 2 && minCosine(side) >= MIN_COSINE))) return [];
  const exact = exactRays(all, point, ends, edges);
  const cone = distinct(directionsOf(exact), PERPENDICULAR);
  if (cone.length === 0 || minCosine(cone) >= MIN_COSINE) return trianglesOf(cone);
  const accurate = exact.map(({ one, other, sign }) =>
    scaled(unit(exactCross(point, ends[one], ends[other]))!, sign),
  );
  const exactCone = distinct(accurate, ROUNDING);
  return minCosine(exactCone) >= MIN_EXACT_COSINE ? trianglesOf(exactCone) : ALL_DIRECTIONS;
}

// Divides the convex cone between rays into triangles around its middle; none if there are fewer than three
// rays.
function trianglesOf(rays: readonly Vector[]): Vector[][] {
  const middle = unit(sumOf(rays));
  if (rays.length < 3 || !middle) return [];
  const side = unit(minus(rays[0], scaled(middle, dot(rays[0], middle))));
  if (!side) return [];
  const other = cross(middle, side);
  const angles = new Map(rays.map(ray => [ray, pseudoAngle(dot(ray, side), dot(ray, other))]));
  const around = [...rays].sort((one, two) => angles.get(one)! - angles.get(two)!);
  return around.map((ray, i) => [middle, ray, around[(i + 1) % around.length]]);
}
