// Leaves out pieces of a contact that would be counted twice. For example, if two triangles have a common edge,
// both may share the same segment of this edge with the other mesh. Another example is a segment on the border
// of a shared area: this segment is already part of the area.

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
 * Returns the pairs whose segments or areas are counted. Leaves out each segment and each area that has the
 * same points as one that is returned, and each segment that lies in a shared area. Only the names of cells are
 * compared (see cells.ts), so the result may still have pieces that should be left out. It has no such
 * pieces if all triangles have an area, and no two triangles of one mesh share more than a common edge or
 * vertex.
 *
 * A segment is the common part of two cells: an edge or triangle of A, and an edge or triangle of B. Segments
 * with the same two cells are therefore equal. A segment lies in the area that two triangles share if each of
 * its cells is one of these triangles, or an edge of one.
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

// Returns a cell of A and a cell of B whose common part is the segment in which the triangles of pair i touch.
// The cell of a triangle is its edge that lies in the plane of the other triangle, or the triangle itself if no
// edge does. The cells of coplanar triangles are the edges along which they touch. Returns undefined if a
// triangle has no area.
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

// Returns the number of the edge between the two corners whose entries in `sides` are 0. Edge i begins at
// corner i.
const edgeAt = (at: number): number => (sides[at + 2] !== 0 ? 0 : sides[at] !== 0 ? 1 : 2);

// Returns the numbers of the two edges along which coplanar triangles touch: both edges lie on one line, and
// the triangles lie on opposite sides of it. Returns undefined if a triangle has no area.
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
