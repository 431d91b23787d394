// Tests that jobs give the same bytes as one engine in all of these cases: on 1, 2, 4 and 16 nodes, on
// separate processes that are connected by NATS, over networks that lose, duplicate and delay messages, and
// while nodes join and are killed.

import * as assert from 'uvu/assert';
import {
  connectNats,
  type JobServer,
  type Link,
  type MeshPairsJob,
  makeHub,
  openJobs,
  startNode,
} from '../../dist/cluster/index.js';
import { CollisionError } from '../../dist/core/errors.js';
import {
  crowdJob,
  hardJob,
  hashClashInProcess,
  hashInProcess,
  hashOfClash,
  hashOfPairs,
  tinyPairs,
} from '../support/jobScenes.js';
import { lossyNetwork } from '../support/swarmHub.js';
import { test } from '../support/test.js';
import { sleep, within } from '../support/within.js';
import { type Broker, type Restartable, startBroker, startNodeProcess } from './clusterProcesses.js';

const SECONDS = 1000;
const job = hardJob(240);
const expected = await hashInProcess(job);

async function onHub(
  join: () => Link,
  nodeCount: number,
  use: (jobs: JobServer, link: Link) => Promise<void>,
): Promise<void> {
  const nodes = await Promise.all(Array.from({ length: nodeCount }, () => startNode(join())));
  const link = join();
  const jobs = await openJobs({ where: 'cluster', link });
  try {
    await within(30 * SECONDS, 'the test', use(jobs, link));
  } finally {
    await jobs.close();
    for (const node of nodes) await node.close();
  }
}

for (const nodeCount of [1, 2, 4, 16]) {
  test(`${nodeCount} nodes in one process give the same bytes as one engine`, () =>
    onHub(makeHub(), nodeCount, async jobs => {
      assert.is(hashOfPairs(await jobs.submit({ ...job, pairsPerTask: 5 }).wait()), expected);
    }));
}

for (const seed of [1, 2, 3]) {
  test(`a network that loses, duplicates and delays messages changes no byte: seed ${seed}`, () =>
    onHub(makeHub(1 << 15, lossyNetwork(seed, { delay: 30 })), 3, async jobs => {
      const crowd = crowdJob(60, seed);
      const [pairs, scene] = [jobs.submit({ ...job, pairsPerTask: 5 }), jobs.submit(crowd)];
      assert.is(hashOfPairs(await pairs.wait()), expected);
      assert.is(hashOfClash(await scene.wait()), await hashClashInProcess(crowd));
    }));
}

test('meshes that a node already has are not sent again', () =>
  onHub(makeHub(), 1, async jobs => {
    const first = jobs.submit(job);
    await first.wait();
    const bytes = first.stats.contentBytes;
    const second = jobs.submit({
      ...job,
      meshes: job.meshes.map(({ positions, indices }) => ({ positions: positions.slice(), indices })),
    });
    assert.is(hashOfPairs(await second.wait()), expected);
    assert.ok(bytes > 10_000);
    assert.is(second.stats.contentBytes, 0);
  }));

test('a node with a small cache requests content again and gives the same results', async () => {
  const join = makeHub();
  const node = await startNode(join(), { cacheBytes: 20_000 });
  const jobs = await openJobs({ where: 'cluster', link: join() });
  for (let round = 0; round < 2; round++) {
    const submitted = jobs.submit({ ...job, pairsPerTask: 10 });
    assert.is(hashOfPairs(await within(20 * SECONDS, 'the job', submitted.wait())), expected);
    assert.ok(submitted.stats.contentBytes > 10_000);
  }
  await jobs.close();
  await node.close();
});

test('a job waits for its first node, and fails if none joins', async () => {
  const join = makeHub();
  const jobs = await openJobs({ where: 'cluster', link: join(), patience: 20_000 });
  const submitted = jobs.submit(job);
  await sleep(300);
  const node = await startNode(join());
  assert.is(hashOfPairs(await submitted.wait()), expected);
  await node.close();
  const impatient = await openJobs({ where: 'cluster', link: join(), patience: 200 });
  await refused(impatient.submit(job).wait(), /no node has answered/);
  await impatient.close();
  await jobs.close();
});

