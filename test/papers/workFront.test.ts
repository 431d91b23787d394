// Tests the work front, another traversal of two trees. It runs in rounds: each round replaces all pairs of
// nodes in a list by the pairs of their children. The normal traversal is depth-first, over several lists.
// Both must give the same bytes: with and without spheres, for any number of threads and lists, and with a
// small initial capacity for pairs.

import * as assert from 'uvu/assert';
import type { Engine, Mesh, MeshData, PlacedPair } from '../../dist/index.js';
import { createLaboratory, type Study } from '../../dist/papers/laboratory.js';
import type { Traversal } from '../../dist/papers/workFront.js';
import { limits } from '../../dist/records/layout.js';
import { box, soup, sphere, torus } from '../../dist/samples/index.js';
import { hashInOrder } from '../support/engines.js';
import { emptyMesh, flatPlacements, meshPairs, placements, seeded } from '../support/placedScenes.js';
import { test } from '../support/test.js';

interface Laboratory {
  engine: Engine;
  study: Study;
}

const laboratories: Laboratory[] = [];
for (const threads of [1, 2, 5, 16])
  laboratories.push(await createLaboratory({ threads, warmUp: 'off', initialPairCapacity: 8 }));
test.after(() => {
  for (const { engine } of laboratories) engine.dispose();
});

/** Calls `run` while queries use `traversal` instead of the engine's normal one. */
function inRounds<Result>(
  { study }: Laboratory,
  run: () => Result,
  traversal: Traversal = 'work-front',
): Result {
  study.traversal = traversal;
  try {
    return run();
  } finally {
    study.traversal = 'front';
  }
}

function pairsText(
  { engine }: Laboratory,
  pairs: readonly PlacedPair[],
  parts = engine.info.threads,
): string {
  const found = engine.queryMany({ pairs, parts });
  return `${found.count} ${hashInOrder(found)} ${found.pairsAt.join()}`;
}

const anyOf = (
  { engine }: Laboratory,
  pairs: readonly PlacedPair[],
  parts = engine.info.threads,
): number[] => [...engine.queryMany({ pairs, want: 'any', parts })];

const makers: ((engine: Engine, data: MeshData) => Mesh)[] = [
  (engine, data) => engine.createMesh(data),
  (engine, data) => engine.createMesh(data, { volume: 's-aabb' }),
  (engine, data) => engine.createMesh(data, { volume: 's-aabb', thresholds: [0.9, 3, Infinity] }),
];

test('pairs of large meshes give the same bytes with 1 to 16 threads and lists', () => {
  for (const laboratory of laboratories)
    for (const make of makers) {
      const { engine, study } = laboratory;
      const [a, b] = [make(engine, torus(6000)), make(engine, sphere(5000))];
      for (const parts of [1, engine.info.threads, 7]) {
        for (const name of ['both rigid', 'none', 'apart']) {
          const pairs = [{ a, b, ...placements[name](seeded(3)) }];
          const truth = pairsText(laboratory, pairs);
          assert.is(
            inRounds(laboratory, () => pairsText(laboratory, pairs, parts)),
            truth,
            `${name}, ${engine.info.threads} threads`,
          );
          if (name === 'none')
            assert.ok(
              study.rounds.length <= a.depth + b.depth + 1 && study.rounds.length > 3,
              String(study.rounds.length),
            );
          assert.equal(
            inRounds(laboratory, () => anyOf(laboratory, pairs, parts)),
            [Number(!truth.startsWith('0 '))],
          );
        }
      }
      a.dispose();
      b.dispose();
    }
});

test.slow('many pairs under many placements in one call give the results of the normal traversal', () => {
  for (const laboratory of laboratories)
    for (const make of makers) {
      const data = Object.entries(meshPairs);
      const meshes = data.map(([, pair]) => pair.map(one => make(laboratory.engine, one)) as [Mesh, Mesh]);
      for (const names of [Object.keys(placements), Object.keys(flatPlacements)]) {
        const pairs = meshes.flatMap(([a, b], i) =>
          names
            .filter((_, k) => (i + k) % 3 === 0)
            .map((name): PlacedPair => ({ a, b, ...{ ...placements, ...flatPlacements }[name](seeded(i)) })),
        );
        assert.is(
          inRounds(laboratory, () => pairsText(laboratory, pairs)),
          pairsText(laboratory, pairs),
        );
        assert.equal(
          inRounds(laboratory, () => anyOf(laboratory, pairs)),
          anyOf(laboratory, pairs),
        );
      }
      for (const mesh of meshes.flat()) mesh.dispose();
    }
});

