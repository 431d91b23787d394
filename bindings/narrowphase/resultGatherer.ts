// Gathers the outputs of all work lists into one result. The result holds the triangle pairs of the first
// placed pair of meshes, then the triangle pairs of the second one, and so on. If requested, the triangle pairs
// of each placed pair are sorted by (a, b).

import type { ResultLocation } from '../core/results.js';
import { CopyJob, limits, RunCopy, SortJob } from '../records/layout.js';
import { setWords } from '../records/record.js';
import type { EngineContext } from '../runtime/engineContext.js';
import { GrowableBlock } from '../runtime/memory.js';
import { retry } from '../runtime/retry.js';
import { sliceCountOf } from '../runtime/sliceCount.js';
import { runStep } from '../runtime/steps.js';
import type { FrontSystem } from './front.js';

/**
 * Outputs to gather. The triangle pairs of each list are stored in runs. A run is a sequence of consecutive
 * triangle pairs of one placed pair. exactPairs: triples (placed pair, a, b) of triangles that the BigInt test
 * found to intersect.
 */
export interface ListOutputs {
  readonly parts: number;
  readonly lists: Pick<FrontSystem['lists'], 'read'>;
  readonly exactPairs: ArrayLike<number>;
  readonly pairs: { readonly at: number };
}

/** Min triangle pairs per slice. Passing fewer pairs to another thread would cost more than it saves. */
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
        this.#copy(front, pairsAt, swapped);
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
  // of all lists and in `exactPairs`.
  #computeOffsets(front: ListOutputs, pairCount: number): Uint32Array {
    if (this.#segments.length < pairCount + 1) this.#segments = new Uint32Array(2 * pairCount + 2);
    const pairsAt = this.#segments.subarray(0, pairCount + 1).fill(0);
    for (let list = 0; list < front.parts; list++)
      this.#eachRun(front, list, (pair, from, to) => {
        pairsAt[pair + 1] += to - from;
      });
    for (let i = 0; i < front.exactPairs.length; i += 3) pairsAt[front.exactPairs[i] + 1]++;
    for (let i = 0; i < pairCount; i++) pairsAt[i + 1] += pairsAt[i];
    return pairsAt;
  }

  // Copies the runs of all lists, on all threads if there are many entries, and adds the triangle pairs in
  // `exactPairs`. Exchanges a and b in the entries of placed pairs whose meshes are swapped.
  #copy(front: ListOutputs, pairsAt: Uint32Array, swapped: Uint8Array): void {
    const { arena, pool } = this.#context;
    const total = pairsAt[pairsAt.length - 1];
    const aAt = this.#a.reserve(4 * total + 16);
    const bAt = this.#b.reserve(4 * total + 16);
    let runCount = 0;
    for (let list = 0; list < front.parts; list++) runCount += front.lists.read(list, 'runsCount');
    const sliceCount = copySliceCount(total, pool.threadCount);
    const jobAt = this.#job.reserve(CopyJob.size + runCount * RunCopy.size + 4 * (sliceCount + 1));
    const copiesAt = jobAt + CopyJob.size;
    const firstsAt = copiesAt + runCount * RunCopy.size;
    const { u32 } = arena;
    const next = pairsAt.slice();
    let copy = copiesAt / 4;
    let copied = 0;
    let slice = 0;
    for (let list = 0; list < front.parts; list++) {
      const listA = front.lists.read(list, 'pairsAAt');
      const listB = front.lists.read(list, 'pairsBAt');
      this.#eachRun(front, list, (pair, from, to) => {
        // Slice s begins with the first run that is preceded by at least s / sliceCount of all entries.
        for (; slice < sliceCount && copied >= (slice * total) / sliceCount; slice++)
          u32[firstsAt / 4 + slice] = (copy - copiesAt / 4) / (RunCopy.size / 4);
        u32[copy + RunCopy.at.fromA / 4] = (swapped[pair] ? listB : listA) + 4 * from;
        u32[copy + RunCopy.at.fromB / 4] = (swapped[pair] ? listA : listB) + 4 * from;
        u32[copy + RunCopy.at.to / 4] = next[pair];
        u32[copy + RunCopy.at.count / 4] = to - from;
        copy += RunCopy.size / 4;
        copied += to - from;
        next[pair] += to - from;
      });
    }
    u32.fill(runCount, firstsAt / 4 + slice, firstsAt / 4 + sliceCount + 1);
    setWords(u32, jobAt, CopyJob, { copiesAt, firstsAt, aAt, bAt });
    runStep(this.#context, 'copyRuns', jobAt, sliceCount);
    for (let i = 0; i < front.exactPairs.length; i += 3) {
      const pair = front.exactPairs[i];
      const to = next[pair]++;
      u32[(swapped[pair] ? bAt : aAt) / 4 + to] = front.exactPairs[i + 1];
      u32[(swapped[pair] ? aAt : bAt) / 4 + to] = front.exactPairs[i + 2];
    }
  }

  // Calls `visit` for each run of a list. `pair` is the placed pair of the run. The run has the entries of the
  // list from index `from` up to, but not including, `to`.
  #eachRun(front: ListOutputs, list: number, visit: (pair: number, from: number, to: number) => void): void {
    const { u32 } = this.#context.arena;
    const runs = front.lists.read(list, 'runsAt') / 4;
    const count = front.lists.read(list, 'runsCount');
    const end = front.lists.read(list, 'pairsCount');
    for (let r = runs; r < runs + 2 * count; r += 2)
      visit(u32[r], u32[r + 1], r + 2 < runs + 2 * count ? u32[r + 3] : end);
  }

  // Sorts the entries of each placed pair by (a, b). If there are many entries, different threads sort
  // different placed pairs.
  #sort(front: ListOutputs, pairsAt: Uint32Array, swapped: Uint8Array): void {
    const { arena, pool } = this.#context;
    const pairCount = pairsAt.length - 1;
    let longest = 0;
    for (let i = 0; i < pairCount; i++) longest = Math.max(longest, pairsAt[i + 1] - pairsAt[i]);
    if (longest < 2) return;
    // All entries of a placed pair are sorted by one thread. Each slice has spare memory for the placed pair
    // with the most entries. The number of slices is limited so that the spare memory of all slices is not much
    // larger than the result.
    const sliceCount = sliceCountOf(
      pool.threadCount,
      pairsAt[pairCount],
      Math.max(longest, MIN_PAIRS_PER_SLICE),
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

/** Returns the number of slices in which `threadCount` threads copy `total` triangle pairs. */
export const copySliceCount = (total: number, threadCount: number): number =>
  sliceCountOf(threadCount, total, MIN_PAIRS_PER_SLICE);
