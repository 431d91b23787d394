// Two placed meshes -> their surfaces, the triangles that meet, and how each two of them do.

import type { QueryOptions } from '../core/options.js';
import type { Mesh } from '../mesh/mesh.js';
import { contactKinds } from './contactSegments.js';
import type { SegmentFinder } from './segmentFinder.js';
import { Surface } from './surface.js';

/** Where two meshes are; both may be left out. */
export type Placements = Pick<QueryOptions, 'transformA' | 'transformB'>;

/** Triangles that meet, sorted; kind: one of contactKinds each. */
export interface TrianglesThatMeet {
  readonly a: Uint32Array;
  readonly b: Uint32Array;
  readonly kind: Uint8Array;
}

/**
 * Two placed meshes; pair i of their triangles shares the points pointsAt[i] <= k < pointsAt[i + 1], three
 * doubles each.
 */
export interface Asked {
  a: Surface;
  b: Surface;
  pairs: TrianglesThatMeet;
  pointsAt: Uint32Array;
  points: Float64Array;
}

export const crosses = (kind: number): boolean => kind === contactKinds.CROSS;
export const sharesArea = (kind: number): boolean =>
  kind === contactKinds.COPLANAR_SAME || kind === contactKinds.COPLANAR_OPPOSITE;

/** @throws InvalidTransform, Unsupported, Disposed, Capacity */
export function askPairs(
  finder: SegmentFinder,
  a: Mesh,
  b: Mesh,
  { transformA, transformB }: Placements,
): Asked {
  const {
    a: first,
    b: second,
    kind,
    pointsAt,
    points,
  } = finder.segments(a, b, { want: 'segments', transformA, transformB }).copy();
  return {
    a: new Surface(a, transformA),
    b: new Surface(b, transformB),
    pairs: { a: first, b: second, kind },
    pointsAt,
    points,
  };
}

/** The same without points. @throws as askPairs */
export function askKinds(
  finder: SegmentFinder,
  a: Mesh,
  b: Mesh,
  { transformA, transformB }: Placements,
): Pick<Asked, 'a' | 'b' | 'pairs'> {
  const {
    aAt,
    bAt,
    count,
    arena: { u32 },
    kind,
  } = finder.kinds(a, b, { transformA, transformB });
  const pairs = {
    a: u32.slice(aAt / 4, aAt / 4 + count),
    b: u32.slice(bAt / 4, bAt / 4 + count),
    kind: kind.slice(),
  };
  return { a: new Surface(a, transformA), b: new Surface(b, transformB), pairs };
}
