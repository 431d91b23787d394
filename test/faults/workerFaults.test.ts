// Tests that worker threads that die or hang at any moment change no result, that the engine notices the
// death of a worker at once, and that a worker that was only late is used again.

import * as assert from 'uvu/assert';
import type { Engine } from '../../dist/index.js';
import type { StartWorker } from '../../dist/runtime/transport.js';
import { sphere, torus, translation } from '../../dist/samples/index.js';
import { contextOf, hashInOrder, poolOf, withEngine } from '../support/engines.js';
import { type Fault, faulty } from '../support/faultyWorkers.js';
import { test } from '../support/test.js';
import { scaledTimeout, until } from '../support/within.js';
import { queryNames, runWithFaults } from './workerFaults.js';

const data = [sphere(8000), torus(8000)];
const transformB = translation([0.3, 0.2, 0.1]);

function runQuery(engine: Engine): string {
  const [a, b] = data.map(mesh => engine.createMesh(mesh));
  const hits = engine.query(a, b, { transformB, parts: engine.info.threads });
  const hash = `${hits.count} ${hashInOrder(hits)}`;
  a.dispose();
  b.dispose();
  return hash;
}

const truth = await withEngine({ threads: 1, warmUp: 'off' }, runQuery);

// A deadline for workers that is longer than a test may take. If only the deadline revealed a death, the test
// would time out.
const NEVER = 600_000;

const deaths: [name: string, fault: Fault, isQuick: boolean][] = (['exit', 'throw'] as const).flatMap(kind =>
  (['after', 'finished'] as const).map((when): [string, Fault, boolean] => [
    `${kind} ${when === 'after' ? 'before' : 'after'} it runs its share`,
    { kind, when, order: 1, kernel: 'traverse' },
    when === 'after',
  ]),
);

for (const threads of [2, 3, 16]) {
  for (const [name, fault, isQuick] of deaths) {
    (threads === 3 && !isQuick ? test.slow : isQuick && threads < 16 ? test : test.proof)(
      `${threads} threads: the death of a worker (${name}) is noticed while the caller is blocked`,
      async () => {
        const workers = faulty(index => (index === 1 ? fault : undefined));
        await withEngine({ threads, warmUp: 'off', createWorker: workers.createWorker }, async engine => {
          poolOf(engine).deadlineMilliseconds = NEVER;
          workers.slowCaller(poolOf(engine));
          assert.is(runQuery(engine), truth);
          assert.is(workers.hitCount(), 1);
          assert.is(workers.handles.length, threads, 'one worker was started in place of the dead one');
          assert.is(runQuery(engine), truth);
        });
      },
    );
  }

  test.slow(`${threads} threads: a worker that is terminated in a kernel changes no result`, async () => {
    const fault: Fault = { kind: 'spin', when: 'after', order: 1, kernel: 'traverse' };
    const workers = faulty(index => (index === 1 ? fault : undefined));
    await withEngine({ threads, warmUp: 'off', createWorker: workers.createWorker }, engine => {
      const pool = poolOf(engine);
      pool.deadlineMilliseconds = NEVER;
      const run = pool.kernels.traverse;
      Object.assign(pool.kernels, {
        traverse(jobAt: number, begin: number, end: number) {
          const until = performance.now() + scaledTimeout(100);
          while (workers.hitCount() === 0 && performance.now() < until) {
            /* Waits until the worker has taken its share. */
          }
          void workers.handles[0].terminate();
          run(jobAt, begin, end);
        },
      });
      for (let iteration = 0; iteration < 3; iteration++) assert.is(runQuery(engine), truth);
    });
  });
}

// With `isReplaced`, another worker can be started in place of the late one.
for (const isReplaced of [true, false]) {
  const name = isReplaced ? 'ended if it was replaced' : 'used again if it could not be replaced';
  test(`a worker that was late is ${name}, and memory that it could write to is freed`, async () => {
    await runWithLateWorker(isReplaced);
  });
}

async function runWithLateWorker(isReplaced: boolean): Promise<void> {
  const fault: Fault = { kind: 'sleep', when: 'after', order: 1, kernel: 'traverse' };
  const workers = faulty(index => (index === 1 ? fault : undefined));
  const createWorker: StartWorker = start => {
    if (start.index > 1 && !isReplaced) throw new Error('no more workers');
    return workers.createWorker(start);
  };
  await withEngine({ threads: 2, warmUp: 'off', createWorker }, async engine => {
    const pool = poolOf(engine);
    const { arena } = contextOf(engine);
    pool.deadlineMilliseconds = 2000;
    workers.slowCaller(pool);
    assert.is(runQuery(engine), truth);
    assert.is(workers.hitCount(), 1);
    assert.is(arena.quarantineCount, 1, 'the caller did not wait for the worker');
    assert.is(pool.threadCount, isReplaced ? 2 : 1);
    workers.wake();
    await until('the worker has finished', () => runQuery(engine) === truth && arena.quarantineCount === 0);
    assert.is(pool.threadCount, 2);
    assert.is(workers.handles.length, isReplaced ? 2 : 1);
    assert.is(pool.deadlineMilliseconds, 4000, 'the deadline for the workers is doubled');
    assert.equal(engine.info.notes, []);
    if (isReplaced) await until('the late worker has ended', () => workers.endedCount() === 1);
  });
}

test('if a late worker never finishes, its thread is ended', async () => {
  const workers = faulty(index => (index === 1 ? { kind: 'spin', when: 'after', order: 1 } : undefined));
  await withEngine({ threads: 2, warmUp: 'off', createWorker: workers.createWorker }, async engine => {
    poolOf(engine).deadlineMilliseconds = 60;
    workers.slowCaller(poolOf(engine));
    assert.is(runQuery(engine), truth);
    assert.is(workers.hitCount(), 1);
    // No query runs meanwhile.
    await until('the thread has ended', () => workers.endedCount() === 1);
    assert.is(engine.info.threads, 2);
    assert.equal(
      engine.info.notes.map(({ code }) => code),
      ['replaced-thread'],
    );
    assert.is(contextOf(engine).arena.quarantineCount, 0);
  });
});

queryNames.forEach((name, i) => {
  const [threads, quickThreads] = [[2, 5, 16][i % 3], 3];
  test(`${name}: workers that die and hang change no result`, async () => {
    assert.equal((await runWithFaults(name, quickThreads, i)).wrong, []);
  });
  test.proof(`${name}: workers of ${threads} threads that die and hang change no result`, async () => {
    for (let seed = 100; seed < 103; seed++)
      assert.equal((await runWithFaults(name, threads, seed + i)).wrong, []);
  });
});

test.run();
