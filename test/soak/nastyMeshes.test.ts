// Compares queries of 100 nasty meshes (random meshes with every kind of defect) with an oracle that tests
// every pair of triangles. nastyMeshes.proof.ts compares 10,000.

import * as assert from 'uvu/assert';
import { createRandom } from '../../dist/samples/index.js';
import { withEngine } from '../support/engines.js';
import { test } from '../support/test.js';
import { checkNastyMeshes } from './checkNastyMeshes.js';
import { baseNames, nastyMesh, ruleNames } from './nastyMeshes.js';

test('queries of nasty meshes give the pairs of the oracle', () =>
  withEngine({ threads: 2 }, engine => {
    const counts = checkNastyMeshes(engine, createRandom(1), 100);
    assert.ok(counts.pairs > 1000 && counts.selfPairs > 1000, JSON.stringify(counts));
  }));

test('nasty meshes use every base and every rule, and have finite coordinates and valid indices', () => {
  const random = createRandom(2);
  const words = new Set<string>();
  for (let i = 0; i < 1000; i++) {
    const { positions, indices, recipe } = nastyMesh(random);
    for (const word of recipe.split(' ')) words.add(word);
    assert.ok(positions.every(Number.isFinite), recipe);
    assert.ok(
      indices.every(vertex => 3 * vertex < positions.length),
      recipe,
    );
  }
  assert.equal([...words].sort(), [...new Set([...baseNames, ...ruleNames])].sort());
});

test.run();
