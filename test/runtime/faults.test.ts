// Tests that results stay the same and arrive in bounded time if workers die, hang, lag or never start, and
// that the engine reports lost workers.

import * as assert from 'uvu/assert';
import { createEngine, type Engine, type EngineOptions, type Mesh, WorkerLoad } from '../../dist/index.js';
import type { StartWorker, WorkerHandle } from '../../dist/runtime/transport.js';
import { penetrationPath, sphere, torus } from '../../dist/samples/index.js';
import { caughtLater, hashInOrder, poolOf, withEngine } from '../support/engines.js';
import { type Fault, faulty } from '../support/faultyWorkers.js';
import { test } from '../support/test.js';
import { scaledTimeout, until } from '../support/within.js';

const path = penetrationPath(torus(3000), sphere(3000), 40);
const frames = Array.from({ length: 6 }, (_, frame) => path.frame(14 + frame));

function hashOfFrame(engine: Engine, [a, b]: readonly [Mesh, Mesh], frame: number): string {
  const placed = frames[frame];
  const options = { transformA: placed.subarray(0, 16), transformB: placed.subarray(16, 32) };
  // Uses all threads, even for little work.
  const hits = engine.query(a, b, { ...options, parts: poolOf(engine).threadCount });
  const hash = `${hits.count} ${hashInOrder(hits)}`;
  assert.is(engine.query(a, b, { ...options, want: 'any' }), hits.count > 0);
  return hash;
}

const meshesOf = (engine: Engine): readonly [Mesh, Mesh] => [
  engine.createMesh(path.meshes[0]),
  engine.createMesh(path.meshes[1]),
];

const expected = await withEngine({ threads: 1 }, engine => {
  const meshes = meshesOf(engine);
  return frames.map((_, frame) => hashOfFrame(engine, meshes, frame));
});

const deadlineMilliseconds = 60;
// Returns the time limit for all frames together. Each lost worker may cost one deadline and a second run of
// its work, and threads wake slowly on a busy machine.
const maxMilliseconds = (lostCount: number): number => (lostCount + 1) * (20 * deadlineMilliseconds) + 1500;

async function withFaults(
  options: EngineOptions,
  use: (engine: Engine) => void | Promise<void>,
): Promise<void> {
  await withEngine(options, async engine => {
    poolOf(engine).deadlineMilliseconds = deadlineMilliseconds;
    await use(engine);
  });
}

function checkFrames(engine: Engine, lostCount: number): void {
  const meshes = meshesOf(engine);
  const startedAt = performance.now();
  frames.forEach((_, frame) =>
    assert.is(hashOfFrame(engine, meshes, frame), expected[frame], `frame ${frame}`),
  );
  assert.ok(
    performance.now() - startedAt < scaledTimeout(maxMilliseconds(lostCount)),
    `${Math.round(performance.now() - startedAt)} ms`,
  );
}

const pause = (milliseconds: number) => new Promise(resolve => setTimeout(resolve, milliseconds));

// Runs queries until `expectedHits` faults have happened. This may take several rounds, because the speed of
// the machine decides which jobs a worker takes in time. A worker that takes no job delays no query, and it
// counts as lost once it has missed jobs for a whole deadline.
async function checkUntil(
  engine: Engine,
  { hitCount, handles }: ReturnType<typeof faulty>,
  expectedHits: number,
): Promise<void> {
  const end = performance.now() + scaledTimeout(8000);
  const pool = poolOf(engine);
  const madeAtFirst = handles.length;
  // On a busy machine, a worker may miss the deadline and be replaced before its fault happens. Such a
  // replacement counts as a fault.
  const isOver = () => hitCount() >= expectedHits || handles.length >= madeAtFirst + expectedHits;
  while (!isOver() && performance.now() < end) {
    checkFrames(engine, expectedHits);
    await pause(1);
  }
  assert.ok(isOver(), `${hitCount()} faults happened, ${pool.threadCount} threads are left`);
  for (let iteration = 0; iteration < 3; iteration++) {
    checkFrames(engine, expectedHits);
    await pause(deadlineMilliseconds);
  }
}

async function checkReported(engine: Engine): Promise<void> {
  // A worker that is late counts as lost only after a while.
  const isNoted = ({ code }: { code: string }) => /^(lost|replaced)-thread$/.test(code);
  await until(
    'lost threads are reported',
    () => engine.info.threads === poolOf(engine).threadCount && engine.info.notes.some(isNoted),
  );
  const note = engine.info.notes.find(isNoted)!;
  assert.ok(note.message.length > 10 && note.fix.length > 10);
}

