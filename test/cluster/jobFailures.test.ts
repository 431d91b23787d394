// Tests failures during jobs. A task that fails or gives an invalid result runs again on another node. After
// the third failure of a task, the job ends with the error of this failure.
import type { Worker as NodeWorker, WorkerOptions } from 'node:worker_threads';
import * as assert from 'uvu/assert';
import {
  type ClusterNode,
  type Link,
  type MeshPairsJob,
  makeHub,
  openJobs,
  startNode,
} from '../../dist/cluster/index.js';
import type { JobCoordinator, TaskContext, TaskKind } from '../../dist/cluster/jobs/jobKind.js';
import { Run } from '../../dist/cluster/jobs/run.js';
import { taskKinds } from '../../dist/cluster/jobs/taskKinds.js';
import { startThread } from '../../dist/cluster/jobs/threadNode.js';
import { messageKind } from '../../dist/cluster/message.js';
import { Capacity, CollisionError, InvalidMesh } from '../../dist/core/errors.js';
import { boxCrowd, torus, translation } from '../../dist/samples/index.js';
import { hashInProcess, hashOfPairs, tinyPairs } from '../support/jobScenes.js';
import { test } from '../support/test.js';
import { scaledTimeout, sleep, until, within } from '../support/within.js';

const Number_ = messageKind('Number', 190, { value: 'u32' }, {});
let doTask: (value: number, workbench: TaskContext) => number;
/** A task that adds one to its value, unless a test replaces `doTask`. */
const plusOne: TaskKind<{ value: number }, { value: number }> = {
  name: 'plus one',
  code: 99,
  task: Number_,
  report: Number_,
  needs: () => new Uint32Array(0),
  run: ({ value }, workbench) => ({ value: doTask(value, workbench) }),
};
(taskKinds as Map<number, unknown>).set(99, plusOne);
test.before.each(() => {
  doTask = value => value + 1;
});

const addAll =
  (count: number, check?: (part: { value: number }, i: number) => void): JobCoordinator<number[]> =>
  async pool =>
    (await pool.run(plusOne, count, value => ({ value }), check)).map(({ value }) => value);

async function onNodes(
  count: number,
  use: (
    start: <T>(lead: JobCoordinator<T>, patience?: number) => Promise<T>,
    nodes: ClusterNode[],
    link: Link,
  ) => Promise<void>,
): Promise<void> {
  const join = makeHub();
  const nodes: ClusterNode[] = [];
  for (let i = 0; i < count; i++) nodes.push(await startNode(join()));
  const link = join();
  try {
    await within(
      20_000,
      'the test',
      use(
        (lead, patience = 10_000) => new Run(lead, { link, cluster: 'pfront', id: 5, patience }).answer,
        nodes,
        link,
      ),
    );
  } finally {
    for (const node of nodes) await node.close();
  }
}

async function caughtFrom(promise: Promise<unknown>): Promise<CollisionError> {
  try {
    await promise;
  } catch (error) {
    return error as CollisionError;
  }
  throw new Error('the job succeeded');
}

test('rounds of tasks run one after the other', () =>
  onNodes(2, async start => {
    const rounds: JobCoordinator<number> = async pool => {
      const once = await addAll(100)(pool);
      const twice = await pool.run(plusOne, 100, i => ({ value: once[i] }));
      return twice.reduce((sum, { value }) => sum + value, 0);
    };
    assert.is(await start(rounds), 99 * 50 + 200);
  }));

test('if a task fails on every node, the job ends with the error of a node; a TypeError becomes an Internal error', () =>
  onNodes(3, async (start, nodes) => {
    const tried = new Set<unknown>();
    doTask = (value, { engine }) => {
      if (value !== 17) return value + 1;
      tried.add(engine);
      throw new Capacity('no room', 'make room', 12345);
    };
    const error = await caughtFrom(start(addAll(40)));
    assert.instance(error, Capacity);
    assert.equal(
      [error.code, error.message, error.fix, (error as Capacity).neededBytes],
      ['Capacity', 'no room', 'make room', 12345],
    );
    assert.is(tried.size, 3);
    assert.is(
      nodes.reduce((sum, { work }) => sum + work.failures, 0),
      3,
    );
    doTask = () => {
      throw new InvalidMesh('bad', 'mend it');
    };
    assert.instance(await caughtFrom(start(addAll(1))), InvalidMesh);
    doTask = () => {
      throw new TypeError('odd');
    };
    const odd = await caughtFrom(start(addAll(1)));
    assert.instance(odd, CollisionError);
    assert.equal([odd.code, odd.message], ['Internal', 'odd']);
  }));

