// Chooses the number of threads for a pair's next run from the cost of its last run (Zhang and Kim 2014,
// eq. 6), limited by the amount of work.

import { DecideJob } from '../records/layout.js';
import type { EngineContext } from '../runtime/engineContext.js';
import type { FrontSystem } from './front.js';
import type { Tree } from './startingFront.js';

/**
 * Min working time of each thread, as a multiple of the thread's overhead. If there is less work, fewer threads
 * are used. The overhead is FRONT_MICROSECONDS plus the time of a hand-off, which passes a job to all threads
 * and waits until they have run it.
 */
const HAND_OFFS_PER_THREAD = 10;
/**
 * Time per thread to make the front, distribute it and gather the results, in microseconds. Measured by `npm
 * run bench -- frontCost`.
 */
const FRONT_MICROSECONDS = 1.5;
/** Initial estimate of the nanoseconds per box test, for a 4 GHz core. */
const FIRST_NANOSECONDS = 4;
/** If both meshes together have fewer leaves than this, the first run of the pair uses one thread. */
const MIN_LEAVES = 256;

interface Record {
  cost: number;
  maxNodeCost: number;
}

export class ThreadCountModel {
  readonly #records = new WeakMap<Tree, WeakMap<Tree, Record>>();
  #nanosecondsPerCost = FIRST_NANOSECONDS;
  readonly #handOffMicroseconds: number;

  constructor(microsecondsPerHandOff: number) {
    this.#handOffMicroseconds = microsecondsPerHandOff;
  }

  /**
   * Records a run of the pair (a, b): the total cost in box tests, the max cost of a front node, the time of
   * the run, and `parts`, the number of work lists. The run used one thread per list, but at most
   * `threadLimit` threads. Also updates the moving average of the time per box test.
   */
  record(
    a: Tree,
    b: Tree,
    {
      cost,
      maxNodeCost,
      milliseconds,
      parts,
    }: Pick<FrontSystem, 'cost' | 'maxNodeCost' | 'milliseconds' | 'parts'>,
    threadLimit: number,
  ): void {
    const usedThreads = Math.min(parts, threadLimit);
    let byB = this.#records.get(a);
    if (!byB) this.#records.set(a, (byB = new WeakMap()));
    const record = byB.get(b);
    if (record) {
      record.cost = cost;
      record.maxNodeCost = maxNodeCost || record.maxNodeCost;
    } else byB.set(b, { cost, maxNodeCost });
    if (cost > 0)
      this.#nanosecondsPerCost +=
        0.1 * (Math.min(100, (milliseconds * 1e6 * usedThreads) / cost) - this.#nanosecondsPerCost);
  }

  /** Returns the number of threads for the pair's next run, at most `maxThreads`. */
  chooseThreadCount(a: Tree, b: Tree, maxThreads: number): number {
    const record = this.#records.get(a)?.get(b);
    if (!record) return a.leafCount + b.leafCount < MIN_LEAVES ? 1 : maxThreads;
    return this.threadCountFor(record.cost, record.maxNodeCost, maxThreads);
  }

  /**
   * Returns the number of threads for work of total cost `cost` whose most expensive front node costs
   * `maxNodeCost` (0 if unknown).
   */
  threadCountFor(cost: number, maxNodeCost: number, maxThreads: number): number {
    const affordable = Math.floor(
      (cost * this.#nanosecondsPerCost) /
        1000 /
        (HAND_OFFS_PER_THREAD * (this.#handOffMicroseconds + FRONT_MICROSECONDS)),
    );
    // A node is traversed by one thread, so the run takes at least as long as the most expensive node. More
    // than cost / maxNodeCost threads therefore do not make the run faster (eq. 6).
    const optimal = maxNodeCost > 0 ? Math.ceil(cost / maxNodeCost) : maxThreads;
    return Math.max(1, Math.min(maxThreads, affordable, optimal));
  }
}

const TRIALS = 15;

/**
 * Returns the time in microseconds to hand an empty job to all threads and wait for its end: the median of
 * several trials.
 */
export function measureHandOff({ arena, pool }: EngineContext): number {
  if (pool.threadCount === 1) return 0;
  const jobAt = arena.allocate(DecideJob.size);
  arena.u32.fill(0, jobAt / 4, (jobAt + DecideJob.size) / 4);
  arena.u32[(jobAt + DecideJob.at.sliceCount) / 4] = pool.threadCount;
  const times: number[] = [];
  for (let i = 0; i < TRIALS; i++) {
    const startedAt = performance.now();
    // The job has no pairs, so every slice returns immediately.
    pool.run('decideTriangles', jobAt, pool.threadCount);
    times.push(performance.now() - startedAt);
  }
  arena.release(jobAt);
  return times.sort((a, b) => a - b)[TRIALS >> 1] * 1000;
}
