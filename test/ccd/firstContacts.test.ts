// Tests queries for the first contact, which descend the trees of both meshes together. The result must equal
// the first of all contacts. Queries for all contacts use another kernel, which uses no tree. A counter shows
// that the trees save work.

import * as assert from 'uvu/assert';
import { createEngine, type Mesh } from '../../dist/index.js';
import { createRandom, type Random, rotation, sphere, torus, translation } from '../../dist/samples/index.js';
import { firstOf, type Indexed, KINDS } from '../support/movingCrowd.js';
import { test } from '../support/test.js';

const engines = await Promise.all([1, 2, 5].map(threads => createEngine({ threads, warmUp: 'off' })));
const [engine] = engines;
test.after(() => engines.forEach(made => made.dispose()));

/** Makes triangles at random or, if `grid` is not 0, with vertices on a grid, so that many are coplanar. */
function soup(random: Random, size: number, grid: number): Indexed {
  const vertices = 3 + random.below(40);
  const snapped = (value: number): number => (grid ? Math.round(value * grid) / grid : value);
  return {
    positions: Float32Array.from({ length: 3 * vertices }, () => size * snapped(random.between(-1, 1))),
    indices: Uint32Array.from({ length: 3 * (1 + random.below(60)) }, () => random.below(vertices)),
  };
}

/** Makes a placement near `origin`: a translation, or a rotation and a translation. */
function placementNear(random: Random, size: number, grid: number, origin: number): Float64Array {
  const reach = [0.5, 1, 2, 8][random.below(4)]!;
  const shift = [0, 1, 2].map(() => {
    const value = random.between(-reach, reach);
    return size * (grid ? Math.round(value * grid) / grid : value);
  });
  shift[0]! += origin;
  return random.below(2) === 0
    ? translation(shift as [number, number, number])
    : rotation(random.direction(), random.between(0, 3), shift as [number, number, number]);
}

const OPTIONS = [
  {},
  { exact: true },
  { minSeparation: 0.01 },
  { minSeparation: 0.3 },
  { tolerance: 0 },
  { tolerance: 0.1 },
  { motion: 'rigid' },
  { motion: 'rigid', minSeparation: 0.05 },
] as const;

for (const options of OPTIONS)
  test(`the first contact is the first of all contacts: ${JSON.stringify(options)}`, () => {
    let contacts = 0;
    for (let seed = 1; seed <= 400; seed++) {
      const random = createRandom(seed);
      const grid = [0, 0, 2, 16][random.below(4)]!;
      const size = [1, 1, 1e-3, 1e6][random.below(4)]!;
      const origin = size * [0, 0, 100, 1e7][random.below(4)]!;
      const scaled = {
        ...options,
        ...('minSeparation' in options && { minSeparation: size * options.minSeparation }),
        ...('tolerance' in options && { tolerance: size * options.tolerance }),
      };
      const meshes = [0, 1].map(() => engine.createMesh(soup(random, size, grid)));
      const [a, b] = meshes;
      const place = (): Float64Array => placementNear(random, size, grid, origin);
      const query = { fromA: place(), toA: place(), fromB: place(), toB: place(), ...scaled };
      const expected = firstOf(engine.sweep(a!, b!, { ...query, want: 'all' }));
      assert.equal(engine.sweep(a!, b!, query), expected, `seed ${seed}`);
      if (expected) contacts++;
      for (const mesh of meshes) mesh.dispose();
    }
    assert.ok(contacts > 40, `${contacts} contacts`);
  });

test('the first contact of larger meshes is the first of all contacts, on all thread counts', () => {
  for (const made of engines)
    for (let seed = 1; seed <= 12; seed++) {
      const random = createRandom(seed);
      const a = made.createMesh(torus(1000));
      const b = made.createMesh(seed % 2 ? torus(1000) : sphere(600));
      const start = random.direction().map(x => 4 * x) as [number, number, number];
      const end = [0, 1, 2].map(() => random.between(-1, 1)) as [number, number, number];
      const axis = random.direction();
      const query = { fromB: rotation(axis, 0, start), toB: rotation(axis, 1, end) };
      for (const how of [{}, { motion: 'rigid' }, { exact: true }] as const)
        assert.equal(
          made.sweep(a, b, { ...query, ...how }),
          firstOf(made.sweep(a, b, { ...query, ...how, want: 'all' })),
          `seed ${seed}, ${JSON.stringify(how)}`,
        );
      for (const mesh of [a, b]) mesh.dispose();
    }
});

test('meshes that intersect at the start have their first pair of intersecting triangles as the first contact', () => {
  const a = engine.createMesh(torus(1000));
  const b = engine.createMesh(torus(1000));
  for (const how of [{}, { motion: 'rigid' }, { exact: true }] as const) {
    const query = { fromB: translation([0.3, 0.2, 0.1]), toB: translation([0.4, 0.2, 0.1]), ...how };
    const first = engine.sweep(a, b, query);
    assert.is(first?.kind, 'start');
    assert.equal(first, firstOf(engine.sweep(a, b, { ...query, want: 'all' })));
  }
  for (const mesh of [a, b]) mesh.dispose();
});

