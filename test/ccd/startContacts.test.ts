// Tests contacts of kind 'start', which are pairs of triangles that share a point before they begin to move.
// The expected contacts are found by testing all pairs of triangles in integer arithmetic.

import * as assert from 'uvu/assert';
import {
  createEngine,
  type Mesh,
  type PlacedSweepOptions,
  type SweptBodies,
  type SweptContacts,
  type Transform,
} from '../../dist/index.js';
import { rotation, sphere, translation } from '../../dist/samples/index.js';
import { createRandom, type Random } from '../../dist/samples/random.js';
import { type Pair, trianglePairs } from '../oracle/bruteForce.js';
import { trianglesMeet } from '../oracle/trianglesIntersect.js';
import { type Indexed, placement, rowsOf, soup } from '../support/movingCrowd.js';
import { test } from '../support/test.js';

const engines = await Promise.all([1, 3].map(threads => createEngine({ threads, warmUp: 'off' })));
const [engine] = engines;
test.after(() => engines.forEach(made => made.dispose()));

const START = 3;
const startsOf = (contacts: SweptContacts): string[] =>
  rowsOf(contacts).filter(row => row.startsWith(`${START} `));
const rowOf = ([a, b]: Pair): string => [START, a, b, 0, 0, a, b].join(' ');
const startOf = ([a, b]: Pair) => ({
  toi: 0,
  bound: 0,
  kind: 'start',
  featureA: a,
  featureB: b,
  triangleA: a,
  triangleB: b,
});

/**
 * Makes the placements at both ends of a motion. The placement at the start is near the origin. The placement
 * at the end is the same, but rotated and translated, so that the motion can be rigid.
 */
function motion(random: Random): [Float64Array, Float64Array] {
  const from = placement(random).map((value, i) => (i >= 12 && i < 15 ? value / 4 : value));
  const rotationMatrix = rotation([0.6, 0, 0.8], random.below(2) * random.between(0, 1));
  const to = new Float64Array(16);
  for (let i = 0; i < 4; i++)
    for (let k = 0; k < 4; k++)
      for (let j = 0; j < 4; j++)
        to[4 * k + i] += (i === 3 || j === 3 ? Number(i === j) : rotationMatrix[4 * j + i]) * from[4 * k + j];
  for (let i = 12; i < 15; i++) to[i] += random.below(3) / 2;
  return [from, to];
}

const plate: Indexed = {
  positions: Float32Array.of(-5, -5, 0, 5, -5, 0, 0, 5, 0),
  indices: Uint32Array.of(0, 1, 2),
};
const blade: Indexed = {
  positions: Float32Array.of(0, 0, -1, 0.1, 0, 1, -0.1, 0.1, 1),
  indices: Uint32Array.of(0, 1, 2),
};
const WAYS = [
  {},
  { exact: true },
  { motion: 'rigid' },
  { minSeparation: 1e-3 },
  { motion: 'rigid', minSeparation: 1e-3 },
] as const;

for (const how of WAYS) {
  test(`a triangle that crosses the inside of another is a contact at the start: ${JSON.stringify(how)}`, () => {
    const [a, b] = [engine.createMesh(plate), engine.createMesh(blade)];
    const to = translation([0.01, 0, 0.01]);
    const scene = engine.createScene();
    assert.is(engine.query(a, b, { want: 'any' }), true);
    assert.equal(engine.sweep(a, b, { toB: to, ...how }), startOf([0, 0]));
    assert.equal(startsOf(engine.sweep(a, b, { toB: to, ...how, want: 'all' })), [rowOf([0, 0])]);
    assert.equal(engine.sweep(b, a, { ...how }), startOf([0, 0]), 'at rest');
    scene.add(a);
    scene.setTransform(scene.add(b), to);
    const swept = scene.detect({ continuous: true, ...how });
    assert.equal([swept.count, ...rowsOf(swept)], [1, rowOf([0, 0])]);
    scene.dispose();
    for (const mesh of [a, b]) mesh.dispose();
  });
}

test('if the boxes of two meshes touch on any side, all triangle pairs that share a point are contacts', () => {
  const corner: Indexed = {
    positions: Float32Array.of(
      0,
      0,
      0,
      1,
      0,
      0,
      0,
      1,
      0,
      0,
      0,
      0,
      0,
      1,
      0,
      0,
      0,
      1,
      0,
      0,
      0,
      0,
      0,
      1,
      1,
      0,
      0,
    ),
    indices: Uint32Array.from({ length: 9 }, (_, i) => i),
  };
  const still = translation([0, 0, 0]);
  const a = engine.createMesh(corner);
  const b = engine.createMesh(corner);
  for (const shift of [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
    [-1, 0, 0],
    [0, -1, 0],
    [0, 0, -1],
  ] as const) {
    const fromB = translation([...shift]);
    const pairs = trianglePairs(corner, still, corner, fromB);
    assert.ok(pairs.length > 0);
    const toB = translation(shift.map(value => 2 * value) as [number, number, number]);
    const scene = engine.createScene();
    const ids = [scene.add(a), scene.add(b, { transform: fromB })];
    assert.equal(startsOf(engine.sweep(a, b, { fromB, toB, want: 'all' })), pairs.map(rowOf), String(shift));
    scene.setTransform(ids[1], toB);
    const swept = scene.detect({ continuous: true, want: 'all' });
    assert.equal(
      rowsOf(swept).filter(row => row.startsWith(`${START} `)),
      pairs.map(rowOf),
      `bodies, ${shift}`,
    );
    scene.dispose();
  }
  for (const mesh of [a, b]) mesh.dispose();
});