const faults: [name: string, Fault][] = (['spin', 'exit', 'throw'] as const).flatMap(kind =>
  (['before', 'after'] as const).flatMap(when =>
    [1, 2, 5].map((order): [string, Fault] => [`${kind} ${when} taking job ${order}`, { kind, when, order }]),
  ),
);

for (const [name, fault] of faults) {
  (/job [25]$|(spin|throw) before/.test(name) ? test.slow : test)(
    `one of three workers fails, and results are the same: ${name}`,
    async () => {
      const workers = faulty(index => (index === 2 ? fault : undefined));
      await withFaults({ threads: 4, createWorker: workers.createWorker }, async engine => {
        await checkUntil(engine, workers, 1);
        await checkReported(engine);
      });
    },
  );
}

for (const when of ['before', 'after'] as const) {
  test.slow(
    `all workers hang, each at a different job, ${when} taking it, and results are the same`,
    async () => {
      const workers = faulty(index => ({ kind: 'spin', when, order: index }));
      await withFaults({ threads: 4, createWorker: workers.createWorker }, async engine => {
        await checkUntil(engine, workers, 3);
        await checkReported(engine);
      });
    },
  );

  test(`all workers die at once, ${when} taking a job, and results are the same`, async () => {
    const workers = faulty(() => ({ kind: 'exit', when, order: 2 }));
    await withFaults({ threads: 5, createWorker: workers.createWorker }, async engine => {
      await checkUntil(engine, workers, 4);
      await checkReported(engine);
    });
  });

  for (const milliseconds of [20, 55, 60, 65, 90, 300]) {
    ([20, 65].includes(milliseconds) && when === 'after' ? test : test.slow)(
      `results are the same if workers sleep ${milliseconds} ms ${when} taking a job; deadline: ${deadlineMilliseconds} ms`,
      async () => {
        const workers = faulty(() => ({ kind: 'sleep', when, order: 2, milliseconds }));
        await withFaults({ threads: 3, createWorker: workers.createWorker }, async engine => {
          await checkUntil(engine, workers, 2);
          await pause(milliseconds);
          checkFrames(engine, 2);
        });
      },
    );
  }
}

test('a lost worker that continues to write and ends late changes no result', async () => {
  let end = (): void => {};
  const mayEnd = new Promise<void>(resolve => {
    end = resolve;
  });
  const workers = faulty(
    index => (index <= 2 ? { kind: 'scribble', when: 'after', order: index + 1 } : undefined),
    mayEnd,
  );
  await withFaults({ threads: 3, createWorker: workers.createWorker }, async engine => {
    await checkUntil(engine, workers, 2);
    for (let iteration = 0; iteration < 10; iteration++) checkFrames(engine, 2);
    assert.is(workers.endedCount(), 0, 'a lost thread has already ended');
    end();
    // Workers that were replaced only because they were late end as well.
    await until('the lost threads have ended', () => workers.endedCount() >= 2);
    for (let iteration = 0; iteration < 2; iteration++) checkFrames(engine, 0);
  });
});

test('memory that a lost worker could write to is freed when its thread has ended', async () => {
  let end = (): void => {};
  const mayEnd = new Promise<void>(resolve => {
    end = resolve;
  });
  const workers = faulty(
    index => (index === 1 ? { kind: 'spin', when: 'after', order: 1 } : undefined),
    mayEnd,
  );
  await withFaults({ threads: 2, createWorker: workers.createWorker }, async engine => {
    await checkUntil(engine, workers, 1);
    const { arena } = (engine as unknown as { context: { arena: { usedBytes: number } } }).context;
    const during = arena.usedBytes;
    end();
    await until('memory is freed', () => arena.usedBytes < during);
  });
});

test('a worker that is killed between two queries changes no result and is reported', async () => {
  const workers = faulty(() => undefined);
  await withFaults({ threads: 4, createWorker: workers.createWorker }, async engine => {
    checkFrames(engine, 0);
    await workers.handles[1].terminate();
    await pause(1);
    checkFrames(engine, 0);
    await checkReported(engine);
  });
});

test('workers that are killed right before a query do not change its result', async () => {
  const workers = faulty(() => undefined);
  await withFaults({ threads: 3, createWorker: workers.createWorker }, async engine => {
    checkFrames(engine, 0);
    for (const handle of workers.handles) void handle.terminate();
    await checkUntil(engine, workers, 0);
    await checkReported(engine);
  });
});

