// Pairs of bodies whose boxes overlap -> those that may touch: by their groups, by their oriented boxes, and
// by planes between them.

import type { PairList } from '../broadphase/pairSort.js';
import { Supports } from '../bvh/supports.js';
import { setWords } from '../records/record.js';
import { PruneJob } from '../records/sceneLayout.js';
import type { Backend } from '../runtime/backend.js';
import { Buffer } from '../runtime/memory.js';
import { retry } from '../runtime/retry.js';
import { runStep } from '../runtime/steps.js';
import type { Bodies } from '../scene/bodies.js';

/** Fewer pairs than this a thread are not worth a hand-off. */
const PAIRS_A_SLICE = 1024;
const SPARE = 16;

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
   * What may touch, in order, in a list of its own. oriented: whether the placed boxes of the meshes must
   * meet, too. @throws Capacity, Internal
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
    const sliceCount = Math.max(1, Math.min(pool.threadCount, Math.floor(list.count / PAIRS_A_SLICE)));
    const toAAt = this.#a.reserve(4 * list.count + SPARE);
    const toBAt = this.#b.reserve(4 * list.count + SPARE);
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
    return { aAt: toAAt, bAt: toBAt, count: this.#close(list.count, sliceCount, keptAt) };
  }

  dispose(): void {
    this.#release();
    this.#supports.dispose();
  }

  #release(): void {
    for (const buffer of [this.#job, this.#a, this.#b]) buffer.dispose();
  }

  // Brings together what the slices have kept. @returns how much
  #close(pairCount: number, sliceCount: number, keptAt: number): number {
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
