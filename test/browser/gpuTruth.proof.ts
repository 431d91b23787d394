// Runs queries of whole published scenes on the GPU of a page, and compares their results with the published
// numbers and hashes, or with the results of the CPU.

import { createEngine } from '../../dist/index.js';
import { checkFilm, films } from '../support/gpuMeshes.js';
import { checkPublishedQueries } from '../support/gpuSweep.js';
import {
  checkAllParts,
  checkBunny,
  checkBunnyBoxes,
  checkFrame,
  checkPartBoxes,
  checkTriangles,
  frames,
} from '../support/gpuTruth.js';
import { sweptFilms, sweptTruth } from '../support/sweptTruth.js';
import { test } from '../support/test.js';
import { makeTestContext } from '../support/testContext.js';
import { readDuplex, readEngine, readTriangleRows } from '../support/truth.js';
import { remoteTest } from './remoteGpu.js';

const engine = await createEngine({ threads: 2, warmUp: 'off' });
const backend = await makeTestContext(1);
test.after(() => engine.dispose());
test.after(() => backend.close());

remoteTest('20,000 pairs of triangles have correct results', async gpu => {
  await checkTriangles(readTriangleRows(), gpu.testTriangles);
});
remoteTest('moving features, with separations, give the same bytes as on the CPU', async gpu => {
  await checkPublishedQueries(gpu.features, backend, [1e-2, 1e-4, 1e-8]);
});
remoteTest('a two-cylinder engine of 67 parts, in one call, has the published pairs', gpu =>
  checkAllParts(engine, gpu.queries, readEngine()),
);
remoteTest('a building of 215 parts, in one call, has the published pairs', gpu =>
  checkAllParts(engine, gpu.queries, readDuplex()),
);
remoteTest('24 placements of a bunny against itself have the published pairs', gpu =>
  checkBunny(engine, gpu.queries, 24),
);
remoteTest('boxes of the triangles of two bunnies have the published pairs', gpu =>
  checkBunnyBoxes(gpu.findBoxes),
);
remoteTest(
  'boxes of the triangles of a two-cylinder engine, and of a building, have the published pairs',
  async gpu => {
    for (const truth of [readEngine(), readDuplex()]) await checkPartBoxes(gpu.findBoxes, truth);
  },
);
for (const film of sweptFilms)
  remoteTest(`${film.folder}: swept edges, and vertices against faces, have the published pairs`, gpu =>
    sweptTruth(film)(gpu.findBoxes),
  );
for (const [name, known] of Object.entries(frames))
  remoteTest(`${name} with itself has the published pairs`, gpu =>
    checkFrame(engine, gpu.queries, name, known),
  );
for (const film of films)
  remoteTest(`${film[0]}: contacts of the motion are the same as on the CPU`, gpu =>
    checkFilm(gpu.moving, engine, film),
  );

test.run();