test('if all features are within the separation at the start, few pairs are tested', () => {
  const scene = engine.createScene();
  const mesh = engine.createMesh(torus(720));
  for (const x of [0, 4]) scene.add(mesh, { transform: translation([x, 0, 0]) });
  const { count, stats, toi, triangleA, triangleB } = scene.detect({ continuous: true, minSeparation: 20 });
  assert.equal([count, toi[0], triangleA[0], triangleB[0]], [1, 0, 0, 0]);
  // There are more than a million pairs.
  console.log(`\ncounted: ${stats.featurePairs} pairs of features`);
  assert.ok(stats.featurePairs < 100_000);
  scene.dispose();
  mesh.dispose();
});

test('the first contact is the first of all if the distance exceeds the separation by 0 to 3 rounding errors', () => {
  const makeMesh = (x: number, z: number): Mesh =>
    engine.createMesh({ positions: Float32Array.of(0, 0, 0, x, x, z, x, x - Math.sign(x), z) });
  const [a, b] = [makeMesh(-124.375, -1000), makeMesh(124.375, 998)];
  let contacts = 0;
  for (let k = 0; k < 3; k += 0.05) {
    const gap = 1 + k * 1000 * 2 ** -48;
    const query = {
      fromA: translation([-870, -870, 0]),
      toA: translation([870, 870, 0]),
      fromB: translation([870, 870, gap]),
      toB: translation([-870, -870, gap]),
      minSeparation: 1,
    };
    const first = engine.sweep(a, b, query);
    assert.equal(first, firstOf(engine.sweep(a, b, { ...query, want: 'all' })), `${k}`);
    if (first) contacts++;
  }
  assert.ok(contacts > 10 && contacts < 60);
  for (const mesh of [a, b]) mesh.dispose();
});

test('the list of first contacts grows if it is too short, with and without rotation of the bodies', () => {
  const scene = engine.createScene();
  const mesh = engine.createMesh(torus(100));
  const count = 1100;
  const places = Array.from({ length: 2 * count }, (_, i) => [10 * (i >> 1), i % 2 ? 3.5 : 0, 0] as const);
  for (const _ of places) scene.add(mesh);
  const matrices = (of: (i: number) => Float64Array): Float64Array =>
    Float64Array.from(places.flatMap((_, i) => [...of(i)]));
  const from = matrices(i => translation([...places[i]!]));
  for (const motion of ['rigid', 'linear'] as const) {
    const to = matrices(i =>
      rotation([0, 0, 1], motion === 'rigid' ? 0.3 : 0, [places[i]![0], i % 2 ? 1.5 : 0, 0]),
    );
    scene.setTransforms(to, { from });
    const swept = scene.detect({ continuous: true, motion });
    assert.is(swept.count, count);
    const [i, k] = [0, 2 * count - 2].map(at => 16 * at) as [number, number];
    for (const [at, contact] of [
      [i, 0],
      [k, count - 1],
    ] as const) {
      const { toi, kind } = engine.sweep(mesh, mesh, {
        fromA: from.slice(at, at + 16),
        toA: to.slice(at, at + 16),
        fromB: from.slice(at + 16, at + 32),
        toB: to.slice(at + 16, at + 32),
        motion,
      })!;
      assert.equal([swept.toi[contact], KINDS[swept.kind[contact]!]], [toi, kind]);
    }
    // Once the list is full, the earliest contact of a pair of bodies must still limit the search for this
    // pair. Without this limit, far more pairs of features would be tested.
    console.log(`\ncounted: ${swept.stats.featurePairs} pairs of features in ${motion} motion`);
    assert.ok(swept.stats.featurePairs < 400 * count);
  }
  scene.dispose();
  mesh.dispose();
});

test('a mesh without triangles has no contact', () => {
  const empty = engine.createMesh({ positions: new Float32Array(0), indices: new Uint32Array(0) });
  const full = engine.createMesh(torus(100));
  for (const motion of ['linear', 'rigid'] as const)
    for (const [a, b] of [
      [empty, full],
      [full, empty],
      [empty, empty],
    ] as const)
      assert.is(engine.sweep(a, b, { toB: translation([1, 0, 0]), motion }), undefined);
  for (const mesh of [empty, full]) mesh.dispose();
});

test('for the first contact of two meshes of 20,000 triangles, few pairs of features are tested', () => {
  const scene = engine.createScene();
  const mesh = engine.createMesh(torus(20_000));
  scene.add(mesh);
  scene.add(mesh);
  const sweep = (
    end: Float64Array,
    options: { motion?: 'rigid'; minSeparation?: number } = {},
  ): { count: number; featurePairs: number } => {
    const matrices = (...of: Float64Array[]): Float64Array => Float64Array.from(of.flatMap(m => [...m]));
    const still = translation([0, 0, 0]);
    scene.setTransforms(matrices(still, end), { from: matrices(still, translation([4, 0.3, 0.2])) });
    const { count, stats } = scene.detect({ continuous: true, ...options });
    return { count, featurePairs: stats.featurePairs };
  };
  const hit = sweep(translation([0, 0, 0.1]));
  const miss = sweep(translation([1.5, 3.2, 0.1]));
  console.log(`\ncounted: ${hit.featurePairs} pairs of features for a hit, ${miss.featurePairs} for a miss`);
  assert.equal([hit.count, miss.count], [1, 0]);
  // Bodies that do not rotate are swept like those in linear motion.
  assert.equal(sweep(translation([0, 0, 0.1]), { motion: 'rigid' }), hit);
  assert.ok(hit.featurePairs < 5000 && miss.featurePairs < 5000);
  scene.dispose();
  mesh.dispose();
});

test.run();
