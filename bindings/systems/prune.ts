// Pairs of bodies whose boxes overlap -> those that may touch: by their groups, and by their oriented boxes.
import type { Backend } from '../backend.js';
import { PruneJob } from '../layout.js';
import { Buffer } from '../memory.js';
import { setWords } from '../record.js';
import type { Bodies } from './bodies.js';
import type { PairList } from './pairSort.js';

/** Fewer pairs than this a thread are not worth a hand-off. */
const PAIRS_A_SLICE = 1024;

export class Pruner {
  private readonly backend: Backend;
  private readonly job: Buffer;

  constructor(backend: Backend) {
    this.backend = backend;
    this.job = new Buffer(backend.arena);
  }

  /**
   * Keeps, in place and in order, what may touch. oriented: whether the placed boxes of the meshes must meet, too.
   * @returns undefined when a worker was lost: the list is spoilt.
   */
  prune(bodies: Bodies, list: PairList, oriented: boolean): PairList | undefined {
    const { arena, pool } = this.backend;
    const sliceCount = Math.max(1, Math.min(pool.threadCount, Math.floor(list.count / PAIRS_A_SLICE)));
    const jobAt = this.job.reserve(PruneJob.size + 4 * pool.threadCount), keptAt = jobAt + PruneJob.size;
    setWords(arena.u32, jobAt, PruneJob, { bodiesAt: bodies.recordsAt, aAt: list.aAt, bAt: list.bAt, pairCount: list.count, sliceCount, keptAt, oriented: oriented ? 1 : 0 });
    if (!pool.run('pruneBodyPairs', jobAt, sliceCount)) {
      this.job.dispose();
      return undefined;
    }
    const { u32 } = arena;
    let count = 0;
    for (let slice = 0; slice < sliceCount; slice++) {
      const from = Math.floor(slice * list.count / sliceCount), kept = u32[keptAt / 4 + slice]!;
      for (const at of [list.aAt / 4, list.bAt / 4]) u32.copyWithin(at + count, at + from, at + from + kept);
      count += kept;
    }
    return { aAt: list.aAt, bAt: list.bAt, count };
  }

  dispose(): void { this.job.dispose(); }
}
