// Gathers the outputs of all work lists into one result. The result holds the triangle pairs of the first
// placed pair of meshes, then those of the second, and so on. If requested, the triangle pairs of each placed
// pair are sorted by (a, b).

import type { ResultLocation } from '../core/results.js';
import { limits, SortJob } from '../records/layout.js';
import { setWords } from '../records/record.js';
import type { EngineContext } from '../runtime/engineContext.js';
import { GrowableBlock } from '../runtime/memory.js';
import { retry } from '../runtime/retry.js';
import { runStep } from '../runtime/steps.js';
import type { FrontSystem } from './front.js';

/**
 * Outputs to gather. Each list has its triangle pairs in runs; a run belongs to one placed pair. exactPairs:
 * triples (placed pair, a, b) of triangles that BigInt found to intersect.
 */
export interface ListOutputs {
  readonly parts: number;
  readonly lists: Pick<FrontSystem['lists'], 'read'>;
  readonly exactPairs: ArrayLike<number>;
  readonly pairs: { readonly at: number };
}

/** Min triangle pairs per thread. Passing fewer pairs to another thread would cost more than it saves. */
const MIN_PAIRS_PER_SLICE = 8192;

/** Owns the memory of the gathered result and the scratch memory of its sort. */
export class ResultGatherer {
  readonly #context: EngineContext;
  readonly #a: GrowableBlock;
  readonly #b: GrowableBlock;
  readonly #spare: GrowableBlock;
  readonly #job: GrowableBlock;
  #segments = new Uint32Array(2);

  constructor(context: EngineContext) {
    this.#context = context;
    const { arena } = context;
    this.#a = new GrowableBlock(arena);
    this.#b = new GrowableBlock(arena);
    this.#spare = new GrowableBlock(arena);
    this.#job = new GrowableBlock(arena);
  }