test('without a hierarchy, a single round gives the results of the normal traversal', () => {
  for (const laboratory of laboratories) {
    const { engine, study } = laboratory;
    const [a, b] = [engine.createMesh(torus(700)), engine.createMesh(sphere(500))];
    const pairs = ['both rigid', 'apart', 'both in planes'].map(name => ({
      a,
      b,
      ...{ ...placements, ...flatPlacements }[name](seeded(5)),
    }));
    assert.is(
      inRounds(laboratory, () => pairsText(laboratory, pairs), 'no-hierarchy'),
      pairsText(laboratory, pairs),
    );
    assert.is(study.rounds.length, 1);
  }
});

test('query runs the work front, and an any-hit query ends it early', () => {
  for (const laboratory of laboratories) {
    const { engine, study } = laboratory;
    const [a, b] = [engine.createMesh(torus(6000)), engine.createMesh(sphere(5000), { volume: 's-aabb' })];
    const { transformA, transformB } = placements['both rigid'](seeded(3));
    const query = () => engine.query(a, b, { transformA, transformB });
    const truth = query().copy();
    assert.ok(truth.count > 0);
    assert.equal(inRounds(laboratory, query).copy(), truth);
    const all = study.rounds.reduce((sum, { cost }) => sum + cost, 0);
    assert.is(
      inRounds(laboratory, () => engine.query(a, b, { transformA, transformB, want: 'any' })),
      true,
    );
    assert.ok(study.rounds.reduce((sum, { cost }) => sum + cost, 0) < all);
  }
});

test('the counters of the rounds add up to those of the lists', () => {
  const laboratory = laboratories[1];
  const { engine, study } = laboratory;
  const [a, b] = [engine.createMesh(torus(6000)), engine.createMesh(sphere(5000))];
  const costOf = (parts: number): number => {
    const { threads } = inRounds(laboratory, () => engine.query(a, b, { parts })).stats;
    assert.is(threads.length, parts);
    return threads.reduce(
      (sum, { boxTests, leafPairs }) => sum + boxTests + limits.LEAF_PAIR_COST * leafPairs,
      0,
    );
  };
  const cost = costOf(1);
  assert.ok(cost > 0);
  for (const parts of [1, 2, 4, 8]) {
    assert.is(costOf(parts), cost);
    assert.is(
      study.rounds.reduce((sum, round) => sum + round.cost, 0),
      cost,
    );
    assert.is(study.rounds[0].tasks, 1);
    for (const round of study.rounds)
      assert.ok(round.slices <= parts && round.maxCost <= round.cost && round.cost <= parts * round.maxCost);
  }
});

test('self-queries and queries with a clearance have the same results with both traversals', () => {
  const laboratory = laboratories[1];
  const { engine } = laboratory;
  const [a, b] = [engine.createMesh(torus(600)), engine.createMesh(soup(200, 3))];
  const query = (): unknown[] => [
    engine.query(a, b, { clearance: 0.1 }).copy(),
    engine.selfQuery(b).copy(),
    engine.query(a, b, { clearance: 0.1, want: 'any' }),
  ];
  assert.equal(inRounds(laboratory, query), query());
});

test('meshes without triangles, and an empty list of pairs, have the same results with both traversals', () => {
  const laboratory = laboratories[0];
  const { engine } = laboratory;
  const none = engine.createMesh(emptyMesh);
  const some = engine.createMesh(soup(20, 1), { volume: 's-aabb' });
  const pairs = [
    { a: none, b: some },
    { a: some, b: engine.createMesh(box()) },
    { a: none, b: none },
  ];
  for (const list of [[], pairs]) {
    assert.is(
      inRounds(laboratory, () => pairsText(laboratory, list)),
      pairsText(laboratory, list),
    );
    assert.equal(
      inRounds(laboratory, () => anyOf(laboratory, list)),
      anyOf(laboratory, list),
    );
  }
});

test.run();
