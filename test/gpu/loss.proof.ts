// A device that is lost -> at every single wait: the CPU answers, a note tells it, nothing is left waiting.

import { test } from 'uvu';
import { gpuTest } from '../support/gpu.js';
import { countWaits, expectAll, known, loseAt } from '../support/gpuLoss.js';

test.after(() => known.dispose());

gpuTest('a device that is lost at every wait', async () => {
  const all = await countWaits(expectAll);
  for (let place = 0; place < all; place++) await loseAt(place, expectAll);
  console.log(`counted: ${all} waits, a device lost at each`);
});

test.run();
