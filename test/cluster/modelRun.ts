// Runs tasks without geometry (see modelTasks.ts) on cluster nodes in this thread. The network loses,
// duplicates and delays messages, and nodes crash, hang, join and leave. A seed determines the faults.
import { Channel } from '../../dist/cluster/channel.js';
import { startJobNode } from '../../dist/cluster/jobs/jobNode.js';
import type { LedgerOptions } from '../../dist/cluster/jobs/ledger.js';
import { RunEnded } from '../../dist/cluster/jobs/messages.js';
import { Run } from '../../dist/cluster/jobs/run.js';
import type { Link, Packet } from '../../dist/cluster/link.js';
import { makeHub } from '../../dist/cluster/localLink.js';
import type { NodeHost } from '../../dist/cluster/nodeHost.js';
import { subjectsOf } from '../../dist/cluster/subjects.js';
import type { Engine } from '../../dist/index.js';
import { createRandom } from '../../dist/samples/index.js';
import { until, within } from '../support/within.js';
import { createFates } from './faultPlan.js';
import { type ModelReportValues, modelAnswer, modelTasks } from './modelTasks.js';

const PACKET = 4096;

/**
 * Wraps a link so that it can be stopped, like a process by SIGSTOP. While it is stopped, messages in both
 * directions wait.
 */
function stoppable(link: Link): Link & { stop(): void; wake(): void } {
  let isStopped = false;
  const waiting: (() => void)[] = [];
  const orLater = (act: () => void): void => {
    if (isStopped) waiting.push(act);
    else act();
  };
  return {
    ...link,
    publish: (subject, data) => {
      const copy = data.slice();
      orLater(() => link.publish(subject, copy));
    },
    subscribe: (subject, take, options) =>
      link.subscribe(subject, (packet: Packet) => orLater(() => take(packet)), options),
    stop() {
      isStopped = true;
    },
    wake() {
      isStopped = false;
      for (const act of waiting.splice(0)) act();
    },
  };
}

interface ModelNode {
  link: ReturnType<typeof stoppable>;
  service: { close(): Promise<void> };
}

/**
 * Counts of a run. reissued: leases that ended without a result. twice: tasks that were assigned to a second
 * node. computed: how many tasks the nodes ran, with repetitions.
 */
export interface ModelRow {
  tasks: number;
  reissued: number;
  twice: number;
  computed: number;
  kills: number;
  hangs: number;
}

/**
 * Runs tasks on three nodes. Each of the first 100 messages is delayed by two milliseconds, and each later
 * message by the given time.
 * @returns how many tasks were assigned again
 */
export async function slowerRun(milliseconds: number, taskCount: number, engine: Engine): Promise<number> {
  let sent = 0;
  const random = createRandom(1);
  const join = makeHub(PACKET, () => [sent++ < 100 ? 2 : milliseconds]);
  const services = Array.from({ length: 3 }, () => startJobNode(hostOf(join(), random.bits(), engine)));
  const run = begin(join(), random.bits(), taskCount, Uint8Array.of(7), { maxLeases: 64 });
  try {
    await within(30_000, 'the answer', run.answer);
    return run.ledger.counters.lostLeases;
  } finally {
    await Promise.all(services.map(service => service.close()));
  }
}

/**
 * Runs tasks on two nodes. After half of the tasks, both nodes receive a false message that the run is over.
 * The leases of the nodes do not expire during the run, so the run ends only if the nodes report that they
 * have forgotten their tasks.
 */
export async function forgottenRun(taskCount: number, engine: Engine): Promise<void> {
  const random = createRandom(1);
  const join = makeHub(PACKET, () => [5]);
  const link = join();
  const services = Array.from({ length: 2 }, () => startJobNode(hostOf(join(), random.bits(), engine)));
  const run = begin(link, random.bits(), taskCount, Uint8Array.of(7), {
    maxLeases: 64,
    leaseMilliseconds: 3_600_000,
  });
  try {
    await until('half of the tasks', () => run.ledger.done > taskCount / 2, 30_000);
    new Channel(link).send(subjectsOf('model').open, RunEnded, { run: run.id, step: 0, from: 0 }, {});
    await within(30_000, 'the answer', run.answer);
  } finally {
    await Promise.all(services.map(service => service.close()));
  }
}

