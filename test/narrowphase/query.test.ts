// Compares the results of queries with known results: for published scenes, with the published triangle
// pairs; for generated scenes, with the oracle, which tests all pairs. Also tests the properties of a result.

import * as assert from 'uvu/assert';
import { collide, createEngine, type PlacedPair, Stale } from '../../dist/index.js';
import { box, randomPlacements, soup, sphere } from '../../dist/samples/index.js';
import { trianglePairs } from '../oracle/bruteForce.js';
import { dataTest } from '../support/data.js';
import { caught, pairsOf } from '../support/engines.js';
import { hashPairs } from '../support/hash.js';
import { emptyMesh, meshPairs, placements, seeded, unshared } from '../support/placedScenes.js';
import { test } from '../support/test.js';
import { type PartsTruth, readDuplex, readEngine, readMeshPairs } from '../support/truth.js';

const engine = await createEngine({ threads: 2 });
test.after(() => engine.dispose());

dataTest('24 placements of a bunny against itself give the published pairs', () => {
  const { mesh, placements: placed } = readMeshPairs();
  const bunny = engine.createMesh(mesh);
  let total = 0;
  for (const { transform, pairCount, pairHash } of placed) {
    const { count, a, b } = engine.query(bunny, bunny, { transformB: transform });
    assert.is(count, pairCount);
    assert.is(hashPairs(a, b), pairHash);
    total += count;
  }
  assert.is(placed.length, 24);
  assert.is(total, 36_763);
  bunny.dispose();
});

dataTest('24 placements of a bunny against itself in one call give the published pairs', () => {
  const { mesh, placements: placed } = readMeshPairs();
  const bunny = engine.createMesh(mesh);
  const transforms = Float64Array.from(placed.flatMap(({ transform }) => [...transform]));
  const { pairsAt, a, b, pairCount } = engine.queryMany({ a: bunny, b: bunny, transforms });
  assert.is(pairCount, 24);
  placed.forEach(({ pairHash }, i) =>
    assert.is(
      hashPairs(a.subarray(pairsAt[i], pairsAt[i + 1]), b.subarray(pairsAt[i], pairsAt[i + 1])),
      pairHash,
    ),
  );
  const hits = engine.queryMany({ a: bunny, b: bunny, transforms, want: 'any' });
  assert.equal(
    [...hits],
    placed.map(({ pairCount: count }) => Number(count > 0)),
  );
  bunny.dispose();
});

// Queries every part against every later part in one call, and checks that the result has the published
// pairs.
function checkParts({ parts, ...truth }: PartsTruth, pairCount: number, partPairCount: number): void {
  const meshes = parts.map(({ mesh }) => engine.createMesh(mesh));
  const numbers = meshes.flatMap((_, a) => meshes.slice(a + 1).map((_, i) => [a, a + 1 + i] as const));
  const { pairsAt, a, b, count } = engine.queryMany({
    pairs: numbers.map(([first, second]): PlacedPair => ({ a: meshes[first], b: meshes[second] })),
  });
  const allA: number[] = [];
  const allB: number[] = [];
  const partPairs: number[][] = [];
  numbers.forEach(([first, second], i) => {
    for (let k = pairsAt[i]; k < pairsAt[i + 1]; k++) {
      allA.push(a[k] + parts[first].firstTriangle);
      allB.push(b[k] + parts[second].firstTriangle);
    }
    if (pairsAt[i + 1] > pairsAt[i]) partPairs.push([first, second, pairsAt[i + 1] - pairsAt[i]]);
  });
  assert.equal([count, partPairs.length], [pairCount, partPairCount]);
  assert.is(truth.pairCount, pairCount);
  assert.equal(partPairs, truth.partPairs);
  assert.is(hashPairs(allA, allB), truth.pairHash);
  for (const mesh of meshes) mesh.dispose();
}

dataTest('a two-cylinder engine of 67 parts gives the published pairs', () =>
  checkParts(readEngine(), 28_255, 82),
);
dataTest('a building of 215 parts gives the published pairs', () => checkParts(readDuplex(), 50_978, 743));

