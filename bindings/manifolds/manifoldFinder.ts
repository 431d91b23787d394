// Runs the kernel that computes the contact manifolds of placed pairs of meshes from their triangle pairs.

import type { EngineHost } from '../core/module.js';
import type { ResultLocation } from '../core/results.js';
import { limits } from '../records/layout.js';
import {
  ContactCandidate,
  Manifold,
  ManifoldJob,
  ManifoldSlice,
  manifoldLimits,
  TriangleContact,
} from '../records/manifoldLayout.js';
import { setWords } from '../records/record.js';
import { BlockGroup } from '../runtime/blockGroup.js';
import { GrowableBlock } from '../runtime/memory.js';
import { retry } from '../runtime/retry.js';
import { sliceCountOf } from '../runtime/sliceCount.js';
import { runStep } from '../runtime/steps.js';
import { ManifoldTable } from './manifoldTable.js';

/** With fewer triangle pairs per thread than this, handing work to another thread costs more than it saves. */
const TRIANGLES_PER_SLICE = 64;
const MANIFOLDS_PER_PAIR = 2;

/**
 * Placed pairs that were tested. result: their triangle pairs, sorted. recordsAt: byte address of their
 * PairRecords. swapped: for each pair, 1 if its record has the meshes in reverse order. secondTriangles: the
 * largest triangle count of any second mesh (the mesh whose triangles `result` lists at bAt).
 */
export interface TestedPairs {
  result: ResultLocation;
  recordsAt: number;
  swapped: Uint8Array;
  secondTriangles: number;
}

export class ManifoldFinder {
  readonly #host: EngineHost;
  /**
   * The lists of ManifoldSlice.lastOfBAt. Each run of the kernel resets their words to NOTHING, so this class
   * fills them only when more words are needed.
   */
  readonly #lists: GrowableBlock;
  #listWords = 0;

  constructor(host: EngineHost) {
    this.#host = host;
    this.#lists = new GrowableBlock(host.context.arena);
  }

  makeTable(): ManifoldTable {
    return new ManifoldTable();
  }

  /**
   * Writes the manifolds of all placed pairs to the table, in the order of the pairs.
   * @throws Capacity
   */
  find(tested: TestedPairs, table: ManifoldTable): void {
    const blocks = new BlockGroup(this.#host.context.arena);
    try {
      retry(
        () => this.#find(tested, table, blocks),
        () => {
          blocks.releaseAll();
          this.#lists.dispose();
          this.#listWords = 0;
        },
      );
    } finally {
      blocks.releaseAll();
    }
  }

  #find(
    { result, recordsAt, swapped, secondTriangles }: TestedPairs,
    table: ManifoldTable,
    blocks: BlockGroup,
  ): void {
    const { context, initialPairCapacity } = this.#host;
    const { arena, pool } = context;
    const { pairsAt, count } = result;
    const pairCount = pairsAt.length - 1;
    const sliceCount = sliceCountOf(pool.threadCount, count, TRIANGLES_PER_SLICE);
    const startsAt = blocks.takeWords(pairsAt);
    const swappedAt = blocks.take(pairCount);
    const slicesAt = blocks.take(sliceCount * ManifoldSlice.size);
    const jobAt = blocks.take(ManifoldJob.size);
    const lastOfBAt = this.#reserveLists(secondTriangles * sliceCount);
    const clipAt = blocks.take(manifoldLimits.CLIP_BYTES * sliceCount);
    arena.u8.set(swapped.subarray(0, pairCount), swappedAt);
    const ends = dividePairs(pairsAt, sliceCount);
    // A slice needs memory for the largest number of triangle pairs that any of its placed pairs has.
    const maxCounts = ends.map((end, slice) => maxTriangles(pairsAt, ends[slice - 1] ?? 0, end));
    const contactsAt = maxCounts.map(count => blocks.take(count * TriangleContact.size));
    const candidatesAt = maxCounts.map(count =>
      blocks.take(2 * count * manifoldLimits.MAX_CANDIDATES * ContactCandidate.size),
    );
    setWords(arena.u32, jobAt, ManifoldJob, {
      pairsAt: recordsAt,
      swappedAt,
      startsAt,
      aAt: result.aAt,
      bAt: result.bAt,
      slicesAt,
    });
    const read = (slice: number, field: 'count' | 'manifoldsAt'): number =>
      arena.u32[(slicesAt + slice * ManifoldSlice.size + ManifoldSlice.at[field]) / 4];
    let capacities = ends.map((end, slice) =>
      Math.max(1, initialPairCapacity ?? MANIFOLDS_PER_PAIR * (end - (ends[slice - 1] ?? 0))),
    );
    for (;;) {
      const manifoldsAt = capacities.map(capacity => blocks.take(capacity * Manifold.size));
      ends.forEach((end, slice) => {
        setWords(arena.u32, slicesAt + slice * ManifoldSlice.size, ManifoldSlice, {
          begin: ends[slice - 1] ?? 0,
          end,
          manifoldsAt: manifoldsAt[slice],
          capacity: capacities[slice],
          contactsAt: contactsAt[slice],
          candidatesAt: candidatesAt[slice],
          lastOfBAt: lastOfBAt + slice * 4 * secondTriangles,
          clipAt: clipAt + slice * manifoldLimits.CLIP_BYTES,
        });
      });
      runStep(context, 'findManifolds', jobAt, sliceCount);
      const found = ends.map((_, slice) => read(slice, 'count'));
      if (found.every((needed, slice) => needed <= capacities[slice])) break;
      capacities = found.map(needed => Math.max(1, needed));
    }
    this.#store(
      ends.map((_, slice) => ({ at: read(slice, 'manifoldsAt'), count: read(slice, 'count') })),
      pairCount,
      table,
    );
  }

  #reserveLists(words: number): number {
    const at = this.#lists.reserve(4 * words);
    if (words > this.#listWords) {
      this.#host.context.arena.u32.fill(limits.NOTHING, at / 4, at / 4 + words);
      this.#listWords = words;
    }
    return at;
  }

  // Replaces the contents of the table by the manifolds of all slices, which are sorted by their placed pairs.
  #store(lists: readonly { at: number; count: number }[], pairCount: number, table: ManifoldTable): void {
    const { u32, f64 } = this.#host.context.arena;
    const memory = { u32, f64 };
    table.clear();
    let pair = -1;
    for (const { at, count } of lists)
      for (let i = 0; i < count; i++) {
        const record = at + i * Manifold.size;
        for (const owner = u32[(record + Manifold.at.pair) / 4]; pair < owner; pair++) table.beginOwner();
        table.add(memory, record);
      }
    for (; pair < pairCount - 1; pair++) table.beginOwner();
  }
}

// Returns the largest number of triangle pairs that any placed pair i with begin <= i < end has.
function maxTriangles(pairsAt: Uint32Array, begin: number, end: number): number {
  let maxCount = 0;
  for (let i = begin; i < end; i++) maxCount = Math.max(maxCount, pairsAt[i + 1] - pairsAt[i]);
  return maxCount;
}

// Divides the placed pairs into slices of about equally many triangle pairs. Returns the end of each slice.
function dividePairs(pairsAt: Uint32Array, sliceCount: number): number[] {
  const ends: number[] = [];
  let pair = 0;
  for (let slice = 1; slice < sliceCount; slice++) {
    const share = (slice / sliceCount) * pairsAt[pairsAt.length - 1];
    while (pairsAt[pair] < share) pair++;
    ends.push(pair);
  }
  return [...ends, pairsAt.length - 1];
}
