// Tests whether all shells of a closed mesh face in the same direction. Otherwise the winding number may be
// positive at some points and negative at others, so that volumes cancel; boundsSolid.ts can rule this out.

import { edgesOf } from '../../core/meshEdges.js';
import { volumeSign } from '../../core/volumeSign.js';
import type { Mesh } from '../../mesh/mesh.js';
import { perMesh } from '../perMesh.js';
import { joinAtEdges, weldedCornersOf } from '../shells.js';
import { Surface } from '../surface.js';

/**
 * Returns whether all shells of a closed mesh face outward, or all inward. A shell is a set of triangles that
 * are joined by edges that exactly two triangles use. For a mesh of a single shell, returns true. For other
 * meshes, also returns false if the direction of a shell is unknown, because the shell is not closed by itself
 * or may have no volume. The result is kept until the mesh's coordinates change.
 */
export const facesOneWay = /* @__PURE__ */ perMesh(findsOneDirection);

function findsOneDirection(mesh: Mesh): boolean {
  // No transform is needed, because a placement reverses all directions or none.
  const surface = new Surface(mesh);
  const corners = weldedCornersOf(surface);
  const edges = edgesOf(corners);
  const shells = shellTriangles(edges);
  // The direction of a single shell does not matter.
  if (shells.length === 1) return true;
  const balance = new Int32Array(corners.length);
  let first = 0;
  return shells.every(triangles => {
    const direction = isClosedShell(triangles, corners, edges, balance)
      ? volumeSign(triangles, (triangle, p) => surface.writeCorners(triangle, p, 0))
      : 0;
    first ||= direction;
    return direction !== 0 && direction === first;
  });
}

// Returns whether the triangles use each edge equally often in both directions. balance: 0 for each edge. All
// of its entries are 0 again if the function returns true.
function isClosedShell(
  triangles: readonly number[],
  corners: Uint32Array,
  edges: Int32Array,
  balance: Int32Array,
): boolean {
  const places = triangles.flatMap(triangle => [3 * triangle, 3 * triangle + 1, 3 * triangle + 2]);
  for (const i of places) balance[edges[i]] += corners[i] === corners[edges[i]] ? 1 : -1;
  return places.every(i => balance[edges[i]] === 0);
}

/** Returns the triangles of each shell, without triangles that have two equal corners. edges: see `edgesOf`. */
function shellTriangles(edges: Int32Array): number[][] {
  const edgesAt = (triangle: number): Int32Array => edges.subarray(3 * triangle, 3 * triangle + 3);
  const used = Array.from({ length: edges.length / 3 }, (_, triangle) => triangle).filter(
    triangle => !edgesAt(triangle).includes(-1),
  );
  const joined = joinAtEdges(edges, used);
  const shells = new Map<number, number[]>();
  for (const triangle of used) {
    const shell = joined.find(triangle);
    const triangles = shells.get(shell);
    if (triangles) triangles.push(triangle);
    else shells.set(shell, [triangle]);
  }
  return [...shells.values()];
}
