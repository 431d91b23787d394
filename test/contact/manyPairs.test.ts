// Tests queryMany with a clearance and queryMany with want: 'segments'. One call with many placed pairs must
// give the same result as one query per placed pair, for any number of threads. Also tests the asynchronous
// calls with these options.

import * as assert from 'uvu/assert';
import { createEngine, type Engine, type PlacedPair } from '../../dist/index.js';
import { sphere, torus, translation } from '../../dist/samples/index.js';
import { caught, caughtLater } from '../support/engines.js';
import { emptyMesh, flatPlacements, meshPairs, placements, seeded } from '../support/placedScenes.js';
import { test } from '../support/test.js';

const engines: Engine[] = await Promise.all([
  createEngine({ threads: 1 }),
  createEngine({ threads: 2, initialPairCapacity: 0, warmUp: 'off' }),
  createEngine({ threads: 5 }),
]);
test.after(() => {
  for (const engine of engines) engine.dispose();
});

/**
 * Makes placed pairs of many kinds of meshes and placements, including singular placements. In some pairs no
 * triangles are near each other.
 */
function pairsOf(engine: Engine): PlacedPair[] {
  const makers = Object.values({ ...placements, ...flatPlacements });
  const pairs = Object.entries(meshPairs)
    .filter(([name]) => !/tiny|huge|denormals/.test(name))
    .flatMap(([, data], k): PlacedPair[] => {
      const [a, b] = data.map(one => engine.createMesh(one));
      return [0, 1, 2, 3].map(i => ({ a, b, ...makers[(4 * k + i) % makers.length](seeded(100 * k + i)) }));
    });
  const none = engine.createMesh(emptyMesh);
  const ball = engine.createMesh(sphere(200));
  const ring = engine.createMesh(torus(300));
  return [
    ...pairs,
    { a: ball, b: none },
    { a: ring, b: ball, transformB: translation([50, 0, 0]) },
    { a: ring, b: ball, transformB: translation([0.9, 0.2, 0]) },
  ];
}

test('queryMany with a clearance gives the same triangle pairs as one query per placed pair', () => {
  let first: unknown;
  for (const engine of engines) {
    const pairs = pairsOf(engine);
    for (const clearance of [0, 0.01, 0.3]) {
      const all = engine.queryMany({ pairs, clearance }).copy();
      const any = engine.queryMany({ pairs, clearance, want: 'any' });
      const bits = engine.queryMany({ pairs, clearance, want: 'bitset' });
      assert.is(all.pairsAt.length, pairs.length + 1);
      let found = 0;
      pairs.forEach(({ a, b, transformA, transformB }, i) => {
        const one = engine.query(a, b, { transformA, transformB, clearance });
        const from = all.pairsAt[i];
        const to = all.pairsAt[i + 1];
        assert.equal(
          [all.a.slice(from, to), all.b.slice(from, to), all.distances.slice(from, to)],
          [one.a.slice(), one.b.slice(), one.distances.slice()],
          `pair ${i}, ${clearance}`,
        );
        assert.is(any[i] === 1, one.count > 0);
        assert.is((bits[i >>> 5] >>> (i & 31)) & 1, any[i]);
        found += one.count;
      });
      assert.is(all.count, found);
      if (clearance === 0.3) assert.equal(all, (first ??= all));
    }
  }
});

test('segments of queryMany equal those of one query per placed pair', () => {
  let first: unknown;
  for (const engine of engines) {
    const pairs = pairsOf(engine);
    const all = engine.queryMany({ pairs, want: 'segments' }).copy();
    assert.is(all.pairsAt.length, pairs.length + 1);
    assert.is(all.pointsAt.length, all.count + 1);
    pairs.forEach(({ a, b, transformA, transformB }, i) => {
      const one = engine.query(a, b, { transformA, transformB, want: 'segments' }).copy();
      const from = all.pairsAt[i];
      const to = all.pairsAt[i + 1];
      const begin = all.pointsAt[from];
      assert.equal(
        [all.a.slice(from, to), all.b.slice(from, to), all.kind.slice(from, to)],
        [one.a, one.b, one.kind],
        `pair ${i}`,
      );
      assert.equal(
        all.pointsAt.slice(from, to + 1).map(at => at - begin),
        one.pointsAt,
      );
      assert.equal(all.points.slice(3 * begin, 3 * all.pointsAt[to]), one.points);
    });
    assert.ok(all.count > 100);
    assert.equal(all, (first ??= all));
  }
});