const SCENES = 30;

test(`${SCENES} pairs of meshes: contacts at the start are the triangle pairs that intersect, for any number of threads`, () => {
  let total = 0;
  let apart = 0;
  for (let seed = 1; seed <= SCENES; seed++) {
    const random = createRandom(seed);
    const dataA = soup(random, random.below(30));
    const dataB = soup(random, random.below(30));
    const [fromA, toA] = motion(random);
    const [fromB, toB] = motion(random);
    const pairs = trianglePairs(dataA, fromA, dataB, fromB);
    const expected = pairs.map(rowOf);
    total += pairs.length;
    apart += Number(pairs.length === 0);
    for (const made of engines) {
      const a = made.createMesh(dataA);
      const b = made.createMesh(dataB);
      for (const how of WAYS) {
        const runQuery: Omit<PlacedSweepOptions, 'want'> = { fromA, toA, fromB, toB, ...how };
        const what = `seed ${seed} ${JSON.stringify(how)}`;
        assert.equal(startsOf(made.sweep(a, b, { ...runQuery, want: 'all' })), expected, what);
        const first = made.sweep(a, b, runQuery);
        if (pairs.length > 0) assert.equal(first, startOf(pairs[0]), what);
        else assert.is.not(first?.kind, 'start', what);
      }
      for (const mesh of [a, b]) mesh.dispose();
    }
  }
  assert.ok(total > 100 && apart > 5, `${total} contacts, ${apart} scenes without one`);
});

/** Returns pairs of a mesh's triangles that share a point but no vertex. */
function pairsWithin(positions: ArrayLike<number>, indices: Uint32Array): Pair[] {
  const corners = (triangle: number): number[] => [...indices.subarray(3 * triangle, 3 * triangle + 3)];
  const pairs: Pair[] = [];
  const points = (triangle: number): number[] =>
    corners(triangle).flatMap(vertex => [0, 1, 2].map(axis => positions[3 * vertex + axis]));
  for (let a = 0; a < indices.length / 3; a++) {
    for (let b = a + 1; b < indices.length / 3; b++) {
      if (
        !corners(a).some(vertex => corners(b).includes(vertex)) &&
        trianglesMeet([...points(a), ...points(b)])
      )
        pairs.push([a, b]);
    }
  }
  return pairs;
}

test('triangles of any size in a deforming mesh are contacts if they intersect at the start and share no vertex', () => {
  let total = 0;
  for (let seed = 1; seed <= SCENES; seed++) {
    const random = createRandom(seed);
    const data = soup(random, 2 + random.below(20));
    const size = [1, 1, 1e-200, 1e200, 1e-310][random.below(5)];
    const jitter = random.below(2);
    const from = Float64Array.from(
      data.positions,
      value => size * (value + jitter * random.between(-0.1, 0.1)),
    );
    const to = from.map(value => value + size * random.between(-0.5, 0.5));
    const pairs = pairsWithin(from, data.indices);
    const expected = pairs.map(rowOf);
    total += pairs.length;
    for (const made of engines) {
      const mesh = made.createMesh(data);
      for (const how of [{}, { exact: true }, { minSeparation: 1e-3 * Math.min(size, 1) }]) {
        const what = `seed ${seed} size ${size} ${JSON.stringify(how)}`;
        assert.equal(startsOf(made.sweepVertices(mesh, from, to, { ...how, want: 'all' })), expected, what);
        const first = made.sweepVertices(mesh, from, to, how);
        if (pairs.length > 0) assert.equal(first, startOf(pairs[0]), what);
        else assert.is.not(first?.kind, 'start', what);
      }
      mesh.dispose();
    }
  }
  assert.ok(total > 100, `${total} contacts`);
});

test('a sweep finds the same pairs at the start as selfQuery', () => {
  for (let seed = 1; seed <= 40; seed++) {
    const random = createRandom(seed);
    const data = soup(random, 2 + random.below(40));
    const mesh = engine.createMesh(data);
    const found = engine.selfQuery(mesh);
    const expected = Array.from({ length: found.count }, (_, i) => rowOf([found.a[i], found.b[i]]));
    assert.equal(
      startsOf(engine.sweepVertices(mesh, data.positions, data.positions, { want: 'all' })),
      expected,
    );
    mesh.dispose();
  }
});

