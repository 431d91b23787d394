// Tests that the CPU answers a query for which a GPU has no memory, that the GPU answers later queries, and
// that a GPU without memory for several queries in a row is not used any more.

import * as assert from 'uvu/assert';
import type { Engine } from '../../dist/index.js';
import { gpuTest } from '../support/gpu.js';
import { test } from '../support/test.js';
import { withFailedAllocations } from './failedAllocations.js';
import { known, withAsync } from './gpuLoss.js';

test.after(() => known.dispose());

const pointsOf = (count: number): Float64Array =>
  Float64Array.from({ length: 24 * count }, (_, i) => Math.round(4 * Math.sin(i * i)));
const few = pointsOf(10);
const many = pointsOf(3000);
const times = known.contactTimes('EE', many);

/** Runs a query whose buffers must be longer than those of `few`, and checks its result. */
async function query(engine: Engine): Promise<{ backend: string; reason: string }> {
  const found = await engine.async.contactTimes('EE', many);
  assert.equal(found, times);
  return found.stats;
}

/** Runs a query without memory for buffers, and checks that the CPU answers it for this reason. */
async function queryWithoutMemory(engine: Engine): Promise<void> {
  const allocations = await withFailedAllocations(
    () => true,
    async () => {
      const { backend, reason } = await query(engine);
      assert.is(backend, 'wasm');
      assert.match(reason, /^the GPU is out of memory: /);
    },
  );
  assert.ok(allocations > 0);
}

const notesOf = (engine: Engine) => engine.info.notes.filter(({ code }) => /gpu/.test(code));

gpuTest('if memory is missing for a query, the CPU answers it, and the GPU answers the next one', () =>
  withAsync({ backend: 'webgpu' }, async engine => {
    // The first failure is in the self-test, the other two are in queries. The query between them shows that
    // only failures in a row are counted.
    await queryWithoutMemory(engine);
    assert.is((await engine.async.contactTimes('EE', few)).stats.backend, 'gpu');
    await queryWithoutMemory(engine);
    await queryWithoutMemory(engine);
    assert.is((await query(engine)).backend, 'gpu');
    assert.equal(notesOf(engine), []);
  }),
);

gpuTest('after three queries in a row without memory, the GPU is not used any more, and a note says so', () =>
  withAsync({ backend: 'webgpu' }, async engine => {
    assert.is((await engine.async.contactTimes('EE', few)).stats.backend, 'gpu');
    for (let i = 0; i < 3; i++) {
      assert.is.not(engine.info.gpu, undefined);
      await queryWithoutMemory(engine);
    }
    assert.is(engine.info.gpu, undefined);
    const [{ code, message, fix }, ...others] = notesOf(engine);
    assert.equal([code, others], ['gpu-out-of-memory', []]);
    assert.match(message, /out of memory: no memory for a buffer/);
    assert.match(fix, /close other pages/);
    assert.is((await query(engine)).backend, 'wasm');
  }),
);

test.run();
