// Finds the corners and the contact kind of the intersection of two coplanar simplexes (triangles, segments
// or points). Only exact orientation signs and comparisons of coordinates are used, so the result is exact.
import { orient2d } from '../exact/orient';
import { COPLANAR_OPPOSITE, COPLANAR_SAME, DISJOINT, TOUCH_POINT, TOUCH_SEGMENT } from '../records';
import { comparePoints, nextAxis } from './simplex';
import {
  addCorner,
  cornerAt,
  cornerCount,
  EDGE_EDGE,
  TriangleIntersection,
  VERTEX,
} from './triangleIntersection';

const STRIDE: usize = 24;

// Two tables of signs (i8), 4 per row. The sign in row i and column j tells on which side of edge j of one
// simplex the vertex i of the other simplex lies; it is positive inside. The first table is for the vertices of
// the first simplex.
const TABLE_BYTES: usize = 16;
// After the tables: the index of the corner that follows each corner around the polygon (u8).
const NEXT: usize = 2 * TABLE_BYTES;
const ORDERED: usize = NEXT + 16;
const ORIENT_WORK: usize = ORDERED + 48;

function vertexOf(simplex: usize, i: u32): u32 {
  return load<u32>(simplex + ((<usize>i) << 2), 4);
}

function edgeCount(count: u32): u32 {
  return count == 3 ? 3 : count - 1;
}

function successor(i: u32, count: u32): u32 {
  return i + 1 == count ? 0 : i + 1;
}

function signAt(table: usize, vertex: u32, edge: u32): i32 {
  return load<i8>(table + ((<usize>vertex) << 2) + edge);
}

// Writes the corners and the contact kind of the intersection of two coplanar simplexes to the
// TriangleIntersection at `set`. Three or more corners form a polygon. They are listed in the same direction
// around the polygon as the vertices of `first` around that triangle. `axis`: the axis to project along. It must
// not be parallel to the common plane. If all vertices lie on one line, any axis will do. `work`: scratch memory
// of WORK_BYTES (exact/orient.ts) + 256 bytes.
export function intersectCoplanar(
  p: usize,
  first: usize,
  second: usize,
  axis: usize,
  set: usize,
  work: usize,
): void {
  const countP = load<u32>(first);
  const countQ = load<u32>(second);
  const tableP = work;
  const tableQ = work + TABLE_BYTES;
  const orientationP = fillTable(p, second, first, axis, tableP, work + ORIENT_WORK);
  const orientationQ = fillTable(p, first, second, axis, tableQ, work + ORIENT_WORK);
  for (let i: u32 = 0; i < countP; i++)
    if (containsVertex(p, second, tableP, i, vertexOf(first, i))) addCorner(set, VERTEX | vertexOf(first, i));
  for (let j: u32 = 0; j < countQ; j++)
    if (
      containsVertex(p, first, tableQ, j, vertexOf(second, j)) &&
      !isVertexOf(p, vertexOf(second, j), first)
    )
      addCorner(set, VERTEX | vertexOf(second, j));
  for (let i: u32 = 0; i < edgeCount(countP); i++) {
    const iEnd = successor(i, countP);
    for (let j: u32 = 0; j < edgeCount(countQ); j++) {
      const jEnd = successor(j, countQ);
      if (
        signAt(tableP, i, j) * signAt(tableP, iEnd, j) >= 0 ||
        signAt(tableQ, j, i) * signAt(tableQ, jEnd, i) >= 0
      )
        continue;
      addCorner(
        set,
        EDGE_EDGE |
          vertexOf(first, i) |
          (vertexOf(first, iEnd) << 3) |
          (vertexOf(second, j) << 6) |
          (vertexOf(second, jEnd) << 9),
      );
    }
  }
  const count = cornerCount(set);
  store<u32>(
    set,
    count == 0
      ? DISJOINT
      : count == 1
        ? TOUCH_POINT
        : count == 2
          ? TOUCH_SEGMENT
          : orientationP == orientationQ
            ? COPLANAR_SAME
            : COPLANAR_OPPOSITE,
    TriangleIntersection.kind,
  );
  if (count < 3) return;
  store<u64>(work, -1, NEXT);
  linkSides(p, first, tableP, tableQ, false, set, work);
  linkSides(p, second, tableQ, tableP, orientationP != orientationQ, set, work);
  orderCorners(set, work);
}

// Fills `table` with the signs of the vertices of simplex `points` against the edges of simplex `around`. The
// signs are positive inside. Returns the orientation of `around`, or 0 if `around` has no area.
function fillTable(p: usize, around: usize, points: usize, axis: usize, table: usize, work: usize): i32 {
  const u = nextAxis(axis);
  const v = nextAxis(u);
  const count = load<u32>(around);
  const at0 = p + STRIDE * vertexOf(around, 0);
  const orientation =
    count == 3
      ? orient2d(at0, p + STRIDE * vertexOf(around, 1), p + STRIDE * vertexOf(around, 2), u, v, work)
      : 0;
  for (let j: u32 = 0; j < edgeCount(count); j++) {
    const from = p + STRIDE * vertexOf(around, j);
    const to = p + STRIDE * vertexOf(around, successor(j, count));
    for (let i: u32 = 0; i < load<u32>(points); i++) {
      const sign = orient2d(from, to, p + STRIDE * vertexOf(points, i), u, v, work);
      store<i8>(table + ((<usize>i) << 2) + j, <i8>(count == 3 ? sign * orientation : sign));
    }
  }
  return orientation;
}