test('a worker that dies between becoming ready and the end of createEngine changes no result', async () => {
  const { createWorker } = faulty(index => (index === 2 ? { kind: 'never ready' } : undefined));
  const killing: StartWorker = start => {
    const handle = createWorker(start);
    if (start.index === 1) void handle.ready.then(() => handle.terminate());
    return handle;
  };
  await withFaults({ threads: 4, createWorker: killing }, engine => {
    // Worker 1 is replaced if the engine had sent it a job before it died. Workers that are never ready are
    // not replaced.
    const { threadCount } = poolOf(engine);
    assert.ok(threadCount === 2 || threadCount === 3, `${threadCount} threads`);
    checkFrames(engine, 0);
  });
});

test.slow('workers that never become ready are reported in notes and not used', async () => {
  const kinds = ['never ready', 'ends at once', 'spins at once'] as const;
  const { createWorker, endedCount } = faulty(index => ({ kind: kinds[index - 2] ?? 'none' }));
  await withFaults({ threads: 5, createWorker }, async engine => {
    assert.is(engine.info.threads, 2);
    assert.ok(
      engine.info.notes.some(
        ({ code, message, fix }) => code === 'fewer-threads' && /2 of 5/.test(message) && fix.length > 10,
      ),
    );
    checkFrames(engine, 0);
    await until('the ends of the other three', () => endedCount() === 3);
  });
});

for (const [name, fail] of [
  [
    'throws',
    () => {
      throw new Error('no end');
    },
  ],
  ['rejects', () => Promise.reject(new Error('no end'))],
] as const) {
  test(`if terminate() ${name} for a worker that continues to write, results are the same`, async () => {
    const workers = faulty(index =>
      index === 1 ? { kind: 'scribble', when: 'after', order: 1 } : undefined,
    );
    const createWorker: StartWorker = start => ({
      ...workers.createWorker(start),
      terminate: fail as WorkerHandle['terminate'],
    });
    await withFaults({ threads: 3, createWorker }, async engine => {
      await checkUntil(engine, workers, 1);
      for (let iteration = 0; iteration < 5; iteration++) checkFrames(engine, 1);
    });
    for (const handle of workers.handles) await handle.terminate();
  });
}

test('if no worker starts, createEngine fails with WorkerLoad in bounded time', async () => {
  const startedAt = performance.now();
  const error = await caughtLater(() =>
    createEngine({ threads: 3, createWorker: faulty(() => ({ kind: 'never ready' })).createWorker }),
  );
  assert.instance(error, WorkerLoad);
  assert.ok(performance.now() - startedAt < scaledTimeout(13_000));
  assert.instance(
    await caughtLater(() =>
      createEngine({ threads: 2, createWorker: faulty(() => ({ kind: 'ends at once' })).createWorker }),
    ),
    WorkerLoad,
  );
  assert.instance(
    await caughtLater(() =>
      createEngine({
        threads: 2,
        createWorker: () => {
          throw new Error('no threads here');
        },
      }),
    ),
    WorkerLoad,
  );
});

for (const builder of ['sah', 'morton'] as const) {
  test.slow(`failing workers do not change a tree that is built (${builder}) and refitted`, async () => {
    const data = sphere(40_000);
    const moved = data.positions.map(value => value * 1.25);
    const runQuery = (engine: Engine) => {
      const mesh = engine.createMesh(data, { builder, deformable: true });
      const other = engine.createMesh(path.meshes[0]);
      const first = hashInOrder(engine.query(mesh, other));
      mesh.update(moved);
      const answer = `${first} ${hashInOrder(engine.query(mesh, other))}`;
      mesh.dispose();
      return answer;
    };
    const truth = await withEngine({ threads: 1 }, runQuery);
    for (const order of [1, 2, 3, 4, 6, 9, 14]) {
      for (const [kind, when] of [
        ['exit', 'after'],
        ['spin', 'before'],
      ] as const) {
        await withFaults(
          {
            threads: 3,
            createWorker: faulty(index => (index === 1 ? { kind, when, order } : undefined)).createWorker,
          },
          engine => {
            for (let iteration = 0; iteration < 3; iteration++)
              assert.is(runQuery(engine), truth, `${kind} ${when} job ${order}`);
          },
        );
      }
    }
  });
}

test('disposing ends all threads, including hanging ones', async () => {
  const workers = faulty(index => (index === 1 ? { kind: 'spin', when: 'after', order: 1 } : undefined));
  await withFaults({ threads: 4, createWorker: workers.createWorker }, engine =>
    checkUntil(engine, workers, 1),
  );
  const until = performance.now() + scaledTimeout(3000);
  const { length } = workers.handles;
  while (workers.endedCount() < length && performance.now() < until) await pause(20);
  assert.is(workers.endedCount(), length);
});

test.run();
