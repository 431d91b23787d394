// Proves that a placed, closed mesh bounds a solid, although its shells may face in different directions: its
// winding number is 0 or 1 everywhere, or 0 or -1 everywhere. A shell that faces inward then bounds a cavity.
//
// The winding number only changes at triangles with area. If no two of these cross, the segments and areas that
// they share divide each of them into cells, and the winding number is constant along each side of a cell. The
// triangles divide space into regions. Every region has a side of a cell on its border, so tests at one point
// of each cell suffice.
//
// Most triangles touch others only at common vertices and edges, so each of them is a single cell. If two such
// triangles have a common edge that no other triangle uses, both lie between the same two regions. So one point
// suffices for all triangles that are joined by such edges.

import { Capacity } from '../../core/errors.js';
import { edgesOf } from '../../core/meshEdges.js';
import { contactKinds } from '../contactSegments.js';
import { type CoplanarContacts, cellPointsOf, coplanarContactsOf } from '../coplanarContacts.js';
import { type ContactPairs, crosses, findContactKinds } from '../meshContacts.js';
import { perMesh } from '../perMesh.js';
import type { SegmentFinder } from '../segmentFinder.js';
import { joinAtEdges, weldedCornersOf } from '../shells.js';
import { dominantAxis } from '../sides.js';
import { matrixOf, type Surface } from '../surface.js';
import { countCrossings, windingBefore, windingBeyond } from '../winding.js';

/**
 * The proof is not tried if the mesh has more pairs of triangles with a common vertex than this. A pair counts
 * in both orders, and once for each common vertex. Most meshes have about 20 pairs for each triangle.
 */
const MAX_PAIRS = 2 ** 22;
/** Maximum number of placements of one mesh for which results are kept. */
const MAX_KEPT = 64;

const NO_CONTACTS: CoplanarContacts = { segments: [], points: [], sharing: [] };

// The results by placement.
const resultsOf = /* @__PURE__ */ perMesh(() => new Map<string, boolean>());

/**
 * Returns whether it is proven that the winding number of a closed mesh is 0 or 1 everywhere, or 0 or -1
 * everywhere. The answer is exact for the placed vertices, except that it is false if two triangles of the mesh
 * cross, or if the proof would take too much time or memory. Results for some placements are kept until the
 * mesh's coordinates change.
 */
export function boundsSolid(finder: SegmentFinder, surface: Surface): boolean {
  const results = resultsOf(surface.mesh);
  const key = surface.rows.join();
  let result = results.get(key);
  if (result === undefined) {
    if (results.size === MAX_KEPT) results.clear();
    results.set(key, (result = prove(finder, surface)));
  }
  return result;
}

function hasFewNeighbors(corners: Uint32Array, vertexCount: number): boolean {
  const uses = new Uint32Array(vertexCount);
  for (const corner of corners) uses[corner]++;
  const pairCount = uses.reduce((sum, count) => sum + count * count, 0);
  return pairCount <= MAX_PAIRS;
}

function prove(finder: SegmentFinder, surface: Surface): boolean {
  const corners = weldedCornersOf(surface);
  if (!hasFewNeighbors(corners, surface.mesh.vertexCount)) return false;
  const pairs = selfContacts(finder, surface);
  if (!pairs || pairs.kind.some(crosses)) return false;
  const hasArea = trianglesWithArea(surface);
  const [contacts] = coplanarContactsOf(surface, surface, pairsBesidesNeighbors(pairs, corners, hasArea));
  let [min, max] = [0, 0];
  for (const triangle of representatives(corners, hasArea, contacts)) {
    const found = contacts.get(triangle) ?? NO_CONTACTS;
    for (const { point, axis } of cellPointsOf(surface, triangle, found, contacts)) {
      const crossings = countCrossings(surface, point, axis, [triangle, ...found.sharing]);
      min = Math.min(min, windingBefore(crossings), windingBeyond(crossings));
      max = Math.max(max, windingBefore(crossings), windingBeyond(crossings));
    }
    if (max - min > 1) return false;
  }
  return true;
}

// Finds the pairs of triangles that share a point; undefined if they do not fit into the memory. A mesh without
// crossing triangles has few such pairs.
function selfContacts(finder: SegmentFinder, { mesh, rows }: Surface): ContactPairs | undefined {
  const transform = matrixOf(rows);
  try {
    return findContactKinds(finder, mesh, mesh, { transformA: transform, transformB: transform }).pairs;
  } catch (error) {
    if (error instanceof Capacity) return undefined;
    throw error;
  }
}

function trianglesWithArea(surface: Surface): Uint8Array {
  const hasArea = new Uint8Array(surface.mesh.triangleCount);
  const placed = new Float64Array(9);
  for (let triangle = 0; triangle < hasArea.length; triangle++) {
    surface.writeCorners(triangle, placed, 0);
    hasArea[triangle] = dominantAxis(placed, 0) < 0 ? 0 : 1;
  }
  return hasArea;
}

// Returns the pairs of two triangles with area that share more than a common vertex or a common edge. If no
// triangles cross, two triangles with a common edge share either only this edge, or an area.
function pairsBesidesNeighbors(
  { a, b, kind }: ContactPairs,
  corners: Uint32Array,
  hasArea: Uint8Array,
): ContactPairs {
  const kept: number[] = [];
  for (let i = 0; i < kind.length; i++) {
    if (a[i] === b[i] || hasArea[a[i]] === 0 || hasArea[b[i]] === 0) continue;
    const count = commonVertexCount(corners, a[i], b[i]);
    const isNeighbor =
      (kind[i] === contactKinds.TOUCH_POINT && count === 1) ||
      (kind[i] === contactKinds.TOUCH_SEGMENT && count === 2);
    if (!isNeighbor) kept.push(i);
  }
  return {
    a: Uint32Array.from(kept, i => a[i]),
    b: Uint32Array.from(kept, i => b[i]),
    kind: Uint8Array.from(kept, i => kind[i]),
  };
}

function commonVertexCount(corners: Uint32Array, a: number, b: number): number {
  let count = 0;
  for (let i = 3 * a; i < 3 * a + 3; i++)
    for (let j = 3 * b; j < 3 * b + 3; j++) if (corners[i] === corners[j]) count++;
  return count;
}

// Yields each triangle that has contacts, and one of each set of other triangles that are joined at edges. All
// these triangles have area.
function* representatives(
  corners: Uint32Array,
  hasArea: Uint8Array,
  contacts: ReadonlyMap<number, CoplanarContacts>,
): Generator<number, void> {
  const used = Array.from(hasArea.keys()).filter(triangle => hasArea[triangle] === 1);
  const joined = joinAtEdges(edgesOf(corners), used, triangle => !contacts.has(triangle));
  for (const triangle of used) if (joined.find(triangle) === triangle) yield triangle;
}
