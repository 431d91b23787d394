// Loses a device at every single wait of every kind of query, and tests that the CPU answers, a note reports
// it, and no promise stays pending.

import { gpuTest } from '../support/gpu.js';
import { test } from '../support/test.js';
import { countWaits, expectMotion, expectOthers, expectTruth, known, loseAt } from './gpuLoss.js';

test.after(() => known.dispose());

for (const [name, expect] of [
  ['placed meshes', expectTruth],
  ['boxes, moving features and meshes', expectOthers],
  ['moving bodies', expectMotion],
] as const) {
  gpuTest(`${name}: a device may be lost at every wait`, async () => {
    const all = await countWaits(expect);
    for (let place = 0; place < all; place++) await loseAt(place, expect);
    console.log(`counted: ${name}: ${all} waits, a device lost at each`);
  });
}

test.run();
