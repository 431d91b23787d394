// Tests that any allocation of a GPU buffer may fail. For each group of queries, each allocation fails once.
// The results must stay the same, and the GPU must answer later queries.

import * as assert from 'uvu/assert';
import { gpuTest } from '../support/gpu.js';
import { test } from '../support/test.js';
import { withFailedAllocations } from './failedAllocations.js';
import { type expectTruth, known, queryGroups, withAsync } from './gpuLoss.js';

test.after(() => known.dispose());

type Queries = typeof expectTruth;

/** Returns the number of allocations of an engine that runs the queries of `expect`. */
const countAllocations = (expect: Queries): Promise<number> =>
  withFailedAllocations(
    () => false,
    () =>
      withAsync({ backend: 'webgpu' }, async engine => {
        await expect(engine);
      }),
  );

/**
 * Makes the allocation with the number `place` fail. Checks the results of all queries, and that the GPU
 * answers all of them afterwards.
 */
const failAt = (place: number, expect: Queries): Promise<void> =>
  withAsync({ backend: 'webgpu' }, async engine => {
    await withFailedAllocations(
      number => number === place,
      async () => {
        const backends = await expect(engine);
        assert.ok(backends.filter(backend => backend === 'wasm').length <= 1, `allocation ${place}`);
      },
    );
    const backends = await expect(engine);
    assert.ok(
      backends.every(backend => backend === 'gpu'),
      `allocation ${place}: ${backends.join()}`,
    );
    // On a busy machine, another note may say that a worker was replaced.
    assert.equal(
      engine.info.notes.map(({ code }) => code).filter(code => /gpu/.test(code)),
      [],
      `allocation ${place}`,
    );
  });

for (const [name, expect] of queryGroups) {
  gpuTest(
    `${name}: if any allocation of a buffer fails, the results are the same, and the GPU is used again`,
    async () => {
      const all = await countAllocations(expect);
      assert.ok(all > 5, `${all} allocations`);
      for (let place = 0; place < all; place++) await failAt(place, expect);
      console.log(`counted: ${name}: ${all} allocations, each failed once`);
    },
  );
}

test.run();
