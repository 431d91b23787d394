// Collects the contacts of two placed meshes: the surfaces, the intersecting triangle pairs, and the kinds and
// points of these pairs. From the contacts, other files compute regions, depths and classes.

import type { QueryOptions } from '../core/queryOptions.js';
import type { Mesh } from '../mesh/mesh.js';
import { contactKinds } from './contactSegments.js';
import type { SegmentFinder } from './segmentFinder.js';
import { Surface } from './surface.js';

/** Where two meshes are placed in the common frame. Both transforms are optional. */
export type Placements = Pick<QueryOptions, 'transformA' | 'transformB'>;

/** Intersecting pairs of triangles, sorted by a, then by b. `kind`: one of `contactKinds` for each pair. */
export interface ContactPairs {
  readonly a: Uint32Array;
  readonly b: Uint32Array;
  readonly kind: Uint8Array;
}

/**
 * Two placed meshes and their contacts. The points of pair i have the numbers pointsAt[i] to
 * pointsAt[i + 1] - 1; each point is three doubles in `points`.
 */
export interface MeshContacts {
  a: Surface;
  b: Surface;
  pairs: ContactPairs;
  pointsAt: Uint32Array;
  points: Float64Array;
}

export const crosses = (kind: number): boolean => kind === contactKinds.CROSS;
export const sharesArea = (kind: number): boolean =>
  kind === contactKinds.COPLANAR_SAME || kind === contactKinds.COPLANAR_OPPOSITE;

/**
 * Finds the intersecting pairs of two placed meshes, with kinds and points.
 *
 * @throws InvalidTransform, Unsupported, Disposed, Capacity
 */
export function findMeshContacts(
  finder: SegmentFinder,
  a: Mesh,
  b: Mesh,
  { transformA, transformB }: Placements,
): MeshContacts {
  const {
    a: first,
    b: second,
    kind,
    pointsAt,
    points,
  } = finder.findSegments(a, b, { want: 'segments', transformA, transformB }).copy();
  return {
    a: new Surface(a, transformA),
    b: new Surface(b, transformB),
    pairs: { a: first, b: second, kind },
    pointsAt,
    points,
  };
}

/** Finds pairs and kinds only, without points. @throws as findMeshContacts */
export function findContactKinds(
  finder: SegmentFinder,
  a: Mesh,
  b: Mesh,
  { transformA, transformB }: Placements,
): Pick<MeshContacts, 'a' | 'b' | 'pairs'> {
  const {
    aAt,
    bAt,
    count,
    arena: { u32 },
    kind,
  } = finder.findKinds(a, b, { transformA, transformB });
  const pairs = {
    a: u32.slice(aAt / 4, aAt / 4 + count),
    b: u32.slice(bAt / 4, bAt / 4 + count),
    kind: kind.slice(),
  };
  return { a: new Surface(a, transformA), b: new Surface(b, transformB), pairs };
}