test('a job ends at once if it is canceled or its server is closed, and its nodes are free for other jobs', () =>
  onHub(makeHub(), 1, async (jobs, link) => {
    const canceled = jobs.submit(job);
    canceled.cancel();
    assert.is(canceled.finished, true);
    await refused(canceled.wait(), /canceled/);
    assert.is(hashOfPairs(await jobs.submit(job).wait()), expected);
    const open = jobs.submit(job);
    await jobs.close();
    await refused(open.wait(), /closed/);
    const others = await openJobs({ where: 'cluster', link });
    assert.is(hashOfPairs(await others.submit(job).wait()), expected);
    await others.close();
  }));

test.slow('two coordinators share nodes: a short job ends before a long one', () =>
  onHub(makeHub(), 2, async (one, link) => {
    const two = await openJobs({ where: 'cluster', link });
    const long = { ...tinyPairs(3000), pairsPerTask: 3 };
    const first = one.submit(long);
    const short = two.submit({ ...tinyPairs(100), pairsPerTask: 3 });
    await short.wait();
    assert.ok(!first.finished, `${first.progress.done} of ${first.progress.total}`);
    assert.is(hashOfPairs(await first.wait()), await hashInProcess(long));
    await two.close();
  }),
);

async function refused(promise: Promise<unknown>, text: RegExp): Promise<void> {
  try {
    await promise;
  } catch (error) {
    assert.instance(error, CollisionError);
    assert.is((error as CollisionError).code, 'Cluster');
    assert.match((error as CollisionError).message, text);
    return;
  }
  assert.unreachable('the job succeeded');
}

let broker: Broker;
const running: Restartable[] = [];
const start = async (name: string): Promise<Restartable> => {
  const node = await startNodeProcess({ url: broker.url, cluster: 'jobs', name });
  running.push(node);
  return node;
};
test.before(async () => {
  broker = await startBroker();
});
test.after(async () => {
  for (const process of [...running, broker]) await process.kill();
});

async function overNats(use: (link: Link) => Promise<void>): Promise<void> {
  const link = await connectNats({ servers: broker.url });
  try {
    await within(60 * SECONDS, 'the test', use(link));
  } finally {
    await link.close();
    for (const process of running.splice(0)) await process.kill();
  }
}

const longJob = (): MeshPairsJob => ({ ...tinyPairs(4000), pairsPerTask: 2 });

test.slow('1, 2 and 4 processes over NATS give the same bytes as one engine', () =>
  overNats(async link => {
    const jobs = await openJobs({ where: 'cluster', link, cluster: 'jobs' });
    const crowd = crowdJob(150);
    const asScene = await hashClashInProcess(crowd);
    for (const count of [1, 2, 4]) {
      while (running.length < count) await start(`node ${running.length}`);
      assert.is(hashOfPairs(await jobs.submit({ ...job, pairsPerTask: 5 }).wait()), expected);
      assert.is(hashOfClash(await jobs.submit(crowd).wait()), asScene);
    }
    await jobs.close();
  }),
);

test('processes may join and be killed during a job, and the result has the same bytes as that of one engine', () =>
  overNats(async link => {
    const jobs = await openJobs({ where: 'cluster', link, cluster: 'jobs' });
    const long = longJob();
    const first = await start('first');
    const submitted = jobs.submit(long);
    const progress = async (part: number): Promise<void> => {
      while (submitted.progress.done <= part * submitted.progress.total) await sleep(5);
    };
    await progress(0.05);
    // Suspends the first node, so that it does not finish the whole job before the second node has started.
    first.hang();
    await start('second');
    await first.kill();
    await progress(0.3);
    await start('third');
    assert.is(hashOfPairs(await submitted.wait()), await hashInProcess(long));
    assert.ok(submitted.stats.nodes >= 2);
    await jobs.close();
  }));

test.run();
