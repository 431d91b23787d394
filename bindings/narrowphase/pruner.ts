// Drops pairs of bodies that need no further test although their axis-aligned boxes overlap. A pair is
// dropped if the collision groups exclude it, or if oriented boxes or a separating plane prove that the two
// bodies do not intersect.

import type { PairList } from '../broadphase/pairSort.js';
import { SupportTables } from '../bvh/supportTables.js';
import { setWords } from '../records/record.js';
import { PruneJob } from '../records/sceneLayout.js';
import type { EngineContext } from '../runtime/engineContext.js';
import { GrowableBlock } from '../runtime/memory.js';
import { retry } from '../runtime/retry.js';
import { sliceCountOf } from '../runtime/sliceCount.js';
import { runStep } from '../runtime/steps.js';
import type { Bodies } from '../scene/bodies.js';

/** Min pairs per thread. Passing fewer pairs to another thread would cost more than it saves. */
const MIN_PAIRS_PER_SLICE = 1024;
const PADDING = 16;

export class Pruner {
  readonly #context: EngineContext;
  readonly #job: GrowableBlock;
  readonly #a: GrowableBlock;
  readonly #b: GrowableBlock;
  readonly #supports: SupportTables;

  constructor(context: EngineContext) {
    const { arena } = context;
    this.#context = context;
    this.#job = new GrowableBlock(arena);
    this.#a = new GrowableBlock(arena);
    this.#b = new GrowableBlock(arena);
    this.#supports = new SupportTables(context, this.#job);
  }

  /**
   * Returns a new list of the pairs that may intersect, in their order in `list`. The next call reuses the
   * memory of the returned list. Drops the pairs that collision groups exclude and, if `oriented` is true,
   * also the pairs that oriented boxes or a separating plane prove to be apart.
   * @throws Capacity, Internal
   */
  prune(bodies: Bodies, list: PairList, oriented: boolean): PairList {
    return retry(
      () => this.#prune(bodies, list, oriented),
      () => this.#release(),
    );
  }

  #prune(bodies: Bodies, list: PairList, oriented: boolean): PairList {
    const { pool, arena } = this.#context;
    if (oriented) this.#supports.update(bodies);
    const sliceCount = sliceCountOf(pool.threadCount, list.count, MIN_PAIRS_PER_SLICE);
    const toAAt = this.#a.reserve(4 * list.count + PADDING);
    const toBAt = this.#b.reserve(4 * list.count + PADDING);
    const jobAt = this.#job.reserve(PruneJob.size + 4 * pool.threadCount);
    const keptAt = jobAt + PruneJob.size;
    const { aAt, bAt, count: pairCount } = list;
    setWords(arena.u32, jobAt, PruneJob, {
      bodiesAt: bodies.recordsAt,
      aAt,
      bAt,
      toAAt,
      toBAt,
      pairCount,
      sliceCount,
      keptAt,
      oriented: oriented ? 1 : 0,
    });
    runStep(this.#context, 'pruneBodyPairs', jobAt, sliceCount);
    return { aAt: toAAt, bAt: toBAt, count: this.#concatenate(list.count, sliceCount, keptAt) };
  }

  dispose(): void {
    this.#release();
    this.#supports.dispose();
  }

  #release(): void {
    for (const buffer of [this.#job, this.#a, this.#b]) buffer.dispose();
  }

  // Concatenates the pairs that the slices kept. @returns the number of these pairs.
  #concatenate(pairCount: number, sliceCount: number, keptAt: number): number {
    const { u32 } = this.#context.arena;
    let count = 0;
    for (let slice = 0; slice < sliceCount; slice++) {
      const from = Math.floor((slice * pairCount) / sliceCount);
      const kept = u32[keptAt / 4 + slice];
      for (const at of [this.#a.at / 4, this.#b.at / 4])
        u32.copyWithin(at + count, at + from, at + from + kept);
      count += kept;
    }
    return count;
  }
}
