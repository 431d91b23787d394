// Tests which calls of engine.async request a GPU: small queries run on the CPU and never request one, and
// the first large query does. The tests pass a GPU object that counts the requests and never returns an
// adapter.

import * as assert from 'uvu/assert';
import { createEngine, type Engine } from '../../dist/index.js';
import { boxCrowd, sphere, torus, translation } from '../../dist/samples/index.js';
import { caught, caughtLater, hashInOrder } from '../support/engines.js';
import { test } from '../support/test.js';

const shapes = { ring: torus(300), ball: sphere(200) };
const transformB = translation([0.9, 0, 0]);
const points = Float64Array.from({ length: 240 }, (_, i) => Math.round(4 * Math.sin(i * i)));

async function counting(use: (engine: Engine, looked: () => number) => Promise<void>): Promise<void> {
  let count = 0;
  const engine = await createEngine({
    threads: 1,
    warmUp: 'off',
    gpu: {
      requestAdapter: async () => {
        count++;
        return null;
      },
    },
  });
  try {
    await use(engine, () => count);
  } finally {
    engine.dispose();
  }
}

test('small queries of every kind never request a GPU', () =>
  counting(async (engine, looked) => {
    const a = engine.createMesh(shapes.ring);
    const b = engine.createMesh(shapes.ball);
    const scene = engine.createScene();
    const { async } = engine;
    for (let i = 0; i < 12; i++) scene.add(i % 2 === 0 ? a : b, { transform: translation([0.7 * i, 0, 0]) });
    const hits = await async.query(a, b, { transformB });
    assert.is(hashInOrder(hits), hashInOrder(engine.query(a, b, { transformB }).copy()));
    assert.is(hits.stats.backend, 'wasm');
    assert.match(hits.stats.reason, /below the minimum for a GPU/);
    for (const runQuery of [
      () => async.query(a, b, { transformB, want: 'any' }),
      () => async.queryMany({ a, b, transforms: transformB }),
      () => async.selfQuery(a),
      () => async.boxPairs(boxCrowd('uniform', 500, 1)),
      () => async.detect(scene),
      () => async.detect(scene, { continuous: true }),
      () => async.sweep(a, b, { fromB: transformB, toB: translation([0, 0, 0]) }),
      () => async.sweepVertices(b, shapes.ball.positions, shapes.ball.positions),
      () => async.contactTimes('VF', points),
      () => async.sweepFeatures('EE', points),
    ]) {
      await runQuery();
      assert.is(looked(), 0, runQuery.toString());
    }
    assert.equal(
      engine.info.notes.filter(({ code }) => /gpu/.test(code)),
      [],
    );
    scene.dispose();
  }));

test('a large query requests a GPU, and only the first one does', () =>
  counting(async (engine, looked) => {
    const boxes = boxCrowd('uniform', 5000, 1);
    for (let i = 0; i < 2; i++) {
      assert.is(hashInOrder(await engine.async.boxPairs(boxes)), hashInOrder(engine.boxPairs(boxes).copy()));
      assert.equal(
        [looked(), engine.info.notes.map(({ code }) => code).filter(code => /gpu/.test(code))],
        [1, ['no-gpu']],
      );
    }
  }));

test('results that are made while a small detect is pending stay valid, and the contacts are those of the scene at the time of the call', () =>
  counting(async engine => {
    const a = engine.createMesh(shapes.ring);
    const b = engine.createMesh(shapes.ball);
    const scene = engine.createScene();
    const twin = engine.createScene();
    for (const each of [scene, twin])
      for (let i = 0; i < 12; i++) each.add(i % 2 === 0 ? a : b, { transform: translation([0.7 * i, 0, 0]) });
    const truth = twin.detect().copy();
    for (const options of [{}, { narrow: 'counts' }, { continuous: true }] as const) {
      const pending = engine.async.detect(scene, options as object);
      const hits = engine.query(a, b, { transformB });
      const before = hashInOrder(hits);
      const found = await pending;
      assert.is(hashInOrder(hits), before, JSON.stringify(options));
      if ('triangles' in found && !('narrow' in options))
        assert.equal(
          [hashInOrder(found), hashInOrder(found.triangles)],
          [hashInOrder(truth), hashInOrder(truth.triangles)],
        );
      scene.setTransform(0, translation([0.01, 0, 0]));
    }
  }));

test('a mesh may change right after a small query is called, but not while a large one is pending', () =>
  counting(async engine => {
    const data = torus(40_000);
    const a = engine.createMesh(data, { deformable: true });
    const small = engine.createMesh(shapes.ring, { deformable: true });
    const hits = engine.async.query(small, small);
    small.update(shapes.ring.positions);
    assert.ok((await hits).count > 0);
    const pending = engine.async.query(a, a);
    a.update(data.positions);
    assert.is((await caughtLater(() => pending)).code, 'Stale');
  }));

test('results that are made while a mesh is built in steps stay valid', () =>
  counting(async engine => {
    const a = engine.createMesh(shapes.ring);
    const b = engine.createMesh(shapes.ball);
    const pending = engine.createMeshAsync(torus(3000));
    const hits = engine.query(a, b, { transformB });
    const before = hashInOrder(hits);
    (await pending).dispose();
    assert.is(hashInOrder(hits), before);
    engine.query(a, b);
    assert.is(caught(() => hits.a).code, 'Stale');
  }));

test.run();
