// What a pair's last run cost -> how many threads its next run is worth (Zhang & Kim eq. 6, and no more than
// the work pays for).

import { DecideJob } from '../records/layout.js';
import type { Backend } from '../runtime/backend.js';
import type { FrontSystem } from './front.js';
import type { Tree } from './startingFront.js';

/** A run is split only where each thread gets this many times what handing it over costs. */
const HAND_OFFS_A_THREAD = 10;
/**
 * Making the front, dealing it and joining the lists, a thread: measured with `npm run bench -- frontCost`.
 */
const FRONT_MICROSECONDS = 1.5;
/** Before anything has run: nanoseconds of a box test on a 4 GHz core. */
const FIRST_NANOSECONDS = 4;
/** Pairs of meshes with fewer leaves than this together are not worth a second thread unseen. */
const FEW_LEAVES = 256;

interface Record {
  cost: number;
  greatest: number;
}

export class Worth {
  readonly #records = new WeakMap<Tree, WeakMap<Tree, Record>>();
  #nanosecondsPerCost = FIRST_NANOSECONDS;
  readonly #handOffMicroseconds: number;

  constructor(handOffMicroseconds: number) {
    this.#handOffMicroseconds = handOffMicroseconds;
  }

  /** Notes the pair's run: its whole cost in box tests, the greatest of a front node, and its time. */
  note(
    a: Tree,
    b: Tree,
    {
      cost,
      greatest,
      milliseconds,
      parts,
    }: Pick<FrontSystem, 'cost' | 'greatest' | 'milliseconds' | 'parts'>,
    mostThreads: number,
  ): void {
    const threads = Math.min(parts, mostThreads);
    let ofA = this.#records.get(a);
    if (!ofA) this.#records.set(a, (ofA = new WeakMap()));
    const record = ofA.get(b);
    if (record) {
      record.cost = cost;
      record.greatest = greatest || record.greatest;
    } else ofA.set(b, { cost, greatest });
    if (cost > 0)
      this.#nanosecondsPerCost +=
        0.1 * (Math.min(100, (milliseconds * 1e6 * threads) / cost) - this.#nanosecondsPerCost);
  }

  /** Threads worth using for the pair's next run, of at most `most`. */
  threads(a: Tree, b: Tree, most: number): number {
    const record = this.#records.get(a)?.get(b);
    if (!record) return a.leafCount + b.leafCount < FEW_LEAVES ? 1 : most;
    return this.threadsFor(record.cost, record.greatest, most);
  }

  /**
   * The same for any work of this whole cost, the greatest node of its front costing `greatest` (0: unknown).
   */
  threadsFor(cost: number, greatest: number, most: number): number {
    const paid = Math.floor(
      (cost * this.#nanosecondsPerCost) /
        1000 /
        (HAND_OFFS_A_THREAD * (this.#handOffMicroseconds + FRONT_MICROSECONDS)),
    );
    // eq. 6: a dominating node keeps one thread busy to the end, however many there are.
    const optimal = greatest > 0 ? Math.ceil(cost / greatest) : most;
    return Math.max(1, Math.min(most, paid, optimal));
  }
}

const TRIALS = 15;

/** Median time of handing an empty job to all threads and having it back. */
export function handOffMicroseconds({ arena, pool }: Backend): number {
  if (pool.threadCount === 1) return 0;
  const jobAt = arena.allocate(DecideJob.size);
  arena.u32.fill(0, jobAt / 4, (jobAt + DecideJob.size) / 4);
  arena.u32[(jobAt + DecideJob.at.sliceCount) / 4] = pool.threadCount;
  const times: number[] = [];
  for (let i = 0; i < TRIALS; i++) {
    const startedAt = performance.now();
    // No pairs: every slice returns at once.
    pool.run('decideTriangles', jobAt, pool.threadCount);
    times.push(performance.now() - startedAt);
  }
  arena.release(jobAt);
  return times.sort((a, b) => a - b)[TRIALS >> 1] * 1000;
}
