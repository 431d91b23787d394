// Two placed meshes whose surfaces do not meet -> whether one lies within the other's solid, whole, in part
// or not at all.
import { pointOf } from './grid.js';
import { holds, isClosed } from './overlap.js';
import { shellsOf } from './shells.js';
import type { Surface } from './surface.js';

export type Share = 'none' | 'some' | 'all';

/** How many pieces of `own` lie within the solid that `other` bounds; none where it is not closed. */
export function shareWithin(own: Surface, other: Surface): Share {
  if (!isClosed(other)) return 'none';
  const { pieces } = shellsOf(own.mesh);
  const corners = new Float64Array(9);
  let within = 0;
  for (const triangle of pieces) {
    own.corners(triangle, corners, 0);
    if (holds(other, pointOf(corners))) within++;
  }
  return within === 0 ? 'none' : within === pieces.length ? 'all' : 'some';
}

/** Whether the whole of `own` lies within the solid of `other`, and no hollow of that one within own's. */
export const isWithin = (own: Surface, other: Surface): boolean =>
  shareWithin(own, other) === 'all' && shareWithin(other, own) === 'none';
