// The part of the package that is loaded when an engine looks for a GPU. It finds GPU devices and makes the
// systems that run queries on these devices. It also checks the answers of the devices to test queries, and
// measures the query size from which the devices are faster than the CPU.

import type { EngineHost } from '../core/module.js';
import type { GpuSupport } from './asyncRunner.js';
import { crossoverOf, type TimedQuery } from './crossoverOf.js';
import { acquireGpus } from './device/acquireGpus.js';
import { type GpuSystems, makeGpuSystems, type QueryKind } from './gpuSystems.js';
import { KeptCrossovers } from './keptCrossovers.js';
import { type SelfTest, selfTests } from './selfTests.js';
import type { SyncMethods } from './syncMethods.js';
import { TimeBudget } from './timeBudget.js';

/**
 * Numbers of squares along a side of the sheets that are the test inputs. CHECK_SQUARES: in the self-test.
 * SMALL_SQUARES, LARGE_SQUARES: in the two timed queries.
 */
const CHECK_SQUARES = 28;
const SMALL_SQUARES = 8;
const LARGE_SQUARES = 64;

export function makeGpuSupport(host: EngineHost, methods: SyncMethods): GpuSupport {
  const withSelfTest = <Result>(
    kind: QueryKind,
    systems: GpuSystems,
    squares: number,
    use: (test: SelfTest) => Promise<Result>,
  ): Promise<Result> => selfTests[kind]({ host, methods, systems }, squares, use);
  return {
    acquire: acquireGpus,
    make: gpus => makeGpuSystems(host, methods, gpus),
    dispose: systems => systems.dispose(),
    startBudget: (milliseconds, now) => new TimeBudget(milliseconds, now),
    openKept: (storage, info) => new KeptCrossovers(storage, info, host.context.pool.threadCount),
    check: (kind, systems, budget) =>
      withSelfTest(kind, systems, CHECK_SQUARES, async ({ queries }) => {
        for (const { onGpu, onCpu } of queries) {
          budget.check();
          expectSame(kind, await onGpu(), onCpu());
        }
      }),
    measure: async (kind, systems, budget) => {
      const timeQuery = (squares: number): Promise<TimedQuery> =>
        withSelfTest(kind, systems, squares, async ({ size, queries }) => {
          const { onGpu, onCpu } = queries.at(-1)!;
          budget.check();
          expectSame(kind, await onGpu(), onCpu());
          return {
            size,
            cpu: await measureMedian(onCpu, budget),
            gpu: await measureMedian(onGpu, budget),
          };
        });
      return crossoverOf(await timeQuery(SMALL_SQUARES), await timeQuery(LARGE_SQUARES));
    },
  };
}

function expectSame(
  kind: string,
  found: readonly ArrayLike<number>[],
  known: readonly ArrayLike<number>[],
): void {
  const isSame = known.every(
    (list, i) =>
      list.length === found[i].length &&
      Array.prototype.every.call(list, (value: number, k: number) => Object.is(value, found[i][k])),
  );
  if (!isSame) throw new Error(`the GPU gave a wrong answer to a test query (${kind})`);
}

/**
 * When the runs of a query have taken this many milliseconds in total, no further run begins. There are
 * always at least two runs.
 */
const LONG_MILLISECONDS = 50;

/** Returns the median time of several runs, in milliseconds. @throws BudgetSpent */
async function measureMedian(run: () => unknown, budget: TimeBudget): Promise<number> {
  const times: number[] = [];
  for (let i = 0, all = 0; i < 4 && (i < 2 || all < LONG_MILLISECONDS); i++) {
    budget.check();
    const startedAt = performance.now();
    await run();
    times.push(performance.now() - startedAt);
    all += times[i];
  }
  // The first run is excluded: it grows buffers and compiles code.
  const rest = times.slice(1).sort((a, b) => a - b);
  return rest[rest.length >> 1];
}
