// Tests that a cluster detects nodes that return false results, names and excludes them, and still gives the
// right answer. The caller computes a sample of the results again. With the option `verify`, two nodes run
// every task. boxLiars.test.ts has such tests for jobs of box pairs.
import * as assert from 'uvu/assert';
import { type JobStats, type Link, openJobs } from '../../dist/cluster/index.js';
import { hashOf, textOf } from '../../dist/cluster/jobs/content.js';
import { writeMesh } from '../../dist/cluster/jobs/meshContent.js';
import { type PairReportValues, pairTasks } from '../../dist/cluster/jobs/pairTasks.js';
import { findFalseBoxPairs } from '../../dist/cluster/jobs/proveBoxPairs.js';
import { findFalsePairs } from '../../dist/cluster/jobs/provePairs.js';
import { Recomputer } from '../../dist/cluster/jobs/recomputer.js';
import type { CollisionError } from '../../dist/core/errors.js';
import { createEngine } from '../../dist/index.js';
import { box, sphere, sphereBoxes, translation } from '../../dist/samples/index.js';
import { test } from '../support/test.js';
import { boundedTest, type Opened } from './bounded.js';
import { changesOne, findsNothing, losesBoxPair, startCluster } from './liars.js';
import { singleProcessResult, type TinyJob, tinyJob } from './tinyJob.js';

const expectations = new Map<TinyJob, ReturnType<typeof singleProcessResult>>();
const expectedOf = (job: TinyJob): ReturnType<typeof singleProcessResult> => {
  if (!expectations.has(job)) expectations.set(job, singleProcessResult(job));
  return expectations.get(job)!;
};

/** Runs a job of small mesh pairs, and checks that the answer equals that of a single process. */
async function runTiny(
  opened: Opened,
  join: () => Link,
  job: TinyJob,
  pairsPerTask: number,
  verify = false,
): Promise<JobStats> {
  const jobs = opened.add(await openJobs({ where: 'cluster', link: join(), patience: 20_000, verify }));
  const submitted = jobs.submit({ kind: 'meshPairs', ...job, pairsPerTask });
  const { pairsAt, a, b } = await submitted.wait();
  const expected = await expectedOf(job);
  assert.equal([pairsAt, a, b], [expected.pairsAt, expected.a, expected.b]);
  return submitted.stats;
}

const few = tinyJob(52);
const many = tinyJob(418, 2);

boundedTest(
  'if a job has few pairs, all results are computed again: a node that finds no pairs, and one that changes a triangle, are named and excluded',
  30,
  async opened => {
    for (const lies of [findsNothing, changesOne(3)]) {
      const { excluded } = await runTiny(opened, await startCluster(opened, 1, [lies]), few, 2);
      assert.is(excluded.length, 1);
      assert.match(excluded[0]!.node, /^liar \([\da-f]+\)$/);
      assert.match(excluded[0]!.what, /^mesh pair \d+ has/);
    }
    assert.equal((await runTiny(opened, await startCluster(opened, 2, []), few, 2)).excluded, []);
  },
);

boundedTest(
  'if all nodes return false results, the job ends with an error that names them',
  30,
  async opened => {
    const join = await startCluster(opened, 0, [findsNothing]);
    const jobs = opened.add(await openJobs({ where: 'cluster', link: join(), patience: 300 }));
    const error = await jobs
      .submit({ kind: 'meshPairs', ...few })
      .wait()
      .then(
        () => undefined,
        (reason: CollisionError) => reason,
      );
    assert.is(error?.code, 'Cluster');
    assert.match(error!.message, /node liar \([\da-f]+\) was excluded for a false result: mesh pair \d+/);
  },
);

boundedTest(
  'with verify, two nodes run every task, false triangles are found, and the caller determines which node is wrong',
  60,
  async opened => {
    const { excluded, tasks } = await runTiny(
      opened,
      await startCluster(opened, 2, [changesOne(20)]),
      many,
      4,
      true,
    );
    assert.equal(
      excluded.map(({ node }) => node.split(' ')[0]),
      ['liar'],
    );
    assert.match(excluded[0]!.what, /^the result of task \d+ of kind 'pairs of meshes' differs/);
    assert.ok(tasks >= 2 * Math.ceil(418 / 4), `${tasks} tasks`);
    // If both liars run the same task, they agree on a false result. But on other tasks a liar disagrees with
    // an honest node, and that exposes the liar.
    await runTiny(opened, await startCluster(opened, 2, [findsNothing, findsNothing]), few, 1, true);
  },
);

boundedTest('verify requires two nodes, and is refused with options that exclude it', 20, async opened => {
  const join = await startCluster(opened, 1, []);
  const jobs = opened.add(await openJobs({ where: 'cluster', link: join(), patience: 400, verify: true }));
  const messageOf = (promise: Promise<unknown>): Promise<string> =>
    promise.then(
      () => 'no error',
      ({ message }: Error) => message,
    );
  assert.match(await messageOf(jobs.submit({ kind: 'meshPairs', ...few }).wait()), /1 of 2 nodes answered/);
  assert.match(
    await messageOf(jobs.submit({ kind: 'boxPairs', boxes: Float32Array.of(0, 0, 0, 1, 1, 1) }).wait()),
    /1 of 2 nodes answered/,
  );
  assert.throws(
    () => jobs.submit({ kind: 'boxPairs', boxes: new Float32Array(6), encoding: 'delta' }),
    /encoding is 'delta', but with verify each task finds the pairs of one cell/,
  );
  assert.match(
    await messageOf(openJobs({ where: 'here', verify: true })),
    /the option verify requires the option where: /,
  );
});

