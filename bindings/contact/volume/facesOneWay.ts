// Finds closed meshes whose shells face in different directions: some outward, some inward. The winding number of such a
// mesh is positive at some points and negative at others, so volumes would cancel.

import type { Mesh } from '../../mesh/mesh.js';
import { joinPieces, shellsOf } from '../shells.js';
import { Surface } from '../surface.js';
import { movedWinding } from './generalPosition.js';

const cache = new WeakMap<Mesh, { version: number; result: boolean }>();

/**
 * Returns whether all shells of a closed mesh face outward, except for cavities, which face inward; or all the other way
 * around. Shells that intersect themselves or cross each other are only tested at some points. The result is kept until
 * the mesh's coordinates change.
 */
export function facesOneWay(mesh: Mesh): boolean {
  const { version } = mesh;
  const known = cache.get(mesh);
  if (known?.version === version) return known.result;
  const result = shellsOf(mesh).pieceTriangles.length < 2 || findsOneDirection(mesh);
  cache.set(mesh, { version, result });
  return result;
}

function findsOneDirection(mesh: Mesh): boolean {
  // Surfaces without a transform: a placement changes all directions or none.
  const surface = new Surface(mesh);
  const { weldedVertices, pieceTriangles } = shellsOf(mesh);
  const corners = surface.indices.map(vertex => weldedVertices[vertex]);
  const joined = joinPieces(corners, mesh.vertexCount);
  const pieceOf = (triangle: number): number => joined.find(corners[3 * triangle]);
  const volumes = signedVolumes(surface, pieceOf);
  const total = [...volumes.values()].reduce((sum, volume) => sum + volume, 0);
  const against = new Set<number>();
  for (const [piece, volume] of volumes) if (total < 0 ? volume > 0 : volume < 0) against.add(piece);
  if (against.size === 0) return true;
  // Most shells are tested at one corner. Shells that face the other way must be cavities, which is tested at all corners.
  const tested = new Map<number, number>(
    Array.from(pieceTriangles, triangle => [corners[3 * triangle], pieceOf(triangle)]),
  );
  for (let i = 0; i < corners.length; i++) {
    const piece = joined.find(corners[i]);
    if (against.has(piece)) tested.set(corners[i], piece);
  }
  const point = new Float64Array(3);
  for (const [vertex, piece] of tested) {
    surface.place(vertex, point, 0);
    // The winding numbers on both sides of the shell.
    const outside = movedWinding(surface, point, 1, triangle => pieceOf(triangle) !== piece);
    const inside = outside + Math.sign(volumes.get(piece)!);
    if (total < 0 ? Math.max(outside, inside) > 0 : Math.min(outside, inside) < 0) return false;
  }
  return true;
}

/** Returns six times the volume of each shell: positive if it faces outward. It is measured from a corner of the shell. */
function signedVolumes(surface: Surface, pieceOf: (triangle: number) => number): Map<number, number> {
  const volumes = new Map<number, number>();
  const base = new Float64Array(3);
  const p = new Float64Array(9);
  for (let triangle = 0; triangle < surface.mesh.triangleCount; triangle++) {
    const piece = pieceOf(triangle);
    surface.place(piece, base, 0);
    surface.writeCorners(triangle, p, 0);
    for (let i = 0; i < 9; i++) p[i] -= base[i % 3];
    const [ax, ay, az, bx, by, bz, cx, cy, cz] = p;
    const volume = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
    volumes.set(piece, (volumes.get(piece) ?? 0) + volume);
  }
  return volumes;
}
