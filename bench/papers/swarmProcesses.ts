// Runs a robot swarm on node processes that communicate over a NATS broker on this machine. Compares this run
// with a run of the same number of nodes in a single process. The compared values are the processor time of
// the busiest node, the messages and bytes between nodes, and the time of a step.
//
// The time of a step is measured, but all processes share this machine's cores. For separate machines, the
// bench `swarmNodes` models the time. This bench checks the inputs of that model: the messages, the bytes, and
// the processor time of nodes that each have their own memory and caches. The bench also checks that the
// contacts and states of all runs equal those of one process without a swarm.

import { watchNodes } from '../../dist/cli/cluster/nodeWatch.js';
import { type Link, type SwarmRow, stepSingleProcess } from '../../dist/cluster/index.js';
import { findWorld } from '../../dist/cluster/worlds.js';
import { createEngine } from '../../dist/index.js';
import { startCluster } from '../support/brokerCluster.js';
import { coreCount } from '../support/machine.js';
import { isQuick, Report } from '../support/report.js';
import { summarize } from '../support/statistics.js';
import { cpuOf, figure, MODEL, maximum, modeled, sceneName, total } from '../support/swarmRows.js';
import {
  checkSame,
  disposeEngine,
  MOVEMENTS,
  measure,
  runCase,
  SEED,
  type SwarmCase,
  settle,
  warmUp,
  worldOf,
} from '../support/swarms.js';

const COUNT = isQuick ? 400 : 10_000;
const STEPS = isQuick ? 2 : 12;
/** Number of steps in which the node processes warm up. */
const SETTLING = isQuick ? 1 : 4;
const FIGURE = figure('Fig. 5');
const IN_PROCESS = 'nodes in one process';
const OVER_BROKER = 'node processes over NATS';
/** Milliseconds in which every node announces its processor time at least once. */
const ANNOUNCEMENT_WAIT = 1300;

const report = new Report('swarmProcesses', SEED, []);
const sleep = (milliseconds: number): Promise<void> =>
  new Promise(resolve => {
    setTimeout(resolve, milliseconds);
  });

/** Returns the processor seconds that each node last announced, by the node's id. */
async function announcedCpu(link: Link): Promise<Map<number, number>> {
  const watch = watchNodes(link, 'bench');
  await sleep(ANNOUNCEMENT_WAIT);
  const seconds = new Map(watch.rows().map(({ id, cpuSeconds }) => [id, cpuSeconds]));
  watch.close();
  return seconds;
}

interface Measured {
  variant: string;
  rows: SwarmRow[];
}

/**
 * Runs a case in one process without a swarm. Returns the rows of the measured steps, and the states at the
 * end.
 */
async function reference(swarmCase: SwarmCase) {
  const engine = await createEngine({ threads: coreCount });
  const steps = stepSingleProcess(
    engine,
    findWorld(worldOf(swarmCase))!,
    swarmCase.settling + swarmCase.steps,
    await settle(worldOf(swarmCase)),
  );
  const rows = [];
  let next = steps.next();
  for (; !next.done; next = steps.next()) rows.push(next.value);
  engine.dispose();
  return { rows: rows.slice(swarmCase.settling), states: next.value };
}

async function overBroker(link: Link, swarmCase: SwarmCase): Promise<Measured> {
  await settle(worldOf(swarmCase));
  const before = await announcedCpu(link);
  const own = process.cpuUsage();
  const { rows, states } = await runCase(link, swarmCase);
  const { user, system } = process.cpuUsage(own);
  const after = await announcedCpu(link);
  const expected = await reference(swarmCase);
  checkSame(rows, expected.rows);
  if (Buffer.compare(Buffer.from(states.buffer), Buffer.from(expected.states.buffer)) !== 0)
    throw new Error('the states at the end differ from those of one process');
  const steps = swarmCase.settling + swarmCase.steps;
  const perStep = rows[0].nodes.map(({ id }) => (1000 * (after.get(id)! - before.get(id)!)) / steps);
  report.add(
    {
      scene: sceneName(swarmCase),
      measure: `processor time of a whole node process per step, ${swarmCase.nodes} nodes`,
      variant: OVER_BROKER,
      unit: 'ms',
      ...summarize(perStep),
      figure: FIGURE,
      note: `${perStep.map(value => value.toFixed(1)).join(', ')} ms by node: the time of the run divided by ${steps} steps; includes decoding of messages, waiting and the start of the run`,
    },
    {
      scene: sceneName(swarmCase),
      measure: `processor time of the coordinator per step, ${swarmCase.nodes} nodes`,
      variant: OVER_BROKER,
      unit: 'ms',
      n: 1,
      mean: (user + system) / 1000 / steps,
      figure: FIGURE,
      note: 'not part of the model of a step',
    },
  );
  return { variant: OVER_BROKER, rows };
}

