// Tests any-hit queries (want: 'any'). They must return whether any triangles intersect, for any number of
// threads, and even if the search finds the first hit late.

import * as assert from 'uvu/assert';
import { createEngine, type PlacedPair } from '../../dist/index.js';
import {
  createRandom,
  lattice,
  type MeshData,
  rotation,
  skewed,
  slivers,
  soup,
  sphere,
  torus,
  translation,
  wormGear,
} from '../../dist/samples/index.js';
import { dataTest } from '../support/data.js';
import { withEngine } from '../support/engines.js';
import { test } from '../support/test.js';
import { readMeshPairs } from '../support/truth.js';

const engine = await createEngine({ threads: 4 });
test.after(() => engine.dispose());

const meshes: Record<string, MeshData> = {
  soup: soup(500, 1),
  lattice: lattice(500, 2),
  slivers: slivers(800, 3),
  skewed: skewed(600, 4),
  sphere: sphere(600),
  torus: torus(600),
};

for (const [name, data] of Object.entries(meshes)) {
  test(`the result of want: 'any' equals count > 0: ${name}`, () => {
    const [a, b] = [engine.createMesh(data), engine.createMesh(meshes['torus'])];
    const random = createRandom(7);
    const seen = new Set<boolean>();
    for (let iteration = 0; iteration < 60; iteration++) {
      const [x, y, z] = random.direction();
      const reach = random.between(0, 3.2);
      const transformB = rotation(random.direction(), random.between(0, 7), [
        x * reach,
        y * reach,
        z * reach,
      ]);
      const expected = engine.query(a, b, { transformB }).count > 0;
      seen.add(expected);
      for (const parts of [undefined, 1, 3, 16])
        assert.is(
          engine.query(a, b, { transformB, want: 'any', parts }),
          expected,
          `round ${iteration}, parts ${parts}`,
        );
      assert.is(engine.query(b, a, { transformA: transformB, want: 'any' }), expected);
    }
    assert.is(seen.size, 2);
    a.dispose();
    b.dispose();
  });
}

// Makes two spheres, one just inside the other: thousands of pairs of boxes overlap, but no triangles
// intersect.
const shells = (gap: number): [MeshData, MeshData] => {
  const outer = sphere(20_000);
  return [outer, { positions: outer.positions.map(value => value * (1 - gap)), indices: outer.indices }];
};

test('a query without a hit returns false, even if it exceeds the budget of the search on one thread', () => {
  const [outer, inner] = shells(2e-3).map(data => engine.createMesh(data));
  for (let iteration = 0; iteration < 3; iteration++) {
    assert.is(engine.query(outer!, inner!, { want: 'any' }), false);
    assert.is(engine.query(outer!, inner!).count, 0);
  }
});

// Except for rounding, the boxes around all teeth overlap by the same amount. If rounding decided which pair
// of boxes is searched next, the search would jump from tooth to tooth and need twenty times as many tests.
test('hits between gears are found with fewer than 10,000 box tests in 20 frames', () =>
  withEngine({ threads: 1 }, singleThreaded => {
    const { parts, meshes, frame } = wormGear({ triangles: 64_000 });
    const scene = singleThreaded.createScene();
    const made = meshes.map(mesh => singleThreaded.createMesh(mesh));
    for (const { mesh } of parts) scene.add(made[mesh]);
    let hits = 0;
    let boxTests = 0;
    for (let t = 0; t < 20; t++) {
      scene.setTransforms(Float32Array.from(frame(t)));
      const { count, stats } = scene.detect({ narrow: 'any' });
      hits += count;
      for (const { threads } of stats.queries) for (const thread of threads) boxTests += thread.boxTests;
    }
    assert.is(hits, 20);
    assert.ok(boxTests > 0 && boxTests < 10_000, `${boxTests} box tests`);
  }));

test('one hit among many near misses is found at any position', () => {
  const [outer, inner] = shells(2e-3);
  const a = engine.createMesh(outer);
  for (let vertex = 5; vertex < inner.positions.length / 3; vertex += 1999) {
    const positions = inner.positions.slice();
    for (let axis = 0; axis < 3; axis++) positions[vertex * 3 + axis] *= 1.01;
    const b = engine.createMesh({ positions, indices: inner.indices });
    assert.is(engine.query(a, b, { want: 'any' }), true, `vertex ${vertex}`);
    assert.ok(engine.query(a, b).count > 0);
    b.dispose();
  }
});

test('the result has one value per pair, even if the same pair occurs twice', () => {
  const [a, b] = [engine.createMesh(sphere(300)), engine.createMesh(torus(300))];
  const offsets = [0, 5, 0.5, 0, 9, 2.3, 2.35, 2.36, 5, 0.1];
  const pairs: PlacedPair[] = offsets.map(x => ({ a, b, transformB: translation([x, 0, 0]) }));
  const expected = pairs.map(({ transformB }) => Number(engine.query(a, b, { transformB }).count > 0));
  for (const parts of [1, 2, 7, 32])
    assert.equal([...engine.queryMany({ pairs, want: 'any', parts })], expected);
  assert.equal(new Set(expected).size, 2);
});

test('if memory grows to hold the results, they are correct', async () => {
  await withEngine({ threads: 1, memory: 'single' }, other => {
    const { arena } = (
      other as unknown as {
        context: { arena: { free: { bytes: number }[]; allocate(bytes: number): number } };
      }
    ).context;
    const mesh = other.createMesh({ positions: new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]) });
    const pairs: PlacedPair[] = Array.from({ length: 3000 }, (_, i) => ({
      a: mesh,
      b: mesh,
      transformB: translation([(i % 2) * 5, 0, 0]),
    }));
    // The first query allocates everything except the results of 'any'. The loop then fills every free block
    // that is large enough for these results, so that memory has to grow.
    assert.is(other.queryMany({ pairs }).pairCount, pairs.length);
    while (arena.free.some(({ bytes }) => bytes >= 4 * pairs.length)) arena.allocate(4 * pairs.length);
    assert.equal(
      [...other.queryMany({ pairs, want: 'any' })],
      pairs.map((_, i) => 1 - (i % 2)),
    );
  });
});

dataTest('24 placements of a bunny against itself give the published results', async () => {
  const { mesh, placements } = readMeshPairs();
  for (const threads of [1, 2, 3]) {
    await withEngine({ threads }, other => {
      const bunny = other.createMesh(mesh);
      for (const { transform, pairCount } of placements)
        assert.is(other.query(bunny, bunny, { transformB: transform, want: 'any' }), pairCount > 0);
    });
  }
});

test.run();
