// Finds which segments and areas of two meshes are different: triangles with a common edge share the same segment with
// another mesh, and segments on the border of a shared area belong to it.

import { contactKinds } from '../contactSegments.js';
import { type MeshContacts, sharesArea } from '../meshContacts.js';
import { orient2d } from '../orientation.js';
import { dominantAxis, sidesOf } from '../sides.js';
import { Cells, keyOf } from './cells.js';

/** The numbers of the pairs whose segments or areas are counted. */
export interface DistinctPieces {
  segments: number[];
  areas: number[];
}

const sides = new Int8Array(6);
const corners = new Float64Array(18);

/**
 * Leaves out each segment and each area that equals another one as a set of points, and each segment that lies in a shared
 * area. Only names are compared, so some of them may be left. If no two triangles of one mesh share more than a common
 * edge or vertex, none are, except for triangles without area.
 *
 * A segment is the common part of two cells: of an edge or triangle of A and one of B. So segments of the same two cells
 * are equal, and a segment lies in the area that two triangles share if they have these cells.
 * @param pairs Numbers of pairs.
 */
export function distinctPieces(contacts: MeshContacts, pairs: Iterable<number>): DistinctPieces {
  const { a, b, pairs: all } = contacts;
  const cellsA = new Cells(a);
  const cellsB = new Cells(b);
  const known = new Set<number>();
  const shared = new Set<number>();
  const touching: number[] = [];
  const segments: number[] = [];
  const areas: number[] = [];
  for (const i of pairs) {
    const kind = all.kind[i];
    if (kind === contactKinds.TOUCH_POINT) continue;
    if (kind === contactKinds.TOUCH_SEGMENT) {
      touching.push(i);
      continue;
    }
    const key = keyOf(cellsA.ofTriangle(all.a[i]), cellsB.ofTriangle(all.b[i]));
    if (known.has(key)) continue;
    known.add(key);
    if (!sharesArea(kind)) {
      segments.push(i);
      continue;
    }
    areas.push(i);
    shared.add(key);
    cellsA.addAround(all.a[i]);
    cellsB.addAround(all.b[i]);
  }
  for (const i of touching) {
    const cells = touchingCells(contacts, i, cellsA, cellsB);
    if (cells) {
      const key = keyOf(...cells);
      if (known.has(key)) continue;
      known.add(key);
      if (isInArea(cells, cellsA, cellsB, shared)) continue;
    }
    segments.push(i);
  }
  return { segments, areas };
}

function isInArea(
  [ofA, ofB]: readonly [number, number],
  cellsA: Cells,
  cellsB: Cells,
  shared: ReadonlySet<number>,
): boolean {
  if (shared.size === 0) return false;
  for (const one of cellsA.around(ofA))
    for (const other of cellsB.around(ofB)) if (shared.has(keyOf(one, other))) return true;
  return false;
}

// Returns the cells of two triangles whose common part is the segment in which they touch: the edge that lies in the plane
// of the other triangle, or the triangle. Undefined if a triangle has no area.
function touchingCells(
  { a, b, pairs }: MeshContacts,
  i: number,
  cellsA: Cells,
  cellsB: Cells,
): [number, number] | undefined {
  const [ta, tb] = [pairs.a[i], pairs.b[i]];
  a.writeCorners(ta, corners, 0);
  b.writeCorners(tb, corners, 9);
  sidesOf(corners, 9, 0, sides, 0);
  sidesOf(corners, 0, 9, sides, 3);
  const [inB, inA] = [zerosAt(0), zerosAt(3)];
  if (inA === 3 || inB === 3) {
    const edges = commonEdges();
    return edges && [cellsA.ofEdge(ta, edges[0]), cellsB.ofEdge(tb, edges[1])];
  }
  return [
    inB === 2 ? cellsA.ofEdge(ta, edgeAt(0)) : cellsA.ofTriangle(ta),
    inA === 2 ? cellsB.ofEdge(tb, edgeAt(3)) : cellsB.ofTriangle(tb),
  ];
}

const zerosAt = (at: number): number =>
  Number(sides[at] === 0) + Number(sides[at + 1] === 0) + Number(sides[at + 2] === 0);

// Returns the edge between the two corners whose sides are 0, by its first corner.
const edgeAt = (at: number): number => (sides[at + 2] !== 0 ? 0 : sides[at] !== 0 ? 1 : 2);

// Returns the edges along which two coplanar triangles touch from opposite sides, by their first corners. Both triangles
// have an edge on the line of the segment.
function commonEdges(): [number, number] | undefined {
  const axis = dominantAxis(corners, 0);
  if (axis < 0 || orient2d(corners, 9, 12, 15, axis) === 0) return undefined;
  const own = orient2d(corners, 0, 3, 6, axis);
  for (let i = 0; i < 3; i++) {
    const [from, to] = [3 * i, i === 2 ? 0 : 3 * i + 3];
    for (let k = 0; k < 3; k++) sides[k] = orient2d(corners, from, to, 9 + 3 * k, axis) * own;
    if (zerosAt(0) === 2 && sides[0] + sides[1] + sides[2] < 0) return [i, edgeAt(0)];
  }
  return undefined;
}
