// Measures the overhead per task of jobs that consist of many tiny tasks: time, messages, bytes, and how
// long the caller's thread is blocked. The same job runs in the caller's thread, then on other threads, then
// on cluster nodes, each of which is a process. All these processes share the cores of one machine, so times
// show overhead, not speed-up.
import { mat4d } from 'wgpu-matrix';
import { connectNats, type JobServerOptions, openJobs, startBroker } from '../../dist/cluster/index.js';
import { createEngine } from '../../dist/index.js';
import { createRandom, sphere, torus } from '../../dist/samples/index.js';
import { nodeProcess, type Restartable } from '../../test/cluster/clusterProcesses.js';
import { plural } from '../support/machine.js';
import { isQuick, Report } from '../support/report.js';
import { summarize } from '../support/statistics.js';

const SEED = 1;
const TASKS = isQuick ? 500 : 10_000;
const REPETITIONS = isQuick ? 2 : 7;
const report = new Report('jobs', SEED);
const scene = `${TASKS} tasks of one pair`;

function tinyJob() {
  const random = createRandom(SEED);
  const pairs = Array.from({ length: TASKS }, () => {
    const [x, y, z] = random.direction();
    const far = random.between(0.3, 1.2);
    return {
      a: 0,
      b: 1,
      transformB: mat4d.rotate(
        mat4d.translation([x * far, y * far, z * far]),
        random.direction(),
        random.between(0, 6),
      ),
    };
  });
  return { kind: 'meshPairs', meshes: [sphere(60), torus(80)], pairs, pairsPerTask: 1 } as const;
}

/** Runs a function and measures its time and the longest time for which it blocked the thread. */
async function measurePause<T>(
  run: () => Promise<T>,
): Promise<{ result: T; milliseconds: number; pause: number }> {
  let last = performance.now();
  let pause = 0;
  const recordPause = (): void => {
    const now = performance.now();
    pause = Math.max(pause, now - last);
    last = now;
  };
  const timer = setInterval(recordPause, 1);
  const startedAt = last;
  const result = await run();
  recordPause();
  clearInterval(timer);
  return { result, milliseconds: performance.now() - startedAt, pause };
}

const job = tinyJob();

async function measureQueryMany(): Promise<void> {
  const engine = await createEngine({ threads: 1 });
  const [a, b] = job.meshes.map(mesh => engine.createMesh(mesh));
  const times: number[] = [];
  for (let i = 0; i < REPETITIONS; i++) {
    const { milliseconds } = await measurePause(
      async () =>
        engine.queryMany({ pairs: job.pairs.map(({ transformB }) => ({ a: a!, b: b!, transformB })) }).count,
    );
    times.push(milliseconds);
  }
  engine.dispose();
  report.add({
    scene,
    measure: 'one call',
    variant: 'engine.queryMany',
    unit: 'ms',
    ...summarize(times),
    note: 'the thread does nothing else',
  });
}

async function measureJobServer(variant: string, options: JobServerOptions): Promise<void> {
  const jobs = await openJobs(options);
  const times: number[] = [];
  const pauses: number[] = [];
  const cpus: number[] = [];
  await jobs.submit(job).wait();
  let stats;
  for (let i = 0; i < REPETITIONS; i++) {
    const cpu = process.cpuUsage();
    const submitted = jobs.submit(job);
    const { milliseconds, pause } = await measurePause(() => submitted.wait());
    const { user, system } = process.cpuUsage(cpu);
    times.push(milliseconds);
    pauses.push(pause);
    cpus.push((user + system) / TASKS);
    stats = submitted.stats;
  }
  const { sentBytes, receivedBytes, sentMessages, receivedMessages, reassigned, duplicated } = stats!;
  const median = summarize(times).median;
  report.add(
    {
      scene,
      measure: 'submit to answer',
      variant,
      unit: 'ms',
      ...summarize(times),
      note: `${Math.round((TASKS / median) * 1000)} tasks per second`,
    },
    { scene, measure: "the caller's longest pause", variant, unit: 'ms', ...summarize(pauses) },
    {
      scene,
      measure: "processor time of the caller's process, per task",
      variant,
      unit: 'us',
      ...summarize(cpus),
    },
    {
      scene,
      measure: 'bytes per task, both directions',
      variant,
      unit: 'bytes',
      n: 1,
      mean: (sentBytes + receivedBytes) / TASKS,
      note: `${sentMessages + receivedMessages} messages; ${reassigned} reassigned, ${duplicated} also sent to a second node`,
    },
  );
  await jobs.close();
}

await measureQueryMany();
await measureJobServer('here', { where: 'here' });
await measureJobServer('threads', { where: 'threads' });
const broker = await startBroker();
const link = await connectNats({ servers: broker.url });
const nodes: Restartable[] = [];
try {
  for (const count of [1, 2, 4]) {
    while (nodes.length < count) {
      const node = nodeProcess({ url: broker.url, cluster: 'bench', name: `node ${nodes.length}` });
      nodes.push(node);
      await node.start();
    }
    await measureJobServer(plural(count, 'node process'), {
      where: 'cluster',
      link,
      cluster: 'bench',
    });
  }
} finally {
  await link.close();
  for (const node of nodes) await node.kill();
  await broker.close();
}
report.save();
