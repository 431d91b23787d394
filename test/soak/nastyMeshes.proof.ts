// Queries 10,000 meshes of the grammar of nasty meshes against each other, and compares all results with the
// oracle.

import { createRandom } from '../../dist/samples/index.js';
import { withEngine } from '../support/engines.js';
import { test } from '../support/test.js';
import { checkNastyMeshes } from './checkNastyMeshes.js';

const PARTS = 10;
const MESHES = 1000;

for (let part = 0; part < PARTS; part++)
  test(`meshes ${part * MESHES} to ${(part + 1) * MESHES}`, () =>
    withEngine({ threads: 2 }, engine => {
      const counts = checkNastyMeshes(engine, createRandom(2000 + part), MESHES);
      console.log(`counted: part ${part}: ${JSON.stringify(counts)}`);
    }));

test.run();
