// Decides exactly whether two placed solids overlap, for solids whose triangles do not cross each other. Such
// solids may overlap, for example if one contains a part of the other, or if they share faces.

import { type CoplanarContacts, cellPointsOf, coplanarContactsOf } from './coplanarContacts.js';
import { type GridPoint, gridPointAt } from './gridPoint.js';
import type { ContactPairs } from './meshContacts.js';
import { shellsOf, UnionFind } from './shells.js';
import { dominantAxis } from './sides.js';
import type { Surface } from './surface.js';
import { countCrossings, windingBefore, windingBeyond } from './winding.js';

/**
 * Returns whether a mesh is closed; an empty mesh is not. A closed mesh has an inside: the points at which its
 * winding number is not 0.
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

function cellsOverlap(
  own: Surface,
  other: Surface,
  [isOwnClosed, isOtherClosed]: readonly [boolean, boolean],
  contacts: Map<number, CoplanarContacts>,
  contactsOfOther: Map<number, CoplanarContacts>,
): boolean {
  if (!isOtherClosed) return false;
  for (const [triangle, found] of contacts)
    for (const { point, axis } of cellPointsOf(own, triangle, found, contactsOfOther))
      if (overlapsAt(point, axis, isOwnClosed ? own : undefined, triangle, other, found.sharing)) return true;
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

// Returns whether a triangle of `own` that has area and does not intersect the surface `other` lies inside the
// solid of `other`. Tests only one triangle of each connected set of triangles that do not intersect the
// surface, because the whole set lies either inside or outside.
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
