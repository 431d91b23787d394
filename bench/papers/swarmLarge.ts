// Measures a step of a swarm of 100,000 robots, and each part of the step, in one process that uses all cores
// of this machine. Models the same step on twelve nodes that run on separate machines.
//
// Section 5.3 of Du, Liu and Suzumura gives one time for 100,000 robots: 300 ms on four nodes with three GPUs
// each. The paper does not say how the robots moved in this case. Here, twelve nodes with one thread each
// stand for the twelve GPUs. The single process and the twelve nodes start from the same states, and the bench
// checks that their contacts and states are equal.

import { stepSingleProcess } from '../../dist/cluster/index.js';
import { findWorld } from '../../dist/cluster/worlds.js';
import { createEngine } from '../../dist/index.js';
import { coreCount, threadsText } from '../support/machine.js';
import { isQuick, Report, type Row } from '../support/report.js';
import { median, sum, summarize } from '../support/statistics.js';
import { figure, MODEL, modeled, modelParts, rowOf, sceneName } from '../support/swarmRows.js';
import {
  checkSame,
  disposeEngine,
  MOVEMENTS,
  measure,
  SEED,
  type SwarmCase,
  settle,
  warmUp,
  worldOf,
} from '../support/swarms.js';

const COUNT = isQuick ? 600 : 100_000;
const NODES = 12;
const STEPS = isQuick ? 2 : 5;
const SETTLING = 1;
const THRESHOLD = 0.15;
const PAPER_MILLISECONDS = 300;
const FIGURE = figure('section 5.3, 300 ms');

const report = new Report('swarmLarge', SEED, []);
await warmUp();
for (const movement of MOVEMENTS) {
  const swarmCase: SwarmCase = {
    count: COUNT,
    movement,
    nodes: NODES,
    settling: SETTLING,
    steps: STEPS,
    how: { balance: THRESHOLD },
  };
  const expected = await measureSingleProcess(swarmCase);
  // Cases with many robots take long, so rows are saved as soon as they are measured.
  report.saveFinished();
  const rows = await measure(swarmCase);
  checkSame(rows, expected);
  const row = rowOf(swarmCase, `${NODES} nodes`, rows);
  report.add({ ...row, ...ratioToPaper(row), figure: FIGURE });
  for (const part of Object.keys(modelParts(rows[0])))
    report.add({
      scene: sceneName(swarmCase),
      measure: `a step, modeled on ${NODES} machines: ${part}`,
      variant: `${NODES} nodes`,
      unit: 'ms',
      ...summarize(rows.map(step => modelParts(step)[part])),
      figure: FIGURE,
      how: MODEL,
      note: `${((100 * median(rows.map(step => modelParts(step)[part]))) / median(rows.map(modeled))).toFixed(1)} % of the step`,
    });
  report.saveFinished();
}
disposeEngine();

function ratioToPaper({ mean }: Row): Partial<Row> {
  return isQuick
    ? {}
    : {
        rival: 'paper',
        ratio: PAPER_MILLISECONDS / mean!,
        limit: `the paper: ${PAPER_MILLISECONDS} ms on 12 GPUs`,
      };
}

// Measures the steps in one process, with all threads.
async function measureSingleProcess(swarmCase: SwarmCase) {
  const engine = await createEngine({ threads: coreCount });
  const steps = stepSingleProcess(
    engine,
    findWorld(worldOf(swarmCase))!,
    SETTLING + STEPS,
    await settle(worldOf(swarmCase)),
  );
  const rows = [];
  const whole: number[] = [];
  let startedAt = performance.now();
  for (const row of steps) {
    whole.push(performance.now() - startedAt);
    rows.push(row);
    startedAt = performance.now();
  }
  engine.dispose();
  const measured = rows.slice(SETTLING);
  const variant = threadsText(coreCount);
  const times = summarize(whole.slice(SETTLING));
  const add = (part: string, row: Pick<Row, 'n' | 'median' | 'mean' | 'note'>): void =>
    report.add({
      scene: sceneName(swarmCase),
      measure: `a step in one process${part}`,
      variant,
      unit: 'ms',
      ...row,
      figure: FIGURE,
    });
  add('', {
    ...times,
    ...ratioToPaper({ ...times } as Row),
    note: `${measured.map(({ contacts }) => contacts).join(', ')} contacts, ${measured.map(({ stats }) => stats.featurePairs).join(', ')} feature pairs by step`,
  });
  const stagesByStep = measured.map(({ stats }) => stats.stages as Record<string, number>);
  for (const stage of Object.keys(stagesByStep[0]))
    add(`: ${stage}`, summarize(stagesByStep.map(stages => stages[stage])));
  add(': the rest', {
    ...summarize(stagesByStep.map((stages, step) => whole[SETTLING + step] - sum(Object.values(stages)))),
    note: 'moves the robots and computes their matrices, responses and digests, on one thread',
  });
  return measured;
}