  /**
   * Gathers the output lists of `front`'s last run. `swapped[i]`: whether placed pair i ran with its meshes
   * exchanged. The next call overwrites the result.
   */
  gather(
    front: ListOutputs,
    pairCount: number,
    swapped: Uint8Array,
    order: 'sorted' | 'any',
  ): ResultLocation {
    const pairsAt = this.#computeOffsets(front, pairCount);
    const total = pairsAt[pairCount];
    retry(
      () => {
        this.#gather(front, pairsAt, total);
        this.#exchange(pairsAt, swapped);
        if (order === 'sorted') this.#sort(front, pairsAt, swapped);
      },
      () => this.dispose(),
    );
    const { arena } = this.#context;
    return { arena, aAt: this.#a.at, bAt: this.#b.at, count: total, pairsAt };
  }

  /**
   * Returns the offsets that `gather` would return as `pairsAt`, but gathers no entries. The next call
   * overwrites the offsets.
   */
  count(front: ListOutputs, pairCount: number): Uint32Array {
    return this.#computeOffsets(front, pairCount);
  }

  dispose(): void {
    for (const buffer of [this.#a, this.#b, this.#spare, this.#job]) buffer.dispose();
  }

  // Computes where the entries of each placed pair start in the result. Counts the triangle pairs in the runs
  // of all lists, and those that were decided in BigInt.
  #computeOffsets(front: ListOutputs, pairCount: number): Uint32Array {
    if (this.#segments.length < pairCount + 1) this.#segments = new Uint32Array(2 * pairCount + 2);
    const pairsAt = this.#segments.subarray(0, pairCount + 1).fill(0);
    this.#eachRun(front, (pair, _list, from, to) => {
      pairsAt[pair + 1] += to - from;
    });
    for (let i = 0; i < front.exactPairs.length; i += 3) pairsAt[front.exactPairs[i] + 1]++;
    for (let i = 0; i < pairCount; i++) pairsAt[i + 1] += pairsAt[i];
    return pairsAt;
  }

  #gather(front: ListOutputs, pairsAt: Uint32Array, total: number): void {
    const { arena } = this.#context;
    const a = this.#a.reserve(4 * total + 16) / 4;
    const b = this.#b.reserve(4 * total + 16) / 4;
    const next = pairsAt.length === 2 ? [0] : Array.from(pairsAt);
    const { u32 } = arena;
    this.#eachRun(front, (pair, list, from, to) => {
      const listA = front.lists.read(list, 'pairsAAt') / 4;
      const listB = front.lists.read(list, 'pairsBAt') / 4;
      u32.copyWithin(a + next[pair], listA + from, listA + to);
      u32.copyWithin(b + next[pair], listB + from, listB + to);
      next[pair] += to - from;
    });
    for (let i = 0; i < front.exactPairs.length; i += 3) {
      const to = next[front.exactPairs[i]]++;
      u32[a + to] = front.exactPairs[i + 1];
      u32[b + to] = front.exactPairs[i + 2];
    }
  }

  #eachRun(front: ListOutputs, visit: (pair: number, list: number, from: number, to: number) => void): void {
    const { arena } = this.#context;
    for (let list = 0; list < front.parts; list++) {
      const runs = front.lists.read(list, 'runsAt') / 4;
      const count = front.lists.read(list, 'runsCount');
      for (let r = 0; r < count; r++) {
        const to = r + 1 < count ? arena.u32[runs + 2 * r + 3] : front.lists.read(list, 'pairsCount');
        visit(arena.u32[runs + 2 * r], list, arena.u32[runs + 2 * r + 1], to);
      }
    }
  }

  #exchange(pairsAt: Uint32Array, swapped: Uint8Array): void {
    const { u32 } = this.#context.arena;
    for (let i = 0; i + 1 < pairsAt.length; i++)
      if (swapped[i])
        exchange(u32, this.#a.at / 4 + pairsAt[i], this.#b.at / 4 + pairsAt[i], pairsAt[i + 1] - pairsAt[i]);
  }

  // Sorts the entries of each placed pair by (a, b), on all threads if there are many entries.
  #sort(front: ListOutputs, pairsAt: Uint32Array, swapped: Uint8Array): void {
    const { arena, pool } = this.#context;
    const pairCount = pairsAt.length - 1;
    let longest = 0;
    for (let i = 0; i < pairCount; i++) longest = Math.max(longest, pairsAt[i + 1] - pairsAt[i]);
    if (longest < 2) return;
    // One thread sorts all entries of a placed pair. Each slice has spare memory for the placed pair with the
    // most entries. The number of slices is limited so that all spare memory together takes about as much
    // memory as the result, or less.
    const sliceCount = Math.max(
      1,
      Math.min(pool.threadCount, Math.floor(pairsAt[pairCount] / Math.max(longest, MIN_PAIRS_PER_SLICE))),
    );
    // The sort compares 16 entries at a time, so sizes are rounded up to multiples of 16 entries. The arrays
    // are then also on separate cache lines.
    const spareBytes = limits.SORT_TABLE_BYTES + 2 * 64 * Math.ceil((longest + 16) / 16);
    const spareAt = this.#spare.reserve(sliceCount * spareBytes);
    const jobAt = this.#job.reserve(SortJob.size + 5 * pairCount + 4);
    const offsetsAt = jobAt + SortJob.size;
    const swappedAt = offsetsAt + 4 * pairCount + 4;
    arena.u32.set(pairsAt, offsetsAt / 4);
    arena.u8.set(swapped.subarray(0, pairCount), swappedAt);
    setWords(arena.u32, jobAt, SortJob, {
      aAt: this.#a.at,
      bAt: this.#b.at,
      offsetsAt,
      swappedAt,
      pairsAt: front.pairs.at,
      pairCount,
      sliceCount,
      spareAt,
      spareBytes,
    });
    runStep(this.#context, 'sortPairs', jobAt, sliceCount);
  }
}

function exchange(u32: Uint32Array, a: number, b: number, count: number): void {
  const firstColumn = u32.slice(a, a + count);
  u32.copyWithin(a, b, b + count);
  u32.set(firstColumn, b);
}