test('views are valid until the next call, memory is freed, and invalid calls are reported', () => {
  const [engine] = engines;
  const a = engine.createMesh(torus(300));
  const b = engine.createMesh(sphere(200));
  const transforms = new Float64Array(32);
  for (const at of [0, 16]) transforms.set(translation([0.9 + at / 64, 0.2, 0]), at);
  const held = [
    engine.queryMany({ a, b, transforms, want: 'segments' }),
    engine.queryMany({ a, b, transforms, clearance: 0.2 }),
  ];
  assert.is(held[1].pairCount, 2);
  assert.is(caught(() => held[0].pairsAt).code, 'Stale');
  assert.ok(held[1].pairsAt[2] > 0);
  assert.match(
    caught(() => engine.queryMany({ a, b, transforms, want: 'segments', clearance: 1 } as never)).message,
    /^clearance is 1, but want is 'segments'/,
  );
  for (const clearance of [NaN, -1, Infinity, '1'])
    assert.match(
      caught(() => engine.queryMany({ a, b, transforms, clearance } as never)).message,
      /^clearance is /,
    );
  assert.match(
    caught(() => engine.queryMany({ a, b, transforms, clearance: 1, want: 'some' } as never)).message,
    /^want is 'some'/,
  );
  assert.is(caught(() => engine.queryMany({ clearance: 1 } as never)).code, 'Unsupported');
  assert.is(
    caught(() => engine.queryMany({ pairs: [undefined], want: 'segments' } as never)).code,
    'Unsupported',
  );
  assert.is(
    caught(() => engine.queryMany({ pairs: [{ a, b, transformB: new Float64Array(3) }], clearance: 1 })).code,
    'InvalidTransform',
  );
  const runQuery = (): number => {
    engine.queryMany({ a, b, transforms, want: 'segments' });
    engine.queryMany({ a, b, transforms, clearance: 0.2 });
    return engine.query(a, b).stats.bytes;
  };
  const bytes = runQuery();
  for (let i = 0; i < 5; i++) assert.is(runQuery(), bytes);
});

test('asynchronous calls with a clearance or segments run on the CPU, and stats.reason says so', async () => {
  const [, engine] = engines;
  const a = engine.createMesh(torus(300));
  const b = engine.createMesh(sphere(200));
  const transformB = translation([0.9, 0.2, 0]);
  const pairs = [
    { a, b, transformB },
    { a, b },
  ];
  const later = [
    await engine.async.query(a, b, { transformB, clearance: 0.1 }),
    await engine.async.query(a, b, { transformB, want: 'segments' }),
    await engine.async.queryMany({ pairs, clearance: 0.1 }),
    await engine.async.queryMany({ pairs, want: 'segments' }),
  ];
  const now = [
    () => engine.query(a, b, { transformB, clearance: 0.1 }),
    () => engine.query(a, b, { transformB, want: 'segments' }),
    () => engine.queryMany({ pairs, clearance: 0.1 }),
    () => engine.queryMany({ pairs, want: 'segments' }),
  ];
  later.forEach(({ stats, ...answer }, i) => {
    assert.equal(answer, now[i]().copy());
    assert.is(stats.backend, 'wasm');
    assert.match(stats.reason, /are computed on the CPU only/);
  });
  assert.is(await engine.async.query(a, b, { transformB, clearance: 0.1, want: 'any' }), true);
  assert.equal(await engine.async.queryMany({ pairs, clearance: 0.1, want: 'bitset' }), Uint32Array.of(3));
  assert.is((await caughtLater(() => engine.async.query(a, b, { clearance: -1 }))).code, 'Unsupported');
});

test.run();