test('a task that fails on one node runs on another', () =>
  onNodes(3, async (start, [first]) => {
    doTask = (value, { engine }) => {
      if (engine === first!.engine) throw new Capacity('no room', 'make room');
      return value + 1;
    };
    assert.equal(
      await start(addAll(60)),
      Array.from({ length: 60 }, (_, i) => i + 1),
    );
    assert.ok(first!.work.failures > 0);
  }));

test('after errors of a link and tasks that throw undefined, a node continues with the next task and the next job', () => {
  const join = makeHub();
  let sent = 0;
  let thrown = 0;
  const throwing = (): Link => {
    const link = join();
    return {
      ...link,
      publish(subject, data) {
        // Every third message of the node fails, whether it is a result or a request.
        if (++sent % 3 === 0 && ++thrown > 0) throw new RangeError('this link accepts nothing now');
        link.publish(subject, data);
      },
    };
  };
  return within(
    60_000,
    'the test',
    (async () => {
      const node = await startNode(throwing());
      const link = join();
      const start = <T>(lead: JobCoordinator<T>) =>
        new Run(lead, { link, cluster: 'pfront', id: 5, patience: 20_000 }).answer;
      try {
        for (let round = 0; round < 3; round++)
          assert.equal(
            await start(addAll(50)),
            Array.from({ length: 50 }, (_, i) => i + 1),
          );
        assert.ok(thrown > 3, `${thrown} messages failed`);
        doTask = () => {
          throw undefined;
        };
        assert.equal([(await caughtFrom(start(addAll(1)))).code], ['Internal']);
        doTask = value => value + 1;
        assert.equal(await start(addAll(5)), [1, 2, 3, 4, 5]);
      } finally {
        await node.close();
      }
    })(),
  );
});

test('a task with an invalid result runs on another node, and invalid results of all nodes end the job', () =>
  onNodes(2, async (start, [first]) => {
    doTask = (value, { engine }) => (engine === first!.engine && value % 3 === 0 ? 999 : value + 1);
    const check = ({ value }: { value: number }, i: number): void => {
      if (value !== i + 1) throw new CollisionError('Cluster', `${value} of ${i}`, 'refused');
    };
    assert.equal(
      await start(addAll(30, check)),
      Array.from({ length: 30 }, (_, i) => i + 1),
    );
    doTask = () => 999;
    assert.match((await caughtFrom(start(addAll(3, check)))).message, /999 of/);
  }));

test('a kind of task that nodes do not know, and a coordinator that fails, end the job with an error', () =>
  onNodes(1, async start => {
    const unknown = { ...plusOne, code: 98 };
    assert.match(
      (await caughtFrom(start(pool => pool.run(unknown, 2, value => ({ value }))))).message,
      /kind 98/,
    );
    assert.match(
      (
        await caughtFrom(
          start(async () => {
            throw new Error('led astray');
          }),
        )
      ).message,
      /led astray/,
    );
    assert.equal(await start(addAll(3)), [1, 2, 3]);
  }));

test('if all nodes fall silent, the job ends when its patience is over', () =>
  onNodes(1, async (start, nodes) => {
    doTask = value => value;
    const answer = start(async pool => {
      await pool.run(plusOne, 1, value => ({ value }));
      await nodes[0].close();
      return pool.run(plusOne, 5, value => ({ value }));
    }, 3000);
    const error = await caughtFrom(answer);
    assert.is(error.code, 'Cluster');
    assert.match(error.message, /no node has sent a message for 3000 ms; 1 of 6 tasks/);
    nodes.length = 0;
  }));

