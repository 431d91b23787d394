// Tests unusual ways to start an engine: by a caller that is busy, with threads that the user creates, and
// with kernels from the user's URL. Results are the same, and notes say what was unavailable.

import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import * as assert from 'uvu/assert';
import type { Engine } from '../../dist/index.js';
import type { StartWorker, WorkerStart } from '../../dist/runtime/transport.js';
import { sphere, torus } from '../../dist/samples/index.js';
import { hashInOrder, poolOf, withEngine } from '../support/engines.js';
import { faulty } from '../support/faultyWorkers.js';
import { test } from '../support/test.js';
import { sleep } from '../support/within.js';

const runQuery = (engine: Engine): string => {
  const [a, b] = [engine.createMesh(torus(3000)), engine.createMesh(sphere(3000))];
  return hashInOrder(engine.query(a, b, { parts: poolOf(engine).threadCount }));
};
const expected = await withEngine({ threads: 1, warmUp: 'off' }, runQuery);

test.slow('a caller that is busy while its workers start notices them afterwards', async () => {
  const { createWorker } = faulty(() => undefined);
  let isBusy = false;
  const delaying: StartWorker = start => {
    if (!isBusy)
      setImmediate(() => {
        for (const until = performance.now() + 12_600; performance.now() < until; );
      });
    isBusy = true;
    return createWorker(start);
  };
  await withEngine({ threads: 3, createWorker: delaying, warmUp: 'off' }, engine => {
    assert.equal([engine.info.threads, engine.info.notes], [3, []]);
    assert.is(runQuery(engine), expected);
  });
});

test.slow('workers that start slowly, as on a busy machine, are used', async () => {
  const { createWorker } = faulty(() => undefined);
  const slow: StartWorker = start => {
    const handle = createWorker(start);
    return { ...handle, ready: handle.ready.then(() => sleep(8000)) };
  };
  await withEngine({ threads: 3, createWorker: slow, warmUp: 'off' }, engine => {
    assert.equal([engine.info.threads, engine.info.notes], [3, []]);
    assert.is(runQuery(engine), expected);
  });
});

test('createWorker may return a worker thread of Node', async () => {
  const createWorker = (start: WorkerStart) =>
    new Worker(new URL('../../dist/runtime/worker.js', import.meta.url), { workerData: start });
  await withEngine({ threads: 3, createWorker }, engine => {
    assert.equal([engine.info.threads, engine.info.notes], [3, []]);
    assert.is(runQuery(engine), expected);
  });
});

const bytesAt = (type: string, bytes: Uint8Array): string =>
  `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;
const kernels = readFileSync(new URL('../../dist/wasm/pfront.wasm', import.meta.url));

test('if the kernels at wasmUrl cannot be loaded or are not those of pfront, the inlined kernels are used; a wrong content type does not matter', async () => {
  const empty = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
  for (const memory of ['shared', 'single'] as const) {
    for (const wasmUrl of [
      'data:text/plain,hello',
      bytesAt('application/wasm', empty),
      'http://127.0.0.1:1/pfront.wasm',
    ]) {
      await withEngine({ threads: 1, memory, wasmUrl, warmUp: 'off' }, engine => {
        assert.equal(
          engine.info.notes.map(({ code }) => code),
          ['inlined-kernels'],
          wasmUrl,
        );
        assert.is(runQuery(engine), expected);
      });
    }
    await withEngine(
      { threads: 1, memory, wasmUrl: bytesAt('application/octet-stream', kernels), warmUp: 'off' },
      engine => {
        assert.equal(engine.info.notes, []);
        assert.is(runQuery(engine), expected);
      },
    );
  }
});

test.run();
