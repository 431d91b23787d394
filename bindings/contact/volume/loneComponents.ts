// Finds out which boundaries of the common solid are proven to bound the only component of their group (see
// overlapComponents.ts).

import type { MeshContacts } from '../meshContacts.js';
import type { OverlapComponents } from '../overlapComponents.js';
import type { SegmentFinder } from '../segmentFinder.js';
import { boundsSolid } from './boundsSolid.js';
import { signedVolumesOf } from './commonVolume.js';
import { U } from './faceSums.js';
import type { MovedCrossings } from './movedCrossings.js';

/**
 * Returns, for each boundary, whether it is proven to bound the only component of its group, or the only one
 * with a volume.
 *
 * The volume of a component is the sum of the signed volumes of its boundaries. This sum has the same sign for
 * all components, because the winding numbers of a mesh that bounds a solid have the same sign everywhere. Each
 * component with a volume has a boundary whose signed volume has this sign. So if all but one of the boundaries
 * of a group are proven not to have this sign, the group has only one such component. An example is a tube
 * through a wall: its outer boundary adds to the volume, and its inner one subtracts from it. If the solids only
 * touch in the regions of a boundary, the boundary has no volume. It is then not proven to which component it
 * belongs.
 */
export function boundLoneComponents(
  finder: SegmentFinder,
  contacts: MeshContacts,
  crossings: MovedCrossings,
  { boundaries, boundariesOf }: OverlapComponents,
): boolean[] {
  const isProven = Array<boolean>(boundaries.all.length).fill(false);
  const open: number[][] = [];
  for (const group of boundariesOf) {
    const solid = group.filter(boundary => boundaries.all[boundary].isSolid);
    if (group.length === 1) isProven[group[0]] = true;
    else if (solid.length === 1) isProven[solid[0]] = true;
    else if (solid.length > 1) open.push(solid);
  }
  if (open.length === 0 || ![contacts.a, contacts.b].every(surface => boundsSolid(finder, surface)))
    return isProven;
  const volumes = signedVolumesOf(contacts, crossings, boundaries);
  for (const group of open)
    if (hasOneSummand(group.map(boundary => volumes[boundary])))
      for (const boundary of group) isProven[boundary] = true;
  return isProven;
}

// The numbers are given by bounds. Returns whether two statements are proven: their sum has a certain sign, and
// all of them except one do not have this sign.
function hasOneSummand(bounds: readonly (readonly [lower: number, upper: number])[]): boolean {
  const total = (side: 0 | 1): number => bounds.reduce((sum, one) => sum + one[side], 0);
  const size = bounds.reduce((sum, one) => sum + Math.max(...one.map(Math.abs)), 0);
  const rounding = 2 * bounds.length * U * size;
  if (total(0) > rounding) return bounds.filter(([, upper]) => upper > 0).length === 1;
  return total(1) < -rounding && bounds.filter(([lower]) => lower < 0).length === 1;
}
