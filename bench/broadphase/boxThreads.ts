// Measures the speed-up of box pairs from scratch on all threads over one, beside the limit of the machine:
// independent engines of one thread on all cores at once. If those are slower than one alone, no threads of
// one engine can reach a speed-up equal to the number of cores.

import type { BoxPairsOptions } from '../../dist/index.js';
import { boxCrowd, type CrowdKind } from '../../dist/samples/index.js';
import { createEngines, disposeEngines } from '../support/engines.js';
import { coreCount, threadsText } from '../support/machine.js';
import { Neighbors } from '../support/neighbors.js';
import { isQuick, Report } from '../support/report.js';
import { summarise } from '../support/statistics.js';

const SEED = 1;
const GOAL = 0.9;
const report = new Report('boxThreads', SEED, []);
const engines = await createEngines(1, coreCount);
const alone = engines[0].engine;
const all = engines.at(-1)!.engine;

async function measure(
  kind: CrowdKind,
  count: number,
  order: 'any' | 'sorted',
  rounds: number,
): Promise<void> {
  const boxes = boxCrowd(kind, count, SEED);
  const options: BoxPairsOptions = { method: 'sap', order };
  const neighbors = await Neighbors.start(coreCount - 1, boxes, options);
  const contenders = [
    { engine: alone, isBeside: false },
    { engine: all, isBeside: false },
    { engine: alone, isBeside: true },
  ];
  const times: number[][] = contenders.map(() => []);
  for (let round = -3; round < rounds; round++) {
    for (const [who, { engine, isBeside }] of contenders.entries()) {
      neighbors.set(isBeside);
      // Cache contents of another contender, and a sleeping thread, must not count against it.
      engine.boxPairs(boxes, options);
      const startedAt = performance.now();
      engine.boxPairs(boxes, options);
      if (round >= 0) times[who].push(performance.now() - startedAt);
    }
  }
  neighbors.set(false);
  await neighbors.end();
  const [one, together, beside] = times.map(list => ({ ...summarise(list), least: Math.min(...list) }));
  const scene = `${kind} ${count >= 1e6 ? `${count / 1e6}M` : `${count / 1e3}K`}`;
  const measured = `all pairs from scratch, ${order === 'any' ? 'any order' : order}`;
  const row = { scene, measure: measured, unit: 'ms', n: rounds, rival: '1 thread' } as const;
  const maximum = (coreCount * one.median) / beside.median;
  const minAndMax = (coreCount * one.least) / beside.least;
  report.add(
    {
      ...row,
      who: '1 thread',
      median: one.median,
      rival: undefined,
      note: `least ${one.least.toFixed(2)} ms`,
    },
    {
      ...row,
      who: threadsText(coreCount),
      median: together.median,
      ratio: one.median / together.median,
      limit: `>= ${GOAL * coreCount} x`,
      note: `least ${together.least.toFixed(2)} ms, ${(one.least / together.least).toFixed(2)} x of the least; ${(one.median / together.median / maximum).toFixed(2)} of what the machine allows`,
    },
    {
      ...row,
      who: `${coreCount} engines of 1 thread`,
      median: beside.median,
      ratio: maximum,
      note: `${coreCount} answers in this time: what the machine allows; ${minAndMax.toFixed(2)} x of the least`,
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