boundedTest('a node that omits a pair of boxes in a clash job is found', 30, async opened => {
  const mesh = box(1, 1, 1);
  const bodies = Array.from({ length: 12 }, (_, i) => ({ mesh, transform: translation([1.5 * i, 0, 0]) }));
  for (const verify of [false, true]) {
    const join = await startCluster(opened, 2, [losesBoxPair]);
    const jobs = opened.add(await openJobs({ where: 'cluster', link: join(), patience: 20_000, verify }));
    // An honest node may run the single task of a job, so jobs are repeated until the liar runs one.
    let found = 0;
    while (found === 0) {
      const job = jobs.submit({ kind: 'clash', bodies, narrow: 'counts' });
      const { count, boxPairs } = await job.wait();
      assert.equal([count, boxPairs], [11, 11]);
      found += job.stats.excluded.length;
    }
    assert.is(found, 1);
  }
});

test('for a pair with a large mesh, only the returned triangle pairs are tested, and wrong ones are found', async () => {
  const large = writeMesh(sphere(300_000));
  const small = writeMesh(sphere(100));
  const engine = await createEngine({ threads: 1 });
  const recomputer = new Recomputer();
  try {
    const meshes = [small, large];
    const contents = new Map<string, Uint8Array>();
    const hashes = await Promise.all(meshes.map(({ bytes }) => hashOf(bytes)));
    meshes.forEach(({ bytes }, i) => contents.set(textOf(hashes[i]!), bytes));
    const task = (mesh: number) => ({
      want: 0,
      clearance: -1,
      hashes: Uint32Array.of(...hashes[mesh]!, ...hashes[0]!),
      a: Uint32Array.of(0),
      b: Uint32Array.of(1),
      placeA: Uint32Array.of(0),
      placeB: Uint32Array.of(1),
      places: Float64Array.of(1, 0, 0, 0.7, 0, 1, 0, 0, 0, 0, 1, 0),
    });
    const right = await Promise.all(
      [0, 1].map(mesh => recomputer.run(pairTasks, task(mesh), contents) as Promise<PairReportValues>),
    );
    assert.ok(right[1]!.a.length > 200);
    let runs = 0;
    const prove = (entries: PairReportValues) =>
      findFalsePairs(
        [0, 1].map(mesh => ({
          name: `pair ${mesh}`,
          meshA: meshes[mesh]!,
          meshB: small,
          task: () => task(mesh),
          entries: mesh === 0 ? right[0]! : entries,
        })),
        (given, own = contents) => {
          runs++;
          assert.ok(runs === 1 || own !== contents, 'the large mesh was built');
          return recomputer.run(pairTasks, given, own);
        },
      );
    assert.equal(await prove(right[1]!), []);
    // In every second triangle pair, replaces the triangle of the large mesh by another one.
    runs = 0;
    const a = right[1]!.a.map((triangle, k) => (k % 2 === 0 ? triangle : (triangle + 150_000) % 299_000));
    const [wrong] = await prove({ ...right[1]!, a });
    assert.is(wrong!.index, 1);
    assert.match(wrong!.what, /^pair 1 should not have the triangle pair \d+, \d+ with the distance/);
  } finally {
    engine.dispose();
    recomputer.dispose();
  }
});

test('correct pairs of boxes are accepted; false, missing and unsorted pairs are found', async () => {
  const engine = await createEngine({ threads: 1 });
  const boxes = sphereBoxes(500, { radius: 0.5, side: 6 }, 1);
  // Replaces the first two boxes by boxes that only touch, which counts as an overlap.
  boxes.set([20, 0, 0, 21, 1, 1, 21, 1, 1, 22, 2, 2], 0);
  const { a, b } = engine.boxPairs(boxes).copy();
  engine.dispose();
  assert.ok(a.length > 100);
  assert.is(findFalseBoxPairs(boxes, { a, b }), undefined);
  for (let k = 0; k < a.length; k += 7) {
    const without = (list: Uint32Array): Uint32Array => list.filter((_, i) => i !== k);
    assert.match(findFalseBoxPairs(boxes, { a: without(a), b: without(b) }) ?? '', /are missing/);
    const changed = b.slice();
    changed[k] = 499;
    if (b[k] !== 499)
      assert.match(
        findFalseBoxPairs(boxes, { a, b: changed }) ?? '',
        /do not overlap|out of order|are missing/,
      );
  }
  assert.match(
    findFalseBoxPairs(boxes, { a: a.slice().reverse(), b: b.slice().reverse() }) ?? '',
    /out of order/,
  );
});

test.run();
