// Makes 10,000 nasty meshes (random meshes with every kind of defect), queries each against the previous mesh
// and against itself, and compares all results with an oracle that tests every pair of triangles.

import { createRandom } from '../../dist/samples/index.js';
import { withEngine } from '../support/engines.js';
import { test } from '../support/test.js';
import { checkNastyMeshes } from './checkNastyMeshes.js';

const PARTS = 10;
const MESHES = 1000;

for (let part = 0; part < PARTS; part++)
  test(`queries of meshes ${part * MESHES} to ${(part + 1) * MESHES - 1} give the pairs of the oracle`, () =>
    withEngine({ threads: 2 }, engine => {
      const counts = checkNastyMeshes(engine, createRandom(2000 + part), MESHES);
      console.log(`counted: part ${part}: ${JSON.stringify(counts)}`);
    }));

test.run();
