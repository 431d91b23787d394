// Writes PairRecords for placed pairs of meshes, and chooses for each pair a frame in which it can be tested
// accurately.

import { Unsupported } from '../core/errors.js';
import { readTransform, type Transform } from '../core/transform.js';
import { PairRecord, PlaceJob } from '../records/layout.js';
import type { EngineContext } from '../runtime/engineContext.js';
import { GrowableBlock } from '../runtime/memory.js';
import type { Mesh } from './mesh.js';
import { makePlacedCopies, type PlacedCopies, placedSize } from './placedCopies.js';

const AT = PairRecord.at;
const NO_ERROR = -1;

/** Owns the memory of pair records, and receives the depths of the trees from PairWriter. */
export interface PairRecords {
  readonly pairs: { readonly at: number };
  reservePairs(count: number): number;
  noteDepth(sumOfDepths: number): void;
}

export interface PlacedMeshes {
  a: Mesh;
  b: Mesh;
  transformA?: Transform;
  transformB?: Transform;
}

export class PairWriter {
  /** For each pair of the last `write`: 1 if its meshes are exchanged in the record. */
  swapped = new Uint8Array(1);
  readonly #context: EngineContext;
  readonly #job: GrowableBlock;
  #pairsAt = 0;
  readonly #meshes: Mesh[] = [];
  readonly #copies: PlacedCopies[] = [];
  readonly #known: { has(mesh: Mesh): boolean };

  /** `engineMeshes`: the set of this engine's meshes; other meshes are rejected. */
  constructor(context: EngineContext, engineMeshes: { has(mesh: Mesh): boolean }) {
    this.#context = context;
    this.#known = engineMeshes;
    this.#job = new GrowableBlock(context.arena);
  }