test.slow(
  'scenes find all contacts at the start, or the first contact of each pair of bodies, for any number of threads',
  () => {
    let total = 0;
    for (let seed = 1; seed <= 3; seed++) {
      // At the second size, coordinates are about 2^-314. Their products underflow, so that expansions (sums
      // of doubles) cannot decide the pairs.
      for (const size of [1, 2 ** -190]) {
        const random = createRandom(seed);
        const datas = Array.from({ length: 3 }, () => {
          const data = soup(random, 2 + random.below(12));
          return {
            ...data,
            positions: data.positions.map(value => (size === 1 ? value : value * 2 ** -124)),
          };
        });
        const ways = Array.from({ length: 8 }, () => motion(random)).map(
          ends =>
            ends.map(matrix =>
              matrix
                .map((value, i) => (i === 15 ? 1 : i < 12 ? value * size : size === 1 ? value : 0))
                .map(value => (Math.abs(value) < 2 ** -200 ? 0 : value)),
            ) as [Float64Array, Float64Array],
        );
        const expected: string[] = [];
        const firsts: string[] = [];
        ways.forEach(([from], i) =>
          ways.slice(i + 1).forEach(([other], k) => {
            const pairs = trianglePairs(datas[i % 3], from, datas[(i + 1 + k) % 3], other);
            expected.push(...pairs.map(pair => `${i} ${i + 1 + k} ${rowOf(pair)}`));
            if (pairs.length > 0) firsts.push(`${i} ${i + 1 + k} ${rowOf(pairs[0])}`);
          }),
        );
        total += expected.length;
        for (const made of engines) {
          const meshes = datas.map(data => made.createMesh(data));
          for (const how of WAYS) {
            const scene = made.createScene();
            const ids = ways.map(([from], i) => scene.add(meshes[i % 3], { transform: from }));
            const contactRows = (swept: SweptBodies): string[] =>
              rowsOf(swept)
                .map((row, i) => `${ids.indexOf(swept.a[i])} ${ids.indexOf(swept.b[i])} ${row}`)
                .filter(row => row.split(' ')[2] === String(START));
            const move = (): void =>
              scene.setTransforms(Float64Array.from(ways.flatMap(([, to]) => [...to])), {
                from: Float64Array.from(ways.flatMap(([from]) => [...from])),
              });
            for (const [want, truth] of [
              ['all', expected],
              ['first', firsts],
            ] as const) {
              move();
              assert.equal(
                contactRows(scene.detect({ continuous: true, want, ...how })),
                truth,
                `seed ${seed} size ${size} ${want} ${JSON.stringify(how)}`,
              );
            }
            scene.dispose();
          }
          for (const mesh of meshes) mesh.dispose();
        }
      }
    }
    assert.ok(total > 300, `${total} contacts`);
  },
);

test('meshes that touch, are coplanar, equal, empty or nested have the expected contacts at the start', () => {
  const made = (data: Indexed): Mesh => engine.createMesh(data);
  const triangle = made({
    positions: Float32Array.of(0, 0, 0, 4, 0, 0, 0, 4, 0),
    indices: Uint32Array.of(0, 1, 2),
  });
  const count = (a: Mesh, b: Mesh, fromB: Transform): number =>
    startsOf(engine.sweep(a, b, { fromB, toB: translation([0, 0, 9]), want: 'all' })).length;
  for (const [place, touches] of [
    [[4, 0, 0], 1],
    [[0, 0, 0], 1],
    [[1, 1, 0], 1],
    [[2, 2, 0], 1],
    [[2, 2.001, 0], 0],
    [[0, 0, 1e-30], 0],
  ] as const)
    assert.is(count(triangle, triangle, translation([...place])), touches, String(place));
  const empty = made({ positions: new Float32Array(0), indices: new Uint32Array(0) });
  const ball = made(sphere(200) as Indexed);
  const large = made({
    ...(sphere(200) as Indexed),
    positions: sphere(200).positions.map(value => 9 * value),
  });
  assert.is(count(triangle, empty, translation([0, 0, 0])) + count(empty, empty, translation([0, 0, 0])), 0);
  assert.is(engine.sweep(empty, ball), undefined);
  // The ball is inside the large ball, and their surfaces do not touch. Such a pair is not a contact; the
  // method `contains` finds it.
  assert.is(engine.sweep(large, ball, { toB: translation([0.5, 0, 0]) }), undefined);
  assert.is(count(ball, ball, translation([0, 0, 0])), engine.query(ball, ball).count);
  for (const mesh of [triangle, empty, ball, large]) mesh.dispose();
});

test.slow('all contacts at the start are found, even if they exceed the initial capacity of lists', () => {
  const data = soup(createRandom(7), 400);
  const from = Float64Array.from(data.positions, value => value + 0.01);
  const pairs = trianglePairs(data, undefined, data, undefined);
  const mesh = engine.createMesh(data);
  assert.ok(pairs.length > 5000, `${pairs.length} pairs`);
  assert.equal(startsOf(engine.sweep(mesh, mesh, { want: 'all' })), pairs.map(rowOf));
  assert.equal(
    startsOf(engine.sweepVertices(mesh, from, from, { want: 'all' })).length,
    pairsWithin(from, data.indices).length,
  );
  mesh.dispose();
});

test.run();
