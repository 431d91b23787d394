// Runs queries of a published mesh and of published moving features on the GPU of a page, and compares their
// results with the published values, or with the results of the CPU. Other published scenes are compared in
// gpuTruth.proof.ts.

import { createEngine } from '../../dist/index.js';
import { checkPublishedQueries, dropCountsText } from '../support/gpuSweep.js';
import { checkBunny } from '../support/gpuTruth.js';
import { test } from '../support/test.js';
import { makeTestContext } from '../support/testContext.js';
import { remoteTest } from './remoteGpu.js';

const engine = await createEngine({ threads: 2, warmUp: 'off' });
const backend = await makeTestContext(1);
test.after(() => engine.dispose());
test.after(() => backend.close());

remoteTest('a bunny and its copy in the first placement have the published pairs', gpu =>
  checkBunny(engine, gpu.queries, 1),
);
remoteTest('moving features give the same bytes as on the CPU', async gpu => {
  console.log(dropCountsText('published queries', await checkPublishedQueries(gpu.features, backend)));
});

test.run();