test('empty meshes intersect nothing', () => {
  const [none, some] = [engine.createMesh(emptyMesh), engine.createMesh(soup(50, 1))];
  for (const [a, b] of [
    [none, none],
    [none, some],
    [some, none],
  ] as const) {
    for (const parts of [1, 2, 7]) {
      assert.equal(engine.query(a, b, { parts }).copy(), {
        count: 0,
        a: new Uint32Array(0),
        b: new Uint32Array(0),
      });
      assert.is(engine.query(a, b, { want: 'any', parts }), false);
    }
  }
  const many = engine.queryMany({
    pairs: [
      { a: none, b: some },
      { a: some, b: some },
      { a: some, b: none },
      { a: none, b: none },
    ],
  });
  assert.equal(
    [...many.pairsAt.slice(0, 2), ...many.pairsAt.slice(2)],
    [0, 0, many.count, many.count, many.count],
  );
  assert.equal(
    [
      ...engine.queryMany({
        pairs: [
          { a: none, b: some },
          { a: some, b: some },
        ],
        want: 'any',
      }),
    ],
    [0, 1],
  );
});

test('an empty list of pairs gives an empty result', () => {
  const nothing = engine.queryMany({ pairs: [] });
  assert.equal([nothing.count, nothing.pairCount, ...nothing.pairsAt], [0, 0, 0]);
  assert.is(engine.queryMany({ pairs: [], want: 'any' }).length, 0);
});

test('many pairs in one call give the same results as one call per pair', () => {
  const names = Object.keys(meshPairs).filter(name => name !== 'tiny' && name !== 'float32 denormals');
  const pairs: PlacedPair[] = names.flatMap((name, seed) => {
    const [a, b] = meshPairs[name].map(data => engine.createMesh(data));
    const kinds = ['none', 'both rigid', 'A in a plane', 'B on a line', 'apart', 'A huge, B itself'];
    return kinds.map((kind): PlacedPair => ({ a, b, ...placements[kind](seeded(seed)) }));
  });
  const single = pairs.map(({ a, b, ...transforms }) => engine.query(a, b, transforms).copy());
  for (const options of [{}, { parts: 1 }, { parts: 13 }, { coherence: 'off' }] as const) {
    const many = engine.queryMany({ pairs, ...options }).copy();
    single.forEach(({ a, b }, i) => {
      assert.equal(many.a.slice(many.pairsAt[i], many.pairsAt[i + 1]), a, `pair ${i}`);
      assert.equal(many.b.slice(many.pairsAt[i], many.pairsAt[i + 1]), b, `pair ${i}`);
    });
    assert.equal(
      [...engine.queryMany({ pairs, want: 'any', ...options })],
      single.map(({ count }) => Number(count > 0)),
    );
  }
});

test('many placements of one pair in one call give the same results as one call per placement', () => {
  const [a, b] = [engine.createMesh(sphere(200)), engine.createMesh(box())];
  const transforms = Float32Array.from(
    Array.from({ length: 40 }, (_, seed) => [...placements['B scaled'](seeded(seed)).transformB!]).flat(),
  );
  const many = engine.queryMany({ a, b, transforms }).copy();
  for (let i = 0; i < 40; i++) {
    const single = engine.query(a, b, { transformB: transforms.subarray(16 * i, 16 * i + 16) });
    assert.equal(many.a.slice(many.pairsAt[i], many.pairsAt[i + 1]), single.a.slice());
  }
});

test("order 'any' gives the same pairs", () => {
  const [a, b] = [engine.createMesh(soup(400, 5)), engine.createMesh(soup(400, 6))];
  const sorted = pairsOf(engine.query(a, b));
  const loose = pairsOf(engine.query(a, b, { order: 'any', parts: 5 }));
  assert.equal(
    loose.sort((left, right) => left[0] - right[0] || left[1] - right[1]),
    sorted,
  );
});

