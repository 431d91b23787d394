// Runs the queries of test/support/answers.ts on engines whose workers die and hang at seeded moments.

import type { Engine } from '../../dist/index.js';
import * as scenes from '../../dist/samples/index.js';
import { createRandom } from '../../dist/samples/index.js';
import { hashOf, queries } from '../support/answers.js';
import { poolOf, withEngine } from '../support/engines.js';
import { type Fault, faulty } from '../support/faultyWorkers.js';

/** Names of the queries that run on several threads. */
export const queryNames = Object.keys(queries).filter(name => name !== 'exact arithmetic');

/** Runs one group of queries and returns the hashes of its results, by name. */
export function hashesOf(engine: Engine, name: string): Map<string, string> {
  const hashes = new Map<string, string>();
  queries[name]({ engine, scenes, note: (what, ...arrays) => void hashes.set(what, hashOf(...arrays)) });
  return hashes;
}

const healthy = new Map<string, Map<string, string>>();

/** Returns the hashes of an engine without workers. */
export async function healthyHashes(name: string): Promise<Map<string, string>> {
  const known = healthy.get(name);
  if (known) return known;
  const hashes = await withEngine({ threads: 1, warmUp: 'off' }, engine => hashesOf(engine, name));
  healthy.set(name, hashes);
  return hashes;
}

type Random = ReturnType<typeof createRandom>;

// In half of the cases the worker fails at one of its first jobs, because groups of queries differ in their
// number of jobs.
function randomFault(random: Random): Fault | undefined {
  const kind = (['exit', 'throw', 'spin', 'sleep', undefined] as const)[random.below(5)];
  const when = (['before', 'after', 'finished'] as const)[random.below(3)];
  return kind && { kind, when, order: 1 + random.below(random.below(2) === 0 ? 4 : 60), milliseconds: 150 };
}

/** Lets `act` run on the calling thread in the middle of its share of some jobs, while the workers run theirs. */
function interrupt(engine: Engine, random: Random, act: () => void): void {
  const pool = poolOf(engine);
  let jobsLeft = random.below(40);
  const kernels = Object.entries(pool.kernels).map(([kernel, run]): [string, typeof run] => [
    kernel,
    (jobAt, begin, end) => {
      if (jobsLeft-- === 0) {
        const until = performance.now() + random.between(0, 2);
        while (performance.now() < until) {
          /* The workers run their shares meanwhile. */
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
  /** Workers that died or hung, and threads that the engine reports as lost. */
  faultCount: number;
  lostCount: number;
}

/**
 * Runs a group of queries on `threads` threads. Each worker has a fault of its own or none, and others are
 * terminated while they run a kernel.
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
    for (let round = 0; round < 2; round++) {
      const found = hashesOf(engine, name);
      for (const [what, hash] of expected)
        if (found.get(what) !== hash) wrong.push(`${name}, ${threads} threads, seed ${seed}: ${what}`);
      // The engine receives events of ended threads.
      await new Promise(resolve => setTimeout(resolve, 1));
    }
    return {
      wrong,
      faultCount: workers.hitCount() + killed.size,
      lostCount: threads - poolOf(engine).threadCount,
    };
  });
}
