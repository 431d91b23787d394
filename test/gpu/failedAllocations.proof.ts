// Tests that any allocation of a GPU buffer may fail. For each group of queries, each allocation fails once.
// The results must stay the same. If the GPU is then not used any more, a note must report the failure.

import * as assert from 'uvu/assert';
import { gpuTest } from '../support/gpu.js';
import { test } from '../support/test.js';
import { countAllocations, failAt } from './failedAllocations.js';
import { known, queryGroups } from './gpuLoss.js';

test.after(() => known.dispose());

for (const [name, expect] of queryGroups) {
  gpuTest(`${name}: if any allocation of a buffer fails, the results are the same`, async () => {
    const all = await countAllocations(expect);
    let used = 0;
    for (let place = 0; place < all; place++) used += Number(await failAt(place, expect));
    assert.ok(used < all);
    console.log(`counted: ${name}: ${all} allocations, each failed once; the GPU was used after ${used}`);
  });
}

test.run();
