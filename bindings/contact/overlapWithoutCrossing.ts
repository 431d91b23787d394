// Decides exactly whether two placed solids overlap if none of their triangles cross. They may still overlap,
// for example if one contains a part of the other, or if they share faces.

import { cellSamplePoints } from './cellSamplePoints.js';
import { type GridPoint, gridPointAt } from './gridPoint.js';
import { type ContactPairs, sharesArea } from './meshContacts.js';
import { ProjectedBoxFilter } from './projectedBoxFilter.js';
import { shellsOf, UnionFind } from './shells.js';
import { dominantAxis, sidesOf } from './sides.js';
import type { Surface } from './surface.js';
import { countCrossings, windingBefore, windingBeyond } from './winding.js';

/**
 * What lies in the plane of one triangle, taken from those triangles of the other mesh that intersect this
 * triangle. segments: edges of these other triangles, six doubles each. points: corners of the other
 * triangles, three doubles each. sharing: the numbers of the other triangles that share an area with this
 * triangle.
 */
interface CoplanarContacts {
  segments: number[];
  points: number[];
  sharing: number[];
}

/**
 * Returns whether a mesh is closed. A closed mesh has an inside: the points at which its winding number is
 * not 0.
 */
export const isClosed = ({ mesh }: Surface): boolean =>
  mesh.triangleCount > 0 && shellsOf(mesh).openEdges === 0;

/** Returns whether a point, which must not be on the surface, lies inside the surface's solid. */
export function containsPoint(surface: Surface, point: GridPoint): boolean {
  return !surface.isOutsideBounds(point) && windingBeyond(countCrossings(surface, point, 2)) !== 0;
}

/**
 * Returns whether two solids overlap. They do if a point of one surface lies inside the other's solid, or
 * both solids lie on the same side of an area that they share. Points of triangles without area are not
 * considered.
 * @param pairs All intersecting pairs of triangles, none of which cross.
 */
export function overlapWithoutCrossing(a: Surface, b: Surface, pairs: ContactPairs): boolean {
  const closed = [isClosed(a), isClosed(b)] as const;
  if (!closed[0] && !closed[1]) return false;
  const [ofA, ofB] = coplanarContactsOf(a, b, pairs);
  return (
    cellsOverlap(a, b, closed, ofA, ofB) ||
    cellsOverlap(b, a, [closed[1], closed[0]], ofB, ofA) ||
    (closed[1] && untouchedPiecesOverlap(a, ofA, b)) ||
    (closed[0] && untouchedPiecesOverlap(b, ofB, a))
  );
}

// Returns the contacts in the plane of each triangle that intersects the other mesh.
function coplanarContactsOf(
  a: Surface,
  b: Surface,
  pairs: ContactPairs,
): [Map<number, CoplanarContacts>, Map<number, CoplanarContacts>] {
  const ofA = new Map<number, CoplanarContacts>();
  const ofB = new Map<number, CoplanarContacts>();
  const p = new Float64Array(18);
  const sides = new Int8Array(6);
  const entry = (of: Map<number, CoplanarContacts>, triangle: number): CoplanarContacts => {
    let known = of.get(triangle);
    if (!known) of.set(triangle, (known = { segments: [], points: [], sharing: [] }));
    return known;
  };
  for (let i = 0; i < pairs.a.length; i++) {
    const ta = pairs.a[i];
    const tb = pairs.b[i];
    const areCoplanar = sharesArea(pairs.kind[i]);
    a.writeCorners(ta, p, 0);
    b.writeCorners(tb, p, 9);
    if (areCoplanar) sides.fill(0);
    else {
      sidesOf(p, 0, 9, sides, 0);
      sidesOf(p, 9, 0, sides, 3);
    }
    const inA = entry(ofA, ta);
    const inB = entry(ofB, tb);
    addInPlane(p, 9, sides, 0, inA);
    addInPlane(p, 0, sides, 3, inB);
    if (areCoplanar) {
      inA.sharing.push(tb);
      inB.sharing.push(ta);
    }
  }
  return [ofA, ofB];
}

