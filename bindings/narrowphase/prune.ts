// Drops pairs of bodies with overlapping boxes that cannot intersect: by collision groups, oriented boxes and
// separating planes.

import type { PairList } from '../broadphase/pairSort.js';
import { Supports } from '../bvh/supports.js';
import { setWords } from '../records/record.js';
import { PruneJob } from '../records/sceneLayout.js';
import type { Backend } from '../runtime/backend.js';
import { Buffer } from '../runtime/memory.js';
import { retry } from '../runtime/retry.js';
import { runStep } from '../runtime/steps.js';
import type { Bodies } from '../scene/bodies.js';

/** Min pairs per thread; fewer are not worth a hand-off. */
const MIN_PAIRS_PER_SLICE = 1024;
const PADDING = 16;

export class Pruner {
  readonly #backend: Backend;
  readonly #job: Buffer;
  readonly #a: Buffer;
  readonly #b: Buffer;
  readonly #supports: Supports;

  constructor(backend: Backend) {
    const { arena } = backend;
    this.#backend = backend;
    this.#job = new Buffer(arena);
    this.#a = new Buffer(arena);
    this.#b = new Buffer(arena);
    this.#supports = new Supports(backend, this.#job);
  }

  /**
   * Returns the pairs that may intersect, in order, in a list of its own. oriented: also drops pairs whose
   * oriented boxes or supporting planes are separated.
   * @throws Capacity, Internal
   */
  prune(bodies: Bodies, list: PairList, oriented: boolean): PairList {
    return retry(
      () => this.#prune(bodies, list, oriented),
      () => this.#release(),
    );
  }

  #prune(bodies: Bodies, list: PairList, oriented: boolean): PairList {
    const { pool, arena } = this.#backend;
    if (oriented) this.#supports.see(bodies);
    const sliceCount = Math.max(1, Math.min(pool.threadCount, Math.floor(list.count / MIN_PAIRS_PER_SLICE)));
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
    runStep(this.#backend, 'pruneBodyPairs', jobAt, sliceCount);
    return { aAt: toAAt, bAt: toBAt, count: this.#concatenate(list.count, sliceCount, keptAt) };
  }

  dispose(): void {
    this.#release();
    this.#supports.dispose();
  }

  #release(): void {
    for (const buffer of [this.#job, this.#a, this.#b]) buffer.dispose();
  }

  // Concatenates the pairs that the slices kept. @returns their number
  #concatenate(pairCount: number, sliceCount: number, keptAt: number): number {
    const { u32 } = this.#backend.arena;
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