// Returns whether a simplex, boundary included, contains the vertex with number `vertex`. `row`: the row of
// `table` with that vertex's signs.
function containsVertex(p: usize, simplex: usize, table: usize, row: u32, vertex: u32): bool {
  const count = load<u32>(simplex);
  const point = p + STRIDE * vertex;
  const start = p + STRIDE * vertexOf(simplex, 0);
  if (count == 1) return comparePoints(point, start) == 0;
  if (count == 3)
    return signAt(table, row, 0) >= 0 && signAt(table, row, 1) >= 0 && signAt(table, row, 2) >= 0;
  return (
    signAt(table, row, 0) == 0 &&
    comparePoints(point, start) >= 0 &&
    comparePoints(point, p + STRIDE * vertexOf(simplex, 1)) <= 0
  );
}

function isVertexOf(p: usize, vertex: u32, simplex: usize): bool {
  for (let i: u32 = 0; i < load<u32>(simplex); i++)
    if (comparePoints(p + STRIDE * vertex, p + STRIDE * vertexOf(simplex, i)) == 0) return true;
  return false;
}

// Links the corners that lie on the edges of `triangle`. Each side of the polygon lies on an edge of one of
// the two triangles. If two corners lie on an edge, they follow each other in the edge's direction, or in the
// opposite direction if `isReversed`. `own`: the table of this triangle's vertices. `others`: the table of
// the other triangle's vertices.
function linkSides(
  p: usize,
  triangle: usize,
  own: usize,
  others: usize,
  isReversed: bool,
  set: usize,
  work: usize,
): void {
  const shift: u32 = vertexOf(triangle, 0) >= 3 ? 6 : 0;
  const count = cornerCount(set);
  for (let edge: u32 = 0; edge < 3; edge++) {
    const from = vertexOf(triangle, edge);
    const to = vertexOf(triangle, successor(edge, 3));
    let cornerA: u32 = count;
    let cornerB: u32 = count;
    for (let i: u32 = 0; i < count; i++) {
      if (!liesOn(cornerAt(set, i), from, to, edge, shift, others)) continue;
      if (cornerA == count) cornerA = i;
      else cornerB = i;
    }
    if (cornerB == count) continue;
    const isInOrder = comesFirst(
      p,
      cornerAt(set, cornerA),
      cornerAt(set, cornerB),
      from,
      to,
      edge,
      shift,
      own,
    );
    const isForward = isInOrder != isReversed;
    store<u8>(work + (isForward ? cornerA : cornerB), <u8>(isForward ? cornerB : cornerA), NEXT);
  }
}

// Returns whether a corner lies on a triangle's edge. `others`: the signs of the other triangle's vertices
// against this triangle's edges.
function liesOn(name: u32, from: u32, to: u32, edge: u32, shift: u32, others: usize): bool {
  if ((name & EDGE_EDGE) != 0) return ((name >> shift) & 7) == from && ((name >> (shift + 3)) & 7) == to;
  const vertex = name & 7;
  if (vertex >= 3 == from >= 3) return vertex == from || vertex == to;
  return signAt(others, vertex >= 3 ? vertex - 3 : vertex, edge) == 0;
}

// Returns whether corner `one` comes before corner `two` along an edge of a triangle. If one of the corners
// is a crossing with an edge of the other triangle, the start of this triangle's edge decides. If the start is
// on the outer side of the crossed edge, this triangle's edge enters the other triangle at the crossing, so the
// crossing comes first. Otherwise, it leaves the other triangle there, so the crossing comes second.
function comesFirst(
  p: usize,
  one: u32,
  two: u32,
  from: u32,
  to: u32,
  edge: u32,
  shift: u32,
  own: usize,
): bool {
  if ((one & EDGE_EDGE) != 0) return signAt(own, edge, ((one >> (6 - shift)) & 7) % 3) < 0;
  if ((two & EDGE_EDGE) != 0) return signAt(own, edge, ((two >> (6 - shift)) & 7) % 3) > 0;
  return (
    comparePoints(p + STRIDE * (one & 7), p + STRIDE * (two & 7)) ==
    comparePoints(p + STRIDE * from, p + STRIDE * to)
  );
}

// Reorders the corners so that each corner is followed by the one that NEXT links it to.
function orderCorners(set: usize, work: usize): void {
  const count = cornerCount(set);
  let at: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    store<u32>(work + ((<usize>i) << 2), cornerAt(set, at), ORDERED);
    at = load<u8>(work + at, NEXT);
    if (at >= count) unreachable();
  }
  memory.copy(set + TriangleIntersection.names, work + ORDERED, (<usize>count) << 2);
}
