// Tests box pairs on a GPU: the hashes of the pairs of published scenes must equal the published hashes.

import { GpuBoxPairs } from '../../dist/gpu/broadphase/gpuBoxPairs.js';
import { gpuDataTest, withGpu } from '../support/gpu.js';
import { checkBunnyBoxes, checkPartBoxes } from '../support/gpuTruth.js';
import { sweptFilms, sweptTruth } from '../support/sweptTruth.js';
import { test } from '../support/test.js';
import { makeTestContext } from '../support/testContext.js';
import { readDuplex, readEngine } from '../support/truth.js';

const backend = await makeTestContext(1);

const withPairs = (use: (pairs: GpuBoxPairs) => Promise<void>): Promise<void> =>
  withGpu(async gpu => {
    const pairs = new GpuBoxPairs(gpu, backend);
    await use(pairs);
    pairs.dispose();
  });

for (const film of sweptFilms) {
  gpuDataTest(`${film.folder}: swept edges, and vertices against faces, have the published pairs`, () =>
    withPairs(pairs => sweptTruth(film)((boxes, options) => pairs.find(boxes, options))),
  );
}
gpuDataTest(
  'boxes of the triangles of a two-cylinder engine, and of a building, have the published pairs',
  () =>
    withPairs(async pairs => {
      for (const truth of [readEngine(), readDuplex()])
        await checkPartBoxes((...args) => pairs.find(...args), truth);
    }),
);
gpuDataTest('boxes of the triangles of two bunnies have the published pairs', () =>
  withPairs(pairs => checkBunnyBoxes((...args) => pairs.find(...args))),
);

test.run();
