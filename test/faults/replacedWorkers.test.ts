// Tests that workers that die or hang in the middle of a query are replaced while the caller is blocked, and
// that the interrupted job then runs again on all threads.

import * as assert from 'uvu/assert';
import type { Engine } from '../../dist/index.js';
import type { FrontSystem } from '../../dist/narrowphase/front.js';
import { LINE_WORDS, word } from '../../dist/runtime/control.js';
import type { StartWorker, WorkerStart } from '../../dist/runtime/transport.js';
import { sphere, torus, translation } from '../../dist/samples/index.js';
import { hashInOrder, poolOf, withEngine } from '../support/engines.js';
import { type Fault, faulty } from '../support/faultyWorkers.js';
import { test } from '../support/test.js';
import { scaledTimeout, until } from '../support/within.js';

const data = [sphere(8000), torus(8000)];
const transformB = translation([0.3, 0.2, 0.1]);

function runQuery(engine: Engine, threads: number): string {
  const [a, b] = data.map(mesh => engine.createMesh(mesh));
  const hits = engine.query(a, b, { transformB, parts: threads });
  const hash = `${hits.count} ${hashInOrder(hits)}`;
  a.dispose();
  b.dispose();
  return hash;
}

const truth = await withEngine({ threads: 1, warmUp: 'off' }, engine => runQuery(engine, 1));

// A deadline for workers that is longer than a test may take. With it, workers are replaced only if they die,
// not if they are late.
const NEVER = 600_000;

/** One run of a job on all threads. */
interface Attempt {
  threads: number;
  isComplete: boolean;
}

/** Records each run of the kernel `traverse` from now on. */
function recordAttempts(engine: Engine): Attempt[] {
  const pool = poolOf(engine);
  const run = pool.run.bind(pool);
  const attempts: Attempt[] = [];
  pool.run = (kernel, ...job) => {
    const threads = pool.threadCount;
    const isComplete = run(kernel, ...job);
    if (kernel === 'traverse') attempts.push({ threads, isComplete });
    return isComplete;
  };
  return attempts;
}

/** Replaces the kernel `traverse` of the calling thread. */
function onTraverse(engine: Engine, act: (run: () => void) => void): void {
  const { kernels } = poolOf(engine);
  const run = kernels.traverse;
  Object.assign(kernels, {
    traverse: (jobAt: number, begin: number, end: number) => act(() => run(jobAt, begin, end)),
  });
}

/** Calls `act`, and checks that exactly one worker failed during the call. */
function hit(engine: Engine, workers: ReturnType<typeof faulty>, act: () => void): void {
  workers.slowCaller(poolOf(engine));
  act();
  assert.is(workers.hitCount(), 1);
}

/** Returns a control word of a worker. */
const wordOf = ({ memory, controlAt }: WorkerStart, name: keyof typeof word): number =>
  Atomics.load(new Int32Array(memory.buffer, controlAt, LINE_WORDS), word[name]);

/** Returns whether a worker has completed the latest order that was posted to it. */
const hasFinished = (start: WorkerStart): boolean => wordOf(start, 'done') === wordOf(start, 'posted');

const busy = (milliseconds: number, isOver = (): boolean => false): void => {
  const ends = performance.now() + milliseconds;
  while (!isOver() && performance.now() < ends) {
    /* Waits without events. */
  }
};

const faults: Record<string, Fault> = {
  'ends by exit': { kind: 'exit', when: 'after', order: 1, kernel: 'traverse' },
  'ends by an error': { kind: 'throw', when: 'finished', order: 1, kernel: 'traverse' },
  hangs: { kind: 'spin', when: 'after', order: 1, kernel: 'traverse' },
};

for (const threads of [2, 3, 4, 8, 16]) {
  for (const [name, fault] of Object.entries(faults)) {
    const isQuick = threads === 3 || (threads < 16 && name === 'ends by exit');
    (isQuick ? test : test.slow)(
      `${threads} threads: if a worker ${name}, all ${threads} threads run the job again`,
      async () => {
        const starts: WorkerStart[] = [];
        let onReplaced = (): void => {};
        const workers = faulty(index => (index === 1 ? fault : undefined));
        const createWorker: StartWorker = start => {
          starts.push(start);
          if (starts.length === threads) onReplaced();
          return workers.createWorker(start);
        };
        await withEngine({ threads, warmUp: 'off', createWorker }, async engine => {
          const pool = poolOf(engine);
          pool.deadlineMilliseconds = NEVER;
          onReplaced = () => {
            pool.deadlineMilliseconds = NEVER;
          };
          const attempts = recordAttempts(engine);
          let hasStarted = false;
          onTraverse(engine, run => {
            // Waits until the new worker has started and noticed its order. Meanwhile, this thread handles no
            // events.
            if (starts.length === threads && !hasStarted) {
              busy(scaledTimeout(2000), () => wordOf(starts[threads - 1], 'seen') > 0);
              hasStarted = wordOf(starts[threads - 1], 'seen') > 0;
            }
            run();
            if (name !== 'hangs' || starts.length === threads) return;
            // Shortens the deadline only after one worker hangs and all others have finished their orders: on a
            // busy machine, the others might miss a short deadline, too.
            busy(scaledTimeout(2000), () => workers.hitCount() > 0 && starts.slice(1).every(hasFinished));
            pool.deadlineMilliseconds = 300;
          });
          hit(engine, workers, () => {
            attempts.length = 0;
            assert.is(runQuery(engine, threads), truth);
          });
          assert.ok(hasStarted, 'a new worker started while the caller was blocked');
          assert.equal(attempts, [
            { threads, isComplete: false },
            { threads, isComplete: true },
          ]);
          assert.is(workers.handles.length, threads);
          await until('the lost worker has ended', () => workers.endedCount() > 0, 20_000);
          assert.is(pool.threadCount, threads);
          assert.is(engine.info.threads, threads);
          assert.equal(
            engine.info.notes.map(({ code }) => code),
            ['replaced-thread'],
          );
          assert.is(runQuery(engine, threads), truth);
        });
      },
    );
  }
}

