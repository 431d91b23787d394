// Two meshes and their checked transforms -> a PairRecord; the arithmetic is placePairs' (assembly/mesh).

import { PairRecord, PlaceJob } from '../records/layout.js';
import type { Backend } from '../runtime/backend.js';

const AT = PairRecord.at;
const NO_ERROR = -1;

/** Byte address of A's or B's three rows of four doubles in the record at `at`: what readTransform fills. */
export const rowsAt = (at: number, side: 'A' | 'B'): number =>
  at + (side === 'A' ? AT.placementA : AT.placementB);

/** Names the meshes of the record at `at` and tells which have a placement. */
export function nameMeshes(
  { arena: { u32 } }: Backend,
  at: number,
  recordA: number,
  recordB: number,
  placedA: boolean,
  placedB: boolean,
): void {
  const w = at / 4;
  u32[w + AT.meshA / 4] = recordA;
  u32[w + AT.meshB / 4] = recordB;
  u32[w + AT.placedA / 4] = placedA ? 1 : 0;
  u32[w + AT.placedB / 4] = placedB ? 1 : 0;
}

/**
 * Completes pair `index` of the records at `pairsAt`, whose meshes are named and placed.
 * @param ownError of placed copies, which are never refused: what their coordinates are off by, in A's
 * normalised frame.
 * @returns false where A's frame is singular, ill-conditioned or far smaller than B: the float filter would
 * be blind there.
 */
export function fillPair(
  { arena, pool }: Backend,
  jobAt: number,
  pairsAt: number,
  index: number,
  ownError = NO_ERROR,
): boolean {
  const at = pairsAt + index * PairRecord.size;
  arena.f64[(at + AT.ownError) / 8] = ownError;
  arena.u32[(jobAt + PlaceJob.at.pairsAt) / 4] = pairsAt;
  pool.kernels.placePairs(jobAt, index, index + 1);
  return arena.u32[(at + AT.fit) / 4] === 1;
}

/** Exchanges A and B of the record at `at`, with their placements. */
export function swapMeshes({ arena: { u32, f64 } }: Backend, at: number): void {
  const w = at / 4;
  [u32[w + AT.meshA / 4], u32[w + AT.meshB / 4]] = [u32[w + AT.meshB / 4], u32[w + AT.meshA / 4]];
  [u32[w + AT.placedA / 4], u32[w + AT.placedB / 4]] = [u32[w + AT.placedB / 4], u32[w + AT.placedA / 4]];
  const a = (at + AT.placementA) / 8;
  const b = (at + AT.placementB) / 8;
  const kept = f64.slice(a, a + 12);
  f64.copyWithin(a, b, b + 12);
  f64.set(kept, b);
}
