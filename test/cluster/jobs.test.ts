// Tests that jobs in this thread and in a worker thread give the same bytes as one engine for every query,
// and that invalid input is refused at once.

import * as assert from 'uvu/assert';
import {
  type JobServer,
  type JobServerOptions,
  makeHub,
  openJobs,
  startNode,
} from '../../dist/cluster/index.js';
import { createEngine } from '../../dist/index.js';
import { box, boxCrowd, sphere, translation } from '../../dist/samples/index.js';
import { caught } from '../support/engines.js';
import { hashBytes } from '../support/hash.js';
import {
  crowdJob,
  hardJob,
  hashClashInProcess,
  hashInProcess,
  hashOfClash,
  hashOfPairs,
  tinyPairs,
} from '../support/jobScenes.js';
import { emptyMesh } from '../support/placedScenes.js';
import { test } from '../support/test.js';
import { within } from '../support/within.js';

async function withJobs(options: JobServerOptions, use: (jobs: JobServer) => Promise<void>): Promise<void> {
  const jobs = await openJobs(options);
  try {
    await within(30_000, 'the test', use(jobs));
  } finally {
    await jobs.close();
  }
}

for (const where of ['here', 'threads'] as const) {
  test(`${where}: scenes and mesh pairs of all kinds give the same results as one engine`, () =>
    withJobs({ where }, async jobs => {
      const pairs = hardJob(300);
      const crowd = crowdJob(120);
      const [asPairs, asCrowd, asCounts] = [
        jobs.submit(pairs),
        jobs.submit(crowd),
        jobs.submit({ ...crowd, narrow: 'counts' }),
      ];
      assert.is(asPairs.finished, false);
      assert.is(hashOfPairs(await asPairs.wait()), await hashInProcess(pairs));
      assert.is(hashOfClash(await asCrowd.wait()), await hashClashInProcess(crowd));
      assert.is(hashOfClash(await asCounts.wait()), await hashClashInProcess({ ...crowd, narrow: 'counts' }));
      assert.is(asPairs.finished, true);
      assert.is(asPairs.progress.done, asPairs.progress.total);
      assert.ok(asPairs.stats.tasks > 1);
    }));
}

test('jobs in this thread and on worker threads find the same box pairs as one engine', async () => {
  const boxes = boxCrowd('nested', 3000, 4);
  const engine = await createEngine({ threads: 1 });
  const { a, b } = engine.boxPairs(boxes);
  const expected = hashBytes(a, b);
  for (const where of ['here', 'threads'] as const) {
    await withJobs({ where }, async jobs => {
      const submitted = jobs.submit({ kind: 'boxPairs', boxes });
      const found = await submitted.wait();
      assert.is(hashBytes(found.a, found.b), expected);
      assert.ok(submitted.finished && found.count > 100);
    });
  }
  engine.dispose();
});

test("want 'any' and a clearance give the same results as one engine", () =>
  withJobs({ where: 'here' }, async jobs => {
    const job = tinyPairs(60);
    const engine = await createEngine({ threads: 1 });
    const [a, b] = job.meshes.map(mesh => engine.createMesh(mesh));
    const { pairs } = job;
    const { any, count } = await jobs.submit({ ...job, want: 'any' }).wait();
    assert.equal(
      [...any],
      pairs.map(({ transformB }) => (engine.query(a!, b!, { transformB, want: 'any' }) ? 1 : 0)),
    );
    assert.is(count, 0);
    const near = await jobs.submit({ ...job, clearance: 0.05 }).wait();
    pairs.forEach(({ transformB }, i) => {
      const local = engine.query(a!, b!, { transformB, clearance: 0.05 });
      const [begin, end] = [near.pairsAt[i], near.pairsAt[i + 1]];
      assert.equal(
        [near.a.slice(begin, end), near.b.slice(begin, end), near.distances!.slice(begin, end)],
        [local.a.slice(), local.b.slice(), local.distances.slice()],
      );
    });
    assert.equal(
      [...(await jobs.submit({ ...job, want: 'any', clearance: 0.05 }).wait()).any],
      pairs.map(({ transformB }) =>
        engine.query(a!, b!, { transformB, want: 'any', clearance: 0.05 }) ? 1 : 0,
      ),
    );
    engine.dispose();
  }));

test('all pairs of neighboring bodies that barely touch are found, although their boxes are rounded', () =>
  withJobs({ where: 'here' }, async jobs => {
    for (const side of [0.05, 0.15, 1 / 3]) {
      const mesh = box(side, side, side);
      const step = 2 * Math.fround(side);
      const bodies = Array.from({ length: 300 }, (_, i) => ({
        mesh,
        transform: translation([1000 + step * i, 0, 0]),
      }));
      const job = { kind: 'clash', bodies, narrow: 'counts' } as const;
      assert.is(hashOfClash(await jobs.submit(job).wait()), await hashClashInProcess(job));
    }
  }));