for (const when of ['before', 'after'] as const) {
  test(`if a worker dies ${when} it takes its share, no thread steals from its list, and no pair is missing`, async () => {
    const fault: Fault = { kind: 'exit', when, order: 1, kernel: 'traverse' };
    const workers = faulty(index => (index === 1 ? fault : undefined));
    await withEngine({ threads: 2, warmUp: 'off', createWorker: workers.createWorker }, async engine => {
      const pool = poolOf(engine);
      pool.deadlineMilliseconds = NEVER;
      const attempts = recordAttempts(engine);
      const { front } = engine as unknown as { front: FrontSystem };
      let costs: number[] = [];
      onTraverse(engine, run => {
        run();
        if (attempts.length > 0) return;
        costs.push(front.listCost(0));
        if (costs.length > 1) return;
        // Makes the caller's own list take so long that the worker dies meanwhile, and that the caller checks
        // whether the worker still runs.
        busy(scaledTimeout(1000), () => workers.hitCount() > 0);
        if (workers.hitCount() === 0) return;
        busy(30);
        busy(scaledTimeout(1000), () => pool.workers[0].handle.hasEnded!());
      });
      hit(engine, workers, () => {
        attempts.length = 0;
        costs = [];
        assert.is(runQuery(engine, 2), truth);
      });
      assert.is(attempts.length, 2);
      assert.ok(costs[0] > 0);
      // If the worker died before it took its share, the caller takes the share back and calls the kernel once
      // more.
      assert.is(costs.length, when === 'before' ? 3 : 2);
      for (const cost of costs) assert.is(cost, costs[0], 'box tests and leaf pairs of the caller');
    });
  });
}

test('if no worker can be started in place of a dead one, the other threads do the work', async () => {
  const workers = faulty(index => (index === 1 ? faults['ends by exit'] : undefined));
  const createWorker: StartWorker = start => {
    if (start.index >= 3) throw new Error('no more workers');
    return workers.createWorker(start);
  };
  await withEngine({ threads: 3, warmUp: 'off', createWorker }, async engine => {
    poolOf(engine).deadlineMilliseconds = NEVER;
    const attempts = recordAttempts(engine);
    hit(engine, workers, () => {
      attempts.length = 0;
      assert.is(runQuery(engine, 3), truth);
    });
    assert.equal(attempts, [
      { threads: 3, isComplete: false },
      { threads: 2, isComplete: true },
    ]);
    assert.is(engine.info.threads, 2);
    assert.equal(
      engine.info.notes.map(({ code }) => code),
      ['lost-thread'],
    );
  });
});

test('if every worker dies at its first job, the number of workers that are started is limited', async () => {
  // While the caller is blocked, it learns of the death of a new worker only if the worker throws.
  const workers = faulty(() => faults['ends by an error']);
  await withEngine({ threads: 3, warmUp: 'off', createWorker: workers.createWorker }, async engine => {
    poolOf(engine).deadlineMilliseconds = NEVER;
    const attempts = recordAttempts(engine);
    let last = -1;
    onTraverse(engine, run => {
      // At the beginning of a run, the caller waits until all workers have taken their shares and died.
      if (attempts.length !== last)
        busy(scaledTimeout(1000), () => workers.hitCount() === workers.handles.length);
      last = attempts.length;
      run();
    });
    assert.is(runQuery(engine, 3), truth);
    // The limit is twice the number of threads. Dead workers count until the engine gets the events of their
    // threads' ends, and it gets no events while the caller is blocked.
    assert.is(workers.handles.length, 6);
    await until('workers are started when threads have ended', () => engine.info.threads === 3);
    assert.ok(workers.handles.length <= 8);
    assert.is(runQuery(engine, 3), truth);
  });
});

test.run();
