// Tests that a GPU device may be lost at any time during a query. A wait is a call of Gpu.wait, which awaits
// a promise of the device. For each group of queries, the test destroys the device once at every wait. The
// CPU must then compute the results, a note must report the loss, and no wait may stay pending.

import { gpuTest } from '../support/gpu.js';
import { test } from '../support/test.js';
import { countWaits, known, loseAt, queryGroups } from './gpuLoss.js';

test.after(() => known.dispose());

for (const [name, expect] of queryGroups) {
  gpuTest(`${name}: if a device is lost at any wait, the CPU computes the results`, async () => {
    const all = await countWaits(expect);
    for (let place = 0; place < all; place++) await loseAt(place, expect);
    console.log(`counted: ${name}: ${all} waits, a device lost at each`);
  });
}

test.run();