  /**
   * Writes the records of all pairs. Call `release` when the run is over.
   * @returns meshes[2 * i] and meshes[2 * i + 1]: the meshes of pair i, or their placed copies, in the order of
   * its record.
   * @throws Unsupported, InvalidTransform, Disposed, Capacity
   */
  write(front: PairRecords, pairs: readonly PlacedMeshes[]): readonly Mesh[] {
    if (this.swapped.length < pairs.length) this.swapped = new Uint8Array(pairs.length);
    this.#pairsAt = front.reservePairs(pairs.length);
    if (this.#meshes.length !== 2 * pairs.length) this.#meshes.length = 2 * pairs.length;
    for (let i = 0; i < pairs.length; i++) {
      const pair = pairs[i] as PlacedMeshes | undefined;
      if (!pair)
        throw new Unsupported(
          `pairs[${i}] is ${String(pair)}, not { a, b }`,
          'pass two meshes for every pair',
        );
      this.#fill(i, pair);
      front.noteDepth(this.#meshes[2 * i].depth + this.#meshes[2 * i + 1].depth);
    }
    return this.#meshes;
  }

  /**
   * Rewrites the record of pair `i` of `count`. Used if the record was filled without this writer and neither
   * mesh's frame was accurate enough.
   * @returns the two meshes, or their placed copies, in the order of the record, and whether that order is
   * swapped.
   */
  rewrite(
    front: PairRecords,
    i: number,
    count: number,
    pair: PlacedMeshes,
  ): { meshes: readonly Mesh[]; swapped: boolean } {
    if (this.swapped.length < count) this.swapped = new Uint8Array(count);
    this.#pairsAt = front.pairs.at;
    this.#fill(i, pair);
    return { meshes: this.#meshes.slice(2 * i, 2 * i + 2), swapped: this.swapped[i] === 1 };
  }

  /** Whether `write` or `rewrite` has made placed copies of meshes since the last `release`. */
  get hasCopies(): boolean {
    return this.#copies.length > 0;
  }

  /** Frees the placed copies that `write` and `rewrite` have made. */
  release(): void {
    if (this.#copies.length === 0) return;
    for (const { a, b } of this.#copies) {
      a.dispose();
      b.dispose();
    }
    this.#copies.length = 0;
  }

  #check(mesh: Mesh): void {
    if (this.#known.has(mesh)) return;
    throw new Unsupported('a mesh does not belong to this engine', 'pass meshes that this engine created');
  }

  #fill(i: number, { a, b, transformA, transformB }: PlacedMeshes): void {
    const context = this.#context;
    const pairsAt = this.#pairsAt;
    const { f64 } = context.arena;
    const at = pairsAt + i * PairRecord.size;
    this.#check(a);
    this.#check(b);
    if (transformA !== undefined) readTransform('transformA', transformA, f64, rowsAt(at, 'A') / 8);
    if (transformB !== undefined) readTransform('transformB', transformB, f64, rowsAt(at, 'B') / 8);
    writeMeshes(context, at, a.recordAt, b.recordAt, transformA !== undefined, transformB !== undefined);
    this.#setTrees(i, 0, a, b);
    const jobAt = this.#job.reserve(PlaceJob.size);
    if (fillPair(context, jobAt, pairsAt, i)) return;
    swapMeshes(context, at);
    this.#setTrees(i, 1, b, a);
    if (fillPair(context, jobAt, pairsAt, i)) return;
    this.#fillCopies(i, at, b, transformB !== undefined, a, transformA !== undefined);
  }

  // Handles a pair for which neither mesh's frame is accurate enough: the filter works on placed copies in a
  // common frame, and the exact stage uses the meshes themselves. When this method is called, the record has
  // mesh B first. makePlacedCopies requires the larger mesh first, so the two meshes may be swapped back.
  #fillCopies(
    i: number,
    at: number,
    first: Mesh,
    isFirstPlaced: boolean,
    second: Mesh,
    isSecondPlaced: boolean,
  ): void {
    const context = this.#context;
    const pairsAt = this.#pairsAt;
    const rows = (side: 'A' | 'B', isPlaced: boolean): Float64Array | undefined =>
      isPlaced ? context.arena.f64.slice(rowsAt(at, side) / 8, rowsAt(at, side) / 8 + 12) : undefined;
    if (
      placedSize(context, first, rows('A', isFirstPlaced)) <
      placedSize(context, second, rows('B', isSecondPlaced))
    ) {
      swapMeshes(context, at);
      [first, isFirstPlaced, second, isSecondPlaced] = [second, isSecondPlaced, first, isFirstPlaced];
      this.swapped[i] = 0;
    }
    const copies = makePlacedCopies(
      context,
      first,
      rows('A', isFirstPlaced),
      second,
      rows('B', isSecondPlaced),
    );
    this.#copies.push(copies);
    this.#setTrees(i, this.swapped[i] as 0 | 1, copies.a, copies.b);
    writeMeshes(context, at, copies.a.recordAt, copies.b.recordAt, false, false);
    fillPair(context, this.#job.at, pairsAt, i, copies.ownError);
    writeMeshes(context, at, first.recordAt, second.recordAt, isFirstPlaced, isSecondPlaced);
  }

  #setTrees(i: number, swapped: 0 | 1, a: Mesh, b: Mesh): void {
    this.swapped[i] = swapped;
    this.#meshes[2 * i] = a;
    this.#meshes[2 * i + 1] = b;
  }
}

/** Returns the byte address of A's or B's placement, three rows of four doubles, in the record at `at`. */
const rowsAt = (at: number, side: 'A' | 'B'): number => at + (side === 'A' ? AT.placementA : AT.placementB);

/** Writes the two meshes of the record at `at`, and for each mesh whether it has a placement. */
function writeMeshes(
  { arena: { u32 } }: EngineContext,
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
 * Completes pair `index` of the records at `pairsAt`, whose meshes and placements are set.
 * @param ownError for a pair of placed copies, the error bound of their coordinates in A's normalized frame;
 * the accuracy of the frame is then not checked.
 * @returns false if A's placement is singular or ill-conditioned, or if B is far too large or too far away
 * compared with A. In A's frame, the float filter could then decide nothing.
 */
function fillPair(
  { arena, pool }: EngineContext,
  jobAt: number,
  pairsAt: number,
  index: number,
  ownError = NO_ERROR,
): boolean {
  const at = pairsAt + index * PairRecord.size;
  arena.f64[(at + AT.ownError) / 8] = ownError;
  arena.u32[(jobAt + PlaceJob.at.pairsAt) / 4] = pairsAt;
  pool.kernels.placePairs(jobAt, index, index + 1);
  return arena.u32[(at + AT.isFrameAccurate) / 4] === 1;
}

/** Exchanges A and B, with their placements, in the record at `at`. */
function swapMeshes({ arena: { u32, f64 } }: EngineContext, at: number): void {
  const w = at / 4;
  [u32[w + AT.meshA / 4], u32[w + AT.meshB / 4]] = [u32[w + AT.meshB / 4], u32[w + AT.meshA / 4]];
  [u32[w + AT.placedA / 4], u32[w + AT.placedB / 4]] = [u32[w + AT.placedB / 4], u32[w + AT.placedA / 4]];
  const a = (at + AT.placementA) / 8;
  const b = (at + AT.placementB) / 8;
  const rowsOfA = f64.slice(a, a + 12);
  f64.copyWithin(a, b, b + 12);
  f64.set(rowsOfA, b);
}