test('a result has a count and can be copied, and the next call makes it stale', () => {
  const [a, b] = [engine.createMesh(soup(80, 7)), engine.createMesh(soup(80, 8))];
  const steps = [
    () => engine.query(a, b),
    () => engine.query(a, b, { want: 'any' }),
    () => engine.queryMany({ pairs: [{ a, b }] }),
    () => engine.createMesh(box()),
  ];
  for (const step of steps) {
    const hits = engine.query(a, b);
    assert.is(hits.a.length, hits.count);
    assert.is(hits.b.length, hits.count);
    assert.ok(hits.stats.threads.length > 0);
    const copy = hits.copy();
    step();
    for (const read of [() => hits.a, () => hits.b, () => hits.copy(), () => hits.stats])
      assert.instance(caught(read), Stale);
    assert.is(hits.count, copy.count);
    assert.is(copy.a.buffer instanceof ArrayBuffer, true);
    assert.equal(engine.query(a, b).copy(), copy);
  }
  const many = engine.queryMany({ pairs: [{ a, b }] });
  engine.query(a, b);
  assert.instance(
    caught(() => many.pairsAt),
    Stale,
  );
});

test('meshes without indices or with indices of other types are accepted', () => {
  const { positions, indices } = soup(40, 9);
  const other = engine.createMesh(soup(40, 10));
  const truth = pairsOf(engine.query(engine.createMesh({ positions, indices }), other));
  for (const kind of [
    undefined,
    Uint16Array.from(indices),
    Uint8Array.from(indices),
    Int32Array.from(indices),
    [...indices],
  ]) {
    assert.equal(pairsOf(engine.query(engine.createMesh({ positions, indices: kind }), other)), truth);
  }
});

test('collide returns the intersecting triangle pairs of two meshes in one call', async () => {
  const [dataA, dataB] = meshPairs['lattice'];
  const { count, a, b } = await collide(dataA, dataB);
  assert.equal(pairsOf({ a, b }), trianglePairs(dataA, undefined, dataB, undefined));
  assert.is(a.length, count);
});

test('memory of disposed meshes is reused', () => {
  const data = soup(3000, 3);
  const bytes = () => {
    const mesh = engine.createMesh(box());
    const { stats } = engine.query(mesh, mesh);
    mesh.dispose();
    return stats.bytes;
  };
  const before = bytes();
  for (let iteration = 0; iteration < 20; iteration++) engine.createMesh(data).dispose();
  assert.is(bytes(), before);
});

test('a query of an updated mesh uses its new positions', () => {
  const data = sphere(200);
  const a = engine.createMesh(data, { deformable: true });
  const b = engine.createMesh(box(0.8, 0.8, 0.8));
  for (let frame = 0; frame < 10; frame++) {
    const positions = data.positions.map(
      (value, at) => value * (1 + 0.05 * frame) + (at % 3 === 0 ? 0.1 * frame : 0),
    );
    a.update(positions);
    assert.equal(
      pairsOf(engine.query(a, b)),
      trianglePairs({ ...data, positions }, undefined, box(0.8, 0.8, 0.8), undefined),
      `frame ${frame}`,
    );
  }
});

test('random placements of a solid against itself agree with the oracle', () => {
  const data = sphere(80);
  const solid = engine.createMesh(data);
  const placed = randomPlacements(data, 12, 3);
  assert.is(placed.length, 12);
  for (const transformB of placed) {
    const truth = trianglePairs(data, undefined, data, transformB);
    assert.ok(truth.length > 0);
    assert.equal(pairsOf(engine.query(solid, solid, { transformB })), truth);
  }
});

test('a triangle that is only a point gives the correct pairs', () => {
  const point = engine.createMesh(unshared(Array(9).fill(0.5)));
  assert.is(engine.query(point, point).count, 1);
  assert.is(engine.query(point, engine.createMesh(box(0.5, 0.5, 0.5))).count > 0, true);
  assert.is(engine.query(point, engine.createMesh(box())).count, 0);
});

test.run();
