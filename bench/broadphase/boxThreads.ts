// Measures how much faster an engine with one thread per core finds the overlapping pairs of boxes than an
// engine with one thread. All queries run from scratch. Also measures the limit of the machine, by running one
// independent single-threaded engine per core, all at the same time. If each of these engines is slower than
// an engine that runs alone, the threads of one engine cannot reach a speed-up equal to the number of cores.

import type { BoxPairsOptions } from '../../dist/index.js';
import { boxCrowd, type CrowdKind } from '../../dist/samples/index.js';
import { createEngines, disposeEngines } from '../support/engines.js';
import { coreCount, threadsText } from '../support/machine.js';
import { Neighbors } from '../support/neighbors.js';
import { isQuick, Report } from '../support/report.js';
import { summarize } from '../support/statistics.js';

const SEED = 1;
const GOAL = 0.9;
const report = new Report('boxThreads', SEED, []);
const engines = await createEngines(1, coreCount);
const singleThreaded = engines[0].engine;
const multiThreaded = engines.at(-1)!.engine;

async function measure(
  kind: CrowdKind,
  count: number,
  order: 'any' | 'sorted',
  iterations: number,
): Promise<void> {
  const boxes = boxCrowd(kind, count, SEED);
  const options: BoxPairsOptions = { method: 'sap', order };
  const neighbors = await Neighbors.start(coreCount - 1, boxes, options);
  const contenders = [
    { engine: singleThreaded, isBeside: false },
    { engine: multiThreaded, isBeside: false },
    { engine: singleThreaded, isBeside: true },
  ];
  const times: number[][] = contenders.map(() => []);
  for (let iteration = -3; iteration < iterations; iteration++) {
    for (const [contenderIndex, { engine, isBeside }] of contenders.entries()) {
      neighbors.setRunning(isBeside);
      // The first run is not timed: it refills the caches after the previous contender, and wakes the
      // threads.
      engine.boxPairs(boxes, options);
      const startedAt = performance.now();
      engine.boxPairs(boxes, options);
      if (iteration >= 0) times[contenderIndex].push(performance.now() - startedAt);
    }
  }
  neighbors.setRunning(false);
  await neighbors.end();
  const [one, together, beside] = times.map(list => ({ ...summarize(list), min: Math.min(...list) }));
  const scene = `${kind} ${count >= 1e6 ? `${count / 1e6}M` : `${count / 1e3}K`}`;
  const measured = `all pairs from scratch, ${order === 'any' ? 'any order' : order}`;
  const row = { scene, measure: measured, unit: 'ms', n: iterations, rival: '1 thread' } as const;
  const maximum = (coreCount * one.median) / beside.median;
  const maximumByMins = (coreCount * one.min) / beside.min;
  report.add(
    {
      ...row,
      variant: '1 thread',
      median: one.median,
      rival: undefined,
      note: `min ${one.min.toFixed(2)} ms`,
    },
    {
      ...row,
      variant: threadsText(coreCount),
      median: together.median,
      ratio: one.median / together.median,
      limit: `>= ${GOAL * coreCount} x`,
      note: `min ${together.min.toFixed(2)} ms, speed-up of the min times: ${(one.min / together.min).toFixed(2)} x; ${(one.median / together.median / maximum).toFixed(2)} of the machine's limit`,
    },
    {
      ...row,
      variant: `${coreCount} engines of 1 thread`,
      median: beside.median,
      ratio: maximum,
      note: `${coreCount} queries in this time: the machine's limit; ${maximumByMins.toFixed(2)} x for the min times`,
    },
  );
}

for (const count of isQuick ? [100_000] : [100_000, 1_000_000]) {
  for (const kind of isQuick ? (['uniform'] as const) : (['uniform', 'clustered', 'mixed'] as const)) {
    for (const order of ['any', 'sorted'] as const)
      await measure(kind, count, order, isQuick ? 5 : count > 100_000 ? 31 : 201);
  }
}
disposeEngines(engines);
report.save();