function addRows(swarmCase: SwarmCase, runs: readonly Measured[]): void {
  const { nodes } = swarmCase;
  const scene = sceneName(swarmCase);
  for (const { variant, rows } of runs) {
    const isRival = variant === IN_PROCESS;
    const ratioTo = (value: (row: SwarmRow) => number) => {
      const mean = (of: readonly SwarmRow[]): number => summarize(of.map(value)).mean;
      return isRival ? {} : { rival: IN_PROCESS, ratio: mean(runs[0].rows) / mean(rows) };
    };
    const busiest = (row: SwarmRow): number => maximum(row.nodes.map(cpuOf));
    const bytes = (row: SwarmRow): number => total(row, ({ sentBytes }) => sentBytes);
    const messages = (row: SwarmRow): number => total(row, ({ sentMessages }) => sentMessages);
    const cpus = rows[0].nodes.map((_, node) => summarize(rows.map(row => cpuOf(row.nodes[node]))).mean);
    report.add(
      {
        scene,
        measure: `a step on ${nodes} nodes, all on this machine`,
        variant,
        unit: 'ms',
        ...summarize(rows.map(row => row.milliseconds)),
        ...ratioTo(row => row.milliseconds),
        figure: FIGURE,
        note: `${isRival ? 1 : `${nodes} nodes, the coordinator and the broker on ${coreCount}`} core${isRival ? '' : 's'}`,
      },
      {
        scene,
        measure: `a step, modeled on ${nodes} machines`,
        variant,
        unit: 'ms',
        ...summarize(rows.map(modeled)),
        ...ratioTo(modeled),
        figure: FIGURE,
        how: MODEL,
      },
      {
        scene,
        measure: `processor time of the busiest node in a step, ${nodes} nodes`,
        variant,
        unit: 'ms',
        ...summarize(rows.map(busiest)),
        ...ratioTo(busiest),
        figure: FIGURE,
        note: `${cpus.map(value => value.toFixed(1)).join(', ')} ms by node`,
      },
      {
        scene,
        measure: `bytes between nodes in a step, ${nodes} nodes`,
        variant,
        unit: 'bytes',
        ...summarize(rows.map(bytes)),
        ...ratioTo(bytes),
        figure: FIGURE,
        note: `in ${summarize(rows.map(messages)).mean} messages; a further ${Math.round(summarize(rows.map(row => row.coordinatorBytes)).mean)} bytes are exchanged with the coordinator`,
      },
    );
  }
}

await warmUp();
const cluster = await startCluster('bench');
try {
  for (const nodes of [2, 4, ...[8, 12].filter(count => count < coreCount)]) {
    await cluster.startNodes(nodes);
    for (const movement of MOVEMENTS) {
      const swarmCase: SwarmCase = {
        count: COUNT,
        movement,
        nodes,
        settling: SETTLING,
        steps: STEPS,
        // Without balancing, no column moves, so bytes and messages do not depend on the random ids of the
        // node processes.
        how: { balance: false },
      };
      const inProcess = await measure(swarmCase);
      const separate = await overBroker(cluster.link, swarmCase);
      checkSame(inProcess, separate.rows);
      addRows(swarmCase, [{ variant: IN_PROCESS, rows: inProcess }, separate]);
    }
  }
} finally {
  await cluster.close();
  disposeEngine();
}
report.save();
