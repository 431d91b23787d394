// Runs the queries of test/support/answers.ts on engines whose workers die and hang at seeded moments.

import type { Engine } from '../../dist/index.js';
import * as scenes from '../../dist/samples/index.js';
import { createRandom } from '../../dist/samples/index.js';
import { queryNames as allNames, hashOf, runQueries } from '../support/answers.js';
import { poolOf, withEngine } from '../support/engines.js';
import { type Fault, faulty } from '../support/faultyWorkers.js';

/** Names of the queries that run on several threads. */
export const queryNames = allNames.filter(name => name !== 'exact arithmetic');

/**
 * Describes the results whose names end with one of these keys: the number of arrays at the start of such a
 * result that depend on the boxes of a refitted tree.
 */
const REFITTED: Readonly<Record<string, number>> = { stretched: 1, 'stored and loaded': 2 };

/**
 * Runs one group of queries and returns the hashes of its results, by name. The boxes of refitted trees are
 * left out: if a worker is lost during a refit, the tree is built anew, so its boxes may differ.
 */
export async function hashesOf(engine: Engine, name: string): Promise<Map<string, string>> {
  const hashes = new Map<string, string>();
  await runQueries(name, engine, scenes, (what, ...arrays) => {
    hashes.set(what, hashOf(...arrays.slice(REFITTED[what.split(', ').at(-1)!] ?? 0)));
  });
  return hashes;
}

const healthy = new Map<string, Map<string, string>>();

/** Returns the hashes of a group's results on an engine without workers. */
export async function healthyHashes(name: string): Promise<Map<string, string>> {
  const known = healthy.get(name);
  if (known) return known;
  const hashes = await withEngine({ threads: 1, warmUp: 'off' }, engine => hashesOf(engine, name));
  healthy.set(name, hashes);
  return hashes;
}

type Random = ReturnType<typeof createRandom>;

// Half of the faults occur at one of the worker's first four jobs, because some groups of queries have only a
// few jobs.
function randomFault(random: Random): Fault | undefined {
  const kind = (['exit', 'throw', 'spin', 'sleep', undefined] as const)[random.below(5)];
  const when = (['before', 'after', 'finished'] as const)[random.below(3)];
  return kind && { kind, when, order: 1 + random.below(random.below(2) === 0 ? 4 : 60), milliseconds: 150 };
}

/**
 * Makes the calling thread do two things before randomly chosen kernel calls of its own: it waits for up to
 * 2 ms, while the workers run their shares of the job, and then calls `act`.
 */
function interrupt(engine: Engine, random: Random, act: () => void): void {
  const pool = poolOf(engine);
  let jobsLeft = random.below(40);
  const kernels = Object.entries(pool.kernels).map(([kernel, run]): [string, typeof run] => [
    kernel,
    (jobAt, begin, end) => {
      if (jobsLeft-- === 0) {
        const until = performance.now() + random.between(0, 2);
        while (performance.now() < until) {
          /* Waits while the workers run their shares. */
        }
        act();
        jobsLeft = random.below(40);
      }
      run(jobAt, begin, end);
    },
  ]);
  Object.assign(pool, { kernels: Object.fromEntries(kernels) });
}

export interface FaultRun {
  /** Results that differ from those of a healthy engine. */
  wrong: string[];
  /** The number of workers that died or hung. */
  faultCount: number;
  /** The number of workers that were started in place of others. */
  replacedCount: number;
}

/**
 * Runs a group of queries on `threads` threads. Each worker has a random fault or none. In addition, random
 * workers are terminated while they run a kernel.
 */
export async function runWithFaults(name: string, threads: number, seed: number): Promise<FaultRun> {
  const expected = await healthyHashes(name);
  const random = createRandom(seed);
  const workers = faulty(() => randomFault(random));
  const killed = new Set<number>();
  return withEngine({ threads, warmUp: 'off', createWorker: workers.createWorker }, async engine => {
    poolOf(engine).deadlineMilliseconds = 60;
    interrupt(engine, random, () => {
      const index = random.below(workers.handles.length);
      if (random.below(3) > 0 || killed.has(index)) return;
      killed.add(index);
      void workers.handles[index].terminate();
    });
    const wrong: string[] = [];
    for (let iteration = 0; iteration < 2; iteration++) {
      const found = await hashesOf(engine, name);
      for (const [what, hash] of expected)
        if (found.get(what) !== hash) wrong.push(`${name}, ${threads} threads, seed ${seed}: ${what}`);
      // Gives the engine time to receive the events of threads that have ended.
      await new Promise(resolve => setTimeout(resolve, 1));
    }
    return {
      wrong,
      faultCount: workers.hitCount() + killed.size,
      replacedCount: workers.handles.length - (threads - 1),
    };
  });
}