test('the time during which the process of a job is blocked does not count toward the patience of the job', async () => {
  const join = makeHub();
  const job = new Run(addAll(3), { link: join(), cluster: 'pfront', id: 6, patience: 5000 });
  const error = caughtFrom(job.answer).catch(() => undefined);
  await sleep(100);
  // The job has no node yet. The process is blocked for longer than the patience of the job.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 6000);
  const node = await startNode(join());
  try {
    assert.is(await error, undefined);
    assert.equal(await job.answer, [1, 2, 3]);
  } finally {
    await node.close();
  }
});

test('if the coordinator does not have content that a task needs, the job ends with an error', () =>
  onNodes(1, async start => {
    const needing = { ...plusOne, needs: () => new Uint32Array(8) };
    (taskKinds as Map<number, unknown>).set(99, needing);
    const error = await caughtFrom(start(pool => pool.run(needing, 1, value => ({ value }))));
    (taskKinds as Map<number, unknown>).set(99, plusOne);
    assert.is(error.code, 'Cluster');
    assert.match(error.message, /is no longer available/);
  }));

/** Runs a function, and records each worker thread that the function starts, with the thread's script. */
async function withThreads(
  use: (started: { script: string; worker: NodeWorker }[]) => Promise<void>,
): Promise<void> {
  const threads = process.getBuiltinModule('node:worker_threads') as { Worker: typeof NodeWorker };
  const { Worker: Real } = threads;
  const started: { script: string; worker: NodeWorker }[] = [];
  threads.Worker = class extends Real {
    constructor(script: string | URL, options?: WorkerOptions) {
      super(script, options);
      started.push({ script: String(script), worker: this });
    }
  };
  try {
    await within(30_000, 'the test', use(started));
  } finally {
    threads.Worker = Real;
  }
}

for (const [how, end] of [
  ['is terminated', (worker: NodeWorker) => worker.terminate()],
  ['throws an uncaught error', (worker: NodeWorker) => worker.emit('error', new Error('out of memory'))],
] as const) {
  test(`if the thread of a job server ${how}, its jobs end with an error at once, and new jobs are refused`, () =>
    withThreads(async started => {
      const jobs = await openJobs({ where: 'threads', threads: 1 });
      const job = jobs.submit({ ...tinyPairs(40_000), pairsPerTask: 2 });
      // This job cannot end before the thread does, because it waits for a second node.
      const boxes = jobs.submit({ kind: 'boxPairs', boxes: boxCrowd('nested', 3000, 4), nodes: 2 });
      await until('a task', () => job.progress.done > 0);
      const endedAt = performance.now();
      void end(started.find(({ script }) => script.endsWith('threadMain.js'))!.worker);
      for (const answer of [job.wait(), boxes.wait()]) {
        const error = await caughtFrom(answer);
        assert.is(error.code, 'Cluster');
        assert.match(error.message, /the worker thread of the jobs has ended/);
        assert.match(error.fix, /openJobs/);
      }
      assert.ok(performance.now() - endedAt < scaledTimeout(5000));
      assert.throws(() => jobs.submit(tinyPairs(1)), /the worker thread of the jobs has ended/);
      await jobs.close();
      const others = await openJobs({ where: 'threads', threads: 1 });
      assert.is((await others.submit(tinyPairs(3)).wait()).pairsAt.length, 4);
      await others.close();
    }));
}

test('if a thread that computes for a node is terminated, the job continues without it and gives the same bytes', () =>
  withThreads(async started => {
    const pairs: MeshPairsJob = {
      kind: 'meshPairs',
      meshes: [torus(6000)],
      pairs: Array.from({ length: 30 }, (_, i) => ({
        a: 0,
        b: 0,
        transformB: translation([0.02 + 0.01 * i, 0, 0]),
      })),
      pairsPerTask: 1,
    };
    const expected = await hashInProcess(pairs);
    const jobs = await openJobs({ where: 'here', threads: 2 });
    const job = jobs.submit(pairs);
    const { worker } = started[0];
    await until('a task', () => job.progress.done > 0);
    await worker.terminate();
    assert.is(hashOfPairs(await job.wait()), expected);
    await jobs.close();
  }));

test('a thread that cannot start reports the reason', async () => {
  const error = await caughtFrom(within(10_000, 'the thread', startThread(makeHub()(), { threads: 0 })));
  assert.is(error.code, 'Cluster');
  assert.match(error.message, /did not start: .*threads/);
});

test.run();
