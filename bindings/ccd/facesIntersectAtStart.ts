// Decides with integer arithmetic whether two triangles of moving meshes share a point at the start. Used if
// the exponents of the coordinates differ too much for the kernel's exact test.
import { trianglesIntersectExact } from '../mesh/trianglesIntersectExact.js';
import { Contact, SweptMesh, sweptLimits } from '../records/sweptLayout.js';
import type { Arena } from '../runtime/memory.js';
import { type MovingMesh, POINT_BYTES } from './movingMesh.js';

const FACE_WORDS = 6;

/**
 * Returns whether the two triangles of a contact share a point at the start.
 * @param contactAt byte address of a Contact record of kind START
 */
export function facesIntersectAtStart(
  { u32, f64 }: Arena,
  contactAt: number,
  a: MovingMesh,
  b: MovingMesh,
): boolean {
  const points: number[] = [];
  for (const [mesh, field] of [
    [a, 'a'],
    [b, 'b'],
  ] as const) {
    const face = u32[(contactAt + Contact.at[field]) / 4];
    const corners = u32[(mesh.at + SweptMesh.at.facesAt) / 4] / 4 + FACE_WORDS * face;
    const pointsAt = u32[(mesh.at + SweptMesh.at.pointsAt) / 4];
    for (let corner = corners; corner < corners + 3; corner++) {
      const point = (pointsAt + POINT_BYTES * ((u32[corner] & ~sweptLimits.OWN_BIT) >>> 0)) / 8;
      points.push(f64[point], f64[point + 1], f64[point + 2]);
    }
  }
  return trianglesIntersectExact(Float64Array.from(points));
}
