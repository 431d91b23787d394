// Published triangle pairs, meshes, parts, boxes and moving features on the GPU of a page -> what is
// published of them; whole scenes are asked for by the proof.

import * as assert from 'uvu/assert';
import { createEngine } from '../../dist/index.js';
import { makeBackend } from '../support/backend.js';
import { checkFilm, films } from '../support/gpuMeshes.js';
import { checkPublishedQueries, shareText } from '../support/gpuSweep.js';
import { checkBunny, checkPartBoxes, checkSomeParts, checkTriangles } from '../support/gpuTruth.js';
import { test } from '../support/test.js';
import { readDuplex, readEngine, readTriangleRows } from '../support/truth.js';
import { remoteTest } from './remoteGpu.js';

const engine = await createEngine({ threads: 2, warmUp: 'off' });
const backend = await makeBackend(1);
test.after(() => engine.dispose());
test.after(() => backend.close());

remoteTest('pairs of triangles, every fifth', async gpu => {
  await checkTriangles(
    readTriangleRows().filter((_, i) => i % 5 === 0),
    gpu.judge,
  );
});
remoteTest('a bunny and its first placement', gpu => checkBunny(engine, gpu.queries, 1));
remoteTest('an engine of 67 parts: pairs of every ninth one', async gpu => {
  assert.ok((await checkSomeParts(engine, gpu.queries, readEngine(), a => a % 9 === 0)) > 1000);
});
remoteTest('boxes of the triangles of a building', gpu => checkPartBoxes(gpu.findBoxes, readDuplex()));
remoteTest('moving features', async gpu => {
  console.log(shareText('published queries', await checkPublishedQueries(gpu.features, backend)));
});
remoteTest('a part of the cloth', gpu => checkFilm(gpu.moving, engine, films[0], 0.01));

test.run();
