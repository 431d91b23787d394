// Collects the edges and corners of one mesh that lie in the planes of triangles of another mesh, and chooses
// sample points in the cells into which these edges divide the triangles.

import { cellSamplePoints } from './cellSamplePoints.js';
import type { GridPoint } from './gridPoint.js';
import { type ContactPairs, sharesArea } from './meshContacts.js';
import { ProjectedBoxFilter } from './projectedBoxFilter.js';
import { dominantAxis, sidesOf } from './sides.js';
import type { Surface } from './surface.js';

/**
 * The edges and corners that lie in the plane of one triangle. They belong to the triangles of the other mesh
 * that intersect this triangle. segments: the edges, six doubles each. points: the corners, three doubles each.
 * sharing: the numbers of those triangles of the other mesh that share an area with this triangle.
 */
export interface CoplanarContacts {
  segments: number[];
  points: number[];
  sharing: number[];
}

/**
 * Returns two maps: one for the triangles of A, and one for those of B. A map has an entry for each triangle
 * that belongs to at least one pair. The key is the triangle's number, and the value is the contacts in its
 * plane.
 */
export function coplanarContactsOf(
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

/** A point of a triangle, and an axis that is not parallel to the triangle's plane. */
export interface CellPoint {
  point: GridPoint;
  axis: number;
}

/**
 * Yields at least one point in every cell into which coplanar segments divide a triangle. These are the
 * segments of the triangle's contacts, and the segments of the contacts of all triangles in `sharing`. Yields
 * no point if the triangle has no area. If no two triangles of the meshes cross, each triangle of the other mesh
 * that contains such a point is coplanar with the given triangle.
 * @param contactsOfOther The contacts of triangles of the other mesh, including all triangles in `sharing`.
 */
export function* cellPointsOf(
  own: Surface,
  triangle: number,
  { segments, points, sharing }: CoplanarContacts,
  contactsOfOther: ReadonlyMap<number, CoplanarContacts>,
): Generator<CellPoint, void> {
  const corners = new Float64Array(9);
  own.writeCorners(triangle, corners, 0);
  const axis = dominantAxis(corners, 0);
  if (axis < 0) return;
  const cuts = new ProjectedBoxFilter(corners, axis);
  const avoided = new ProjectedBoxFilter(corners, axis);
  cuts.addSegments(segments);
  avoided.addPoints(points);
  for (const sharer of sharing) {
    const { segments, points } = contactsOfOther.get(sharer)!;
    cuts.addSegments(segments);
    avoided.addPoints(points);
  }
  for (const point of cellSamplePoints(corners, cuts.found, avoided.found, axis)) yield { point, axis };
}
