// Runs queries of published triangle pairs, meshes, parts, boxes and moving features on the GPU of a page,
// and compares their results with the published values, or with those of the CPU. Whole scenes are compared
// in gpuTruth.proof.ts.

import * as assert from 'uvu/assert';
import { createEngine } from '../../dist/index.js';
import { checkFilm, films } from '../support/gpuMeshes.js';
import { checkPublishedQueries, dropCountsText } from '../support/gpuSweep.js';
import { checkBunny, checkPartBoxes, checkSomeParts, checkTriangles } from '../support/gpuTruth.js';
import { test } from '../support/test.js';
import { makeTestContext } from '../support/testContext.js';
import { readDuplex, readEngine, readTriangleRows } from '../support/truth.js';
import { remoteTest } from './remoteGpu.js';

const engine = await createEngine({ threads: 2, warmUp: 'off' });
const backend = await makeTestContext(1);
test.after(() => engine.dispose());
test.after(() => backend.close());

remoteTest('every fifth pair of triangles has a correct result', async gpu => {
  await checkTriangles(
    readTriangleRows().filter((_, i) => i % 5 === 0),
    gpu.testTriangles,
  );
});
remoteTest('a bunny and its first placement have the published pairs', gpu =>
  checkBunny(engine, gpu.queries, 1),
);
remoteTest('an engine of 67 parts: pairs of every ninth part with later parts are correct', async gpu => {
  assert.ok((await checkSomeParts(engine, gpu.queries, readEngine(), a => a % 9 === 0)) > 1000);
});
remoteTest('boxes of the triangles of a building have the published pairs', gpu =>
  checkPartBoxes(gpu.findBoxes, readDuplex()),
);
remoteTest('moving features give the same bytes as on the CPU', async gpu => {
  console.log(dropCountsText('published queries', await checkPublishedQueries(gpu.features, backend)));
});
remoteTest('a part of the cloth has the same contacts as on the CPU', gpu =>
  checkFilm(gpu.moving, engine, films[0], 0.01),
);

test.run();
