// Tests whether one of two placed meshes lies inside the other's solid: wholly, in part or not at all. The
// surfaces of the meshes must not intersect.
import { gridPointAt } from './gridPoint.js';
import { containsPoint, isClosed } from './overlapWithoutCrossing.js';
import { shellsOf } from './shells.js';
import type { Surface } from './surface.js';

export type ContainedShare = 'none' | 'some' | 'all';

/**
 * Returns whether none, some or all connected components of `own` lie inside the solid that `other` bounds;
 * 'none' if `other` is not closed.
 */
export function containedShare(own: Surface, other: Surface): ContainedShare {
  if (!isClosed(other)) return 'none';
  const { componentTriangles } = shellsOf(own.mesh);
  const corners = new Float64Array(9);
  let within = 0;
  for (const triangle of componentTriangles) {
    own.writeCorners(triangle, corners, 0);
    if (containsPoint(other, gridPointAt(corners))) within++;
  }
  return within === 0 ? 'none' : within === componentTriangles.length ? 'all' : 'some';
}

/**
 * Returns whether all of `own` lies inside the solid of `other`, and no part of `other` (such as a cavity's
 * shell) lies inside the solid of `own`.
 */
export const isContained = (own: Surface, other: Surface): boolean =>
  containedShare(own, other) === 'all' && containedShare(other, own) === 'none';