// Adds those corners and edges of the triangle at offset `from` that lie in the other triangle's plane:
// corner i lies in the plane if sides[at + i] is 0.
function addInPlane(
  p: Float64Array,
  from: number,
  sides: Int8Array,
  at: number,
  { segments, points }: CoplanarContacts,
): void {
  for (let i = 0; i < 3; i++) {
    const next = i === 2 ? 0 : i + 1;
    const start = from + 3 * i;
    const end = from + 3 * next;
    if (sides[at + i] !== 0) continue;
    points.push(p[start], p[start + 1], p[start + 2]);
    if (sides[at + next] === 0)
      segments.push(p[start], p[start + 1], p[start + 2], p[end], p[end + 1], p[end + 2]);
  }
}

function cellsOverlap(
  own: Surface,
  other: Surface,
  [isOwnClosed, isOtherClosed]: readonly [boolean, boolean],
  contacts: Map<number, CoplanarContacts>,
  contactsOfOther: Map<number, CoplanarContacts>,
): boolean {
  if (!isOtherClosed) return false;
  const corners = new Float64Array(9);
  for (const [triangle, { segments, points, sharing }] of contacts) {
    own.writeCorners(triangle, corners, 0);
    const axis = dominantAxis(corners, 0);
    if (axis < 0) continue;
    const cuts = new ProjectedBoxFilter(corners, axis);
    const avoided = new ProjectedBoxFilter(corners, axis);
    cuts.addSegments(segments);
    avoided.addPoints(points);
    for (const sharer of sharing) {
      const { segments, points } = contactsOfOther.get(sharer)!;
      cuts.addSegments(segments);
      avoided.addPoints(points);
    }
    for (const point of cellSamplePoints(corners, cuts.found, avoided.found, axis)) {
      if (overlapsAt(point, axis, isOwnClosed ? own : undefined, triangle, other, sharing)) return true;
    }
  }
  return false;
}

// Returns whether a point of a triangle lies inside the solid of `other`, or both solids lie on the same side
// of the triangle at this point. Every triangle of either mesh that contains the point must lie in the
// triangle's plane. own: the mesh of the triangle; undefined if it is not closed.
function overlapsAt(
  point: GridPoint,
  axis: number,
  own: Surface | undefined,
  triangle: number,
  other: Surface,
  sharing: readonly number[],
): boolean {
  if (other.isOutsideBounds(point)) return false;
  const crossings = countCrossings(other, point, axis, sharing);
  const beyond = windingBeyond(crossings) !== 0;
  const before = windingBefore(crossings) !== 0;
  if (beyond && before) return true;
  if (!own || (!beyond && !before)) return false;
  return (beyond ? windingBeyond : windingBefore)(countCrossings(own, point, axis, [triangle])) !== 0;
}

// Returns whether one of those triangles that do not intersect the other surface lies inside the other's
// solid. Tests only one triangle of each connected set of such triangles, because the whole set lies either
// inside or outside.
function untouchedPiecesOverlap(
  own: Surface,
  contacts: Map<number, CoplanarContacts>,
  other: Surface,
): boolean {
  const { weldedVertices } = shellsOf(own.mesh);
  const {
    mesh: { triangleCount, vertexCount },
    indices,
  } = own;
  const joined = new UnionFind(vertexCount);
  const corners = new Float64Array(9);
  const free: number[] = [];
  for (let triangle = 0; triangle < triangleCount; triangle++) {
    if (contacts.has(triangle)) continue;
    const x = weldedVertices[indices[3 * triangle]];
    joined.union(x, weldedVertices[indices[3 * triangle + 1]]);
    joined.union(x, weldedVertices[indices[3 * triangle + 2]]);
    free.push(triangle);
  }
  const checked = new Set<number>();
  for (const triangle of free) {
    const piece = joined.find(weldedVertices[indices[3 * triangle]]);
    if (checked.has(piece)) continue;
    own.writeCorners(triangle, corners, 0);
    if (dominantAxis(corners, 0) < 0) continue;
    checked.add(piece);
    if (containsPoint(other, gridPointAt(corners))) return true;
  }
  return false;
}