test('pairs as arrays, one pair, no pair, and meshes without triangles give the correct results', () =>
  withJobs({ where: 'here' }, async jobs => {
    const { meshes, pairs } = tinyPairs(40);
    const transformsB = Float64Array.from(pairs.flatMap(({ transformB }) => [...transformB]));
    const asArrays = jobs.submit({
      kind: 'meshPairs',
      meshes,
      pairs: { a: new Uint32Array(40), b: new Uint32Array(40).fill(1), transformsB },
    });
    assert.is(hashOfPairs(await asArrays.wait()), await hashInProcess({ kind: 'meshPairs', meshes, pairs }));
    const one = { kind: 'meshPairs', meshes, pairs: [{ a: 0, b: 0 }] } as const;
    assert.is(hashOfPairs(await jobs.submit(one).wait()), await hashInProcess(one));
    const none = jobs.submit({ kind: 'meshPairs', meshes: [], pairs: [] });
    assert.equal(await none.wait(), {
      count: 0,
      a: new Uint32Array(0),
      b: new Uint32Array(0),
      pairsAt: Uint32Array.of(0),
      any: new Uint32Array(0),
    });
    assert.is(none.stats.tasks, 0);
    assert.is((await jobs.submit({ kind: 'clash', bodies: [] }).wait()).count, 0);
    assert.is(
      (await jobs.submit({ kind: 'clash', bodies: [{ mesh: emptyMesh }, { mesh: emptyMesh }] }).wait()).count,
      0,
    );
  }));

test("invalid input is refused at once, with the engine's messages", () =>
  withJobs({ where: 'here' }, async jobs => {
    const engine = await createEngine({ threads: 1 });
    const good = sphere(60);
    const bad = { positions: Float32Array.of(0, 0, 0, 1, 0, NaN, 0, 1, 0) };
    const invalidMesh = { ...good, indices: Uint32Array.of(0, 1, 99) };
    const transformB = new Float64Array(16).fill(NaN);
    const mesh = engine.createMesh(good);
    const same = (submit: () => unknown, runQuery: () => unknown): void => {
      const [error, expected] = [caught(submit), caught(runQuery)];
      // The error of a job also names the body by its index in the list.
      const plain = (text?: string): string => text!.replaceAll('bodies[0].', '');
      assert.is(error.constructor, expected.constructor);
      assert.equal(
        [error.code, plain(error.message), plain(error.fix)],
        [expected.code, expected.message, expected.fix],
      );
    };
    for (const data of [bad, invalidMesh, { positions: [1, 2, 3] as never }, undefined as never])
      same(
        () => jobs.submit({ kind: 'meshPairs', meshes: [data], pairs: [] }),
        () => engine.createMesh(data),
      );
    same(
      () => jobs.submit({ kind: 'meshPairs', meshes: [good], pairs: [{ a: 0, b: 0, transformB }] }),
      () => engine.query(mesh, mesh, { transformB }),
    );
    same(
      () => jobs.submit({ kind: 'clash', bodies: [{ mesh: good, group: 0.5 }] }),
      () => engine.createScene().add(mesh, { group: 0.5 }),
    );
    assert.is(
      caught(() => jobs.submit({ kind: 'meshPairs', meshes: [good], pairs: [{ a: 0, b: 1 }] })).code,
      'InvalidMesh',
    );
    assert.is(caught(() => jobs.submit({ kind: 'nothing' } as never)).code, 'Unsupported');
    engine.dispose();
  }));

test('changing the arrays of a job after it is submitted does not change its answer', () =>
  withJobs({ where: 'here' }, async jobs => {
    const job = tinyPairs(50);
    const expected = await hashInProcess(job);
    const submitted = jobs.submit(job);
    for (const mesh of job.meshes) mesh.positions.fill(7);
    for (const { transformB } of job.pairs) transformB.fill(3);
    assert.is(hashOfPairs(await submitted.wait()), expected);
  }));

test('a process that is older than 2^32 ms still runs jobs', async () => {
  const { performance } = globalThis;
  const now = performance.now.bind(performance);
  performance.now = () => now() + 2 ** 32;
  try {
    await withJobs({ where: 'here' }, async jobs => {
      const job = tinyPairs(20);
      assert.is(hashOfPairs(await jobs.submit(job).wait()), await hashInProcess(job));
    });
  } finally {
    performance.now = now;
  }
});

test('results that are larger than one packet arrive complete', async () => {
  const join = makeHub(4096);
  const node = await startNode(join());
  const jobs = await openJobs({ where: 'cluster', link: join() });
  const job = {
    kind: 'meshPairs',
    meshes: [sphere(3000)],
    pairs: Array.from({ length: 6 }, () => ({ a: 0, b: 0 })),
  } as const;
  assert.is(
    hashOfPairs(await within(30_000, 'the job', jobs.submit(job).wait())),
    await hashInProcess(job as never),
  );
  await jobs.close();
  await node.close();
});

test.run();