/** Starts a run of numbered tasks. A result with the number of another task is refused. */
const begin = (
  link: Link,
  id: number,
  taskCount: number,
  content: Uint8Array,
  ledger: LedgerOptions,
): Run<ModelReportValues[]> =>
  new Run(
    async pool => {
      const hashes = await pool.share(content);
      return pool.run(
        modelTasks,
        taskCount,
        number => ({ number, hashes }),
        (report, i) => {
          if (report.number !== i) throw new RangeError(`task ${i} has the result of task ${report.number}`);
        },
      );
    },
    { link, cluster: 'model', id, patience: 15_000, ...ledger },
  );

const hostOf = (
  link: Link,
  id: number,
  engine: Engine,
  work = { tasks: 0, tests: 0, failures: 0, held: 0 },
): NodeHost => ({
  id,
  name: 'model',
  cluster: 'model',
  link,
  engine,
  work,
  cacheBytes: 2 ** 20,
  traffic: { sentMessages: 0, sentBytes: 0, receivedMessages: 0, receivedBytes: 0 },
});

/**
 * Runs tasks with faults that the seed determines. @throws if any result is lost, duplicated or wrong
 */
export async function modelRun(seed: number, taskCount: number, engine: Engine): Promise<ModelRow> {
  const random = createRandom(seed);
  const fates = createFates(seed, 'all', 'up');
  const join = makeHub(PACKET, () => fates({ drop: 0.2, double: 0.2, late: 0.3, delay: [0, 200] }).delays);
  const work = { tasks: 0, tests: 0, failures: 0, held: 0 };
  const nodes: ModelNode[] = [];
  const row = { kills: 0, hangs: 0 };
  const start = (): void => {
    const link = stoppable(join());
    nodes.push({ link, service: startJobNode(hostOf(link, random.bits(), engine, work)) });
  };
  const wakes: NodeJS.Timeout[] = [];
  // Ends a node. If `isClean` is false, its link closes first, as if its process was killed.
  const end = async ({ link, service }: ModelNode, isClean: boolean): Promise<void> => {
    if (!isClean) await link.close();
    await service.close();
    await link.close();
  };
  const one = (): number => random.below(nodes.length);
  const faults = [
    () => {
      row.kills++;
      void end(nodes.splice(one(), 1)[0], false);
      start();
    },
    () => {
      void end(nodes.splice(one(), 1)[0], true);
      start();
    },
    () => {
      start();
    },
    () => {
      const { link } = nodes[one()];
      row.hangs++;
      link.stop();
      wakes.push(setTimeout(() => link.wake(), random.between(100, 1500)));
    },
  ];
  for (let i = 0; i < 3; i++) start();
  const content = Uint8Array.from({ length: 10_000 }, () => random.below(256));
  const run = begin(join(), random.bits(), taskCount, content, { leaseMilliseconds: 600, maxLeases: 256 });
  const whens = Array.from({ length: 4 }, () => random.between(0, 0.95)).sort((a, b) => a - b);
  const timer = setInterval(() => {
    while (whens.length > 0 && run.ledger.done >= whens[0] * taskCount) {
      whens.shift();
      faults[random.below(faults.length)]();
    }
  }, 5);
  try {
    const reports = await within(30_000, `the answer of seed ${seed}`, run.answer);
    const wrong = reports.findIndex((report, i) => {
      const right = modelAnswer(i, content);
      return report.value !== right.value || Buffer.compare(report.data, right.data) !== 0;
    });
    if (wrong >= 0 || reports.length !== taskCount)
      throw new Error(`seed ${seed}: ${reports.length} of ${taskCount} results; task ${wrong} is wrong`);
    const { count, done, counters } = run.ledger;
    if (count !== taskCount || done !== taskCount)
      throw new Error(`seed ${seed}: ${done} of ${count} tasks of the ledger are done, not ${taskCount}`);
    return {
      tasks: done,
      reissued: counters.lostLeases,
      twice: counters.duplicates,
      computed: work.tasks,
      ...row,
    };
  } finally {
    clearInterval(timer);
    for (const wake of wakes) clearTimeout(wake);
    for (const { link } of nodes) link.wake();
    await Promise.all(nodes.map(node => end(node, false)));
  }
}
