// Compares queries of nasty meshes (random meshes with every kind of defect) with an oracle that tests every
// pair of triangles.

import * as assert from 'uvu/assert';
import type { Engine } from '../../dist/index.js';
import { type Random, translation } from '../../dist/samples/index.js';
import { trianglePairs } from '../oracle/bruteForce.js';
import { pairsOf } from '../support/engines.js';
import { selfPairs } from '../support/selfMeshes.js';
import { type NastyMesh, nastyMesh, sizeOf } from './nastyMeshes.js';

export interface Counts {
  meshes: number;
  triangles: number;
  pairs: number;
  selfPairs: number;
}

/** Queries each mesh against the previous mesh and against itself. @returns how much was compared */
export function checkNastyMeshes(engine: Engine, random: Random, meshes: number): Counts {
  const counts: Counts = { meshes, triangles: 0, pairs: 0, selfPairs: 0 };
  let previous: NastyMesh = nastyMesh(random);
  let other = engine.createMesh(previous);
  for (let i = 0; i < meshes; i++) {
    const data = nastyMesh(random);
    const what = `mesh ${i}: ${data.recipe}; ${previous.recipe}`;
    const mesh = engine.createMesh(data);
    counts.triangles += data.indices.length / 3;
    const shift = sizeOf(data) * random.between(-0.5, 0.5);
    const transformB = random.below(2) === 0 ? undefined : translation([shift, 0, 0]);
    const pairs = pairsOf(engine.query(mesh, other, { transformB }));
    assert.equal(pairs, trianglePairs(data, undefined, previous, transformB), what);
    const own = pairsOf(engine.selfQuery(mesh, { neighbors: 'position' }));
    assert.equal(own, selfPairs(data, 'position'), what);
    counts.pairs += pairs.length;
    counts.selfPairs += own.length;
    other.dispose();
    [previous, other] = [data, mesh];
  }
  other.dispose();
  return counts;
}
