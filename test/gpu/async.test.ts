// Tests that engine.async gives the same results as the engine's synchronous methods, on a GPU and on the
// CPU. If the GPU is lost, missing or gives wrong results, engine.info.notes reports this, and results stay
// correct.

import * as assert from 'uvu/assert';
import { crossoverOf } from '../../dist/gpu/crossoverOf.js';
import { shaders } from '../../dist/gpu/device/shaders.js';
import { TimeBudget } from '../../dist/gpu/timeBudget.js';
import { createEngine, type SweptContacts } from '../../dist/index.js';
import { boxCrowd, sphere, torus, translation } from '../../dist/samples/index.js';
import { caught, caughtLater, hashInOrder } from '../support/engines.js';
import { gpuTest, source } from '../support/gpu.js';
import { hashBytes } from '../support/hash.js';
import { test } from '../support/test.js';
import {
  countWaits,
  expectTruth,
  far,
  known,
  loseAt,
  prepareQueries,
  shapes,
  transformB,
  transforms,
  truth,
  withAsync,
} from './gpuLoss.js';
import { shortText } from './shaderNames.js';

test.after(() => known.dispose());
// Before the backend 'auto' uses a GPU, it tests the GPU within a time limit. If the GPU is a software adapter,
// these tests may exceed the limit on a slow or busy machine. This file needs their results, so it removes the
// limit.
TimeBudget.prototype.check = () => {};

gpuTest(
  "with backend 'webgpu' every query runs on the GPU, and errors of synchronous methods name the asynchronous ones",
  () =>
    withAsync({ backend: 'webgpu' }, async engine => {
      assert.is(engine.info.backend, 'webgpu');
      assert.match(engine.info.gpu!.vendor, /./);
      assert.equal(await expectTruth(engine), ['gpu', 'gpu', 'gpu']);
      const { a, b } = prepareQueries(engine);
      assert.is(await engine.async.query(a, b, { transformB, want: 'any' }), true);
      assert.is(await engine.async.query(a, b, { transformB: far, want: 'any' }), false);
      assert.equal([...(await engine.async.queryMany({ a, b, transforms, want: 'any' }))], [1, 0, 1]);
      assert.is(await engine.async.selfQuery(a, { want: 'any' }), false);
      for (const method of ['query', 'queryMany', 'selfQuery'] as const) {
        const error = caught(() => (engine[method] as (...args: unknown[]) => unknown)(a, b));
        assert.is(error.code, 'Unsupported');
        assert.match(error.fix!, `await engine.async.${method}`);
      }
      assert.equal(
        engine.info.notes.filter(({ code }) => /gpu/.test(code)),
        [],
      );
    }),
);

gpuTest.slow('a device that the caller provides is used, and is not destroyed with the engine', async () => {
  const adapter = (await source.requestAdapter()) as unknown as GPUAdapter;
  const device = await adapter.requestDevice();
  let isLost = false;
  let pending: Promise<unknown> | undefined;
  void device.lost.then(() => {
    isLost = true;
  });
  await withAsync({ backend: 'webgpu', gpu: device }, async engine => {
    assert.equal(await expectTruth(engine), ['gpu', 'gpu', 'gpu']);
    pending = caughtLater(prepareQueries(engine).query);
  });
  assert.is(((await pending) as { code: string }).code, 'Disposed');
  const buffer = device.createBuffer({ size: 16, usage: 9 });
  await buffer.mapAsync(1);
  assert.is(isLost, false);
  device.destroy();
});

gpuTest.proof("with backend 'auto' a crossover is measured, and smaller queries run on the CPU", () =>
  withAsync({}, async engine => {
    assert.is(engine.info.gpu, undefined);
    await engine.async.ready();
    assert.equal(engine.info.gpu!.crossovers, {});
    assert.equal([await expectTruth(engine), engine.info.gpu!.crossovers], [['wasm', 'wasm', 'wasm'], {}]);
    const boxes = boxCrowd('uniform', 5000, 1);
    const found = await engine.async.boxPairs(boxes);
    const { boxPairs, ...others } = engine.info.gpu!.crossovers!;
    assert.is(hashInOrder(found), hashInOrder(known.boxPairs(boxes).copy()));
    assert.ok(boxPairs! >= 0);
    assert.equal([found.stats.backend, others], [5000 < boxPairs! ? 'wasm' : 'gpu', {}]);
  }),
);

test("backend 'wasm' uses no GPU", () =>
  withAsync(
    {
      backend: 'wasm',
      gpu: {
        requestAdapter: () => {
          throw new Error('requestAdapter was called');
        },
      },
    },
    async engine => {
      assert.equal(await expectTruth(engine), ['wasm', 'wasm', 'wasm']);
      assert.equal(
        engine.info.notes.filter(({ code }) => /gpu/.test(code)),
        [],
      );
    },
  ));

test("without an adapter, results are the same and a note gives the reason, and backend 'webgpu' gives an error", async () => {
  for (const gpu of [
    { requestAdapter: async () => null },
    {
      requestAdapter: async () => {
        throw new Error('blocked');
      },
    },
  ]) {
    await withAsync({ gpu }, async engine => {
      await engine.async.ready();
      assert.equal(await expectTruth(engine), ['wasm', 'wasm', 'wasm']);
      assert.equal(
        engine.info.notes.map(({ code }) => code).filter(code => /gpu/.test(code)),
        ['no-gpu'],
      );
      assert.is(engine.info.gpu, undefined);
    });
    const error = await caughtLater(() => createEngine({ gpu, backend: 'webgpu' }));
    assert.is(error.code, 'Unsupported');
  }
});

test("invalid calls give the same error codes as the engine's methods", () =>
  withAsync({ backend: 'wasm' }, async engine => {
    const { a, b } = prepareQueries(engine);
    for (const [run, code] of [
      [() => engine.async.query(a, b, { want: 'some' as 'any' }), 'Unsupported'],
      [() => engine.async.query(a, undefined as never), 'Unsupported'],
      [() => engine.async.query(a, b, { transformB: new Float32Array(3) }), 'InvalidTransform'],
      [() => engine.async.queryMany({}), 'Unsupported'],
      [() => engine.async.selfQuery(a, { neighbors: 'near' as 'index' }), 'Unsupported'],
    ] as const)
      assert.is((await caughtLater(run as () => Promise<unknown>)).code, code);
  }));

gpuTest.slow('invalid calls give the same error codes on a GPU, which is still used afterwards', () =>
  withAsync({ backend: 'webgpu' }, async engine => {
    const { a, b } = prepareQueries(engine);
    assert.is(
      (await caughtLater(() => engine.async.query(a, known.createMesh(shapes.sphere)))).code,
      'Unsupported',
    );
    assert.is(
      (await caughtLater(() => engine.async.query(a, b, { transformB: new Float64Array(16).fill(NaN) })))
        .code,
      'InvalidTransform',
    );
    assert.equal(await expectTruth(engine), ['gpu', 'gpu', 'gpu']);
  }),
);

gpuTest.slow('concurrent queries give the correct results', () =>
  withAsync({ backend: 'webgpu' }, async engine => {
    const { query, queryMany, selfQuery } = prepareQueries(engine);
    const found = await Promise.all([query(), queryMany(), selfQuery(), query()]);
    assert.equal(found.map(hashInOrder), [truth.query, truth.queryMany, truth.selfQuery, truth.query]);
    const crowds = [boxCrowd('clustered', 700, 3), boxCrowd('mixed', 300, 4)];
    const { positions } = shapes.torus;
    const paths = [-1, 0.5].map(scale => [positions, positions.map(value => scale * value)] as const);
    const [mesh, knownMesh] = [engine, known].map(each => each.createMesh(shapes.torus));
    const [pairs, contacts] = await Promise.all([
      Promise.all(crowds.map(boxes => engine.async.boxPairs(boxes))),
      Promise.all(paths.map(path => engine.async.sweepVertices(mesh, ...path, { want: 'all' }))),
    ]);
    assert.equal(
      [pairs.map(hashInOrder), contacts.map(({ toi }) => [...toi])],
      [
        crowds.map(boxes => hashInOrder(known.boxPairs(boxes).copy())),
        paths.map(path => [...known.sweepVertices(knownMesh, ...path, { want: 'all' }).toi]),
      ],
    );
  }),
);

gpuTest.slow("all methods give the same results as the engine's own methods", () =>
  withAsync({ backend: 'webgpu' }, async engine => {
    const boxes = boxCrowd('clustered', 700, 3);
    const against = boxCrowd('mixed', 300, 4);
    for (const options of [{}, { against }, { countOnly: true }] as const) {
      const found = await engine.async.boxPairs(boxes, options);
      const truth = known.boxPairs(boxes, options);
      assert.equal(
        [found.count, hashInOrder(found), found.stats.backend],
        [truth.count, hashInOrder(truth.copy()), 'gpu'],
      );
    }
    let chunks = 0;
    const chunked = await engine.async.boxPairs(boxes, {
      forEachChunk: ({ count }) => {
        chunks += count;
      },
    });
    assert.equal(
      [chunked.count, chunks, chunked.stats.backend],
      [known.boxPairs(boxes).count, chunked.count, 'wasm'],
    );

    const move = { fromB: translation([3, 0.1, 0]), toB: translation([0.4, 0, 0.1]) };
    const data = [torus(200), sphere(200)] as const;
    const [a, b] = data.map(mesh => engine.createMesh(mesh));
    const [knownA, knownB] = data.map(mesh => known.createMesh(mesh));
    const lists = ({ toi, kind, featureA, featureB }: SweptContacts) =>
      hashBytes(toi, kind, featureA, featureB);
    assert.is(
      lists(await engine.async.sweep(a, b, { ...move, want: 'all' })),
      lists(known.sweep(knownA, knownB, { ...move, want: 'all' })),
    );
    for (const motion of ['linear', 'rigid'] as const) {
      const { stats, ...contact } = (await engine.async.sweep(a, b, { ...move, motion }))!;
      assert.equal(contact, known.sweep(knownA, knownB, { ...move, motion }));
      assert.is(stats.backend, 'wasm');
    }
    const from = data[0].positions;
    const to = from.map((value, i) => (i % 3 === 1 ? -value : value));
    assert.is(
      lists(await engine.async.sweepVertices(a, from, to, { want: 'all' })),
      lists(known.sweepVertices(knownA, from, to, { want: 'all' })),
    );
    const points = Float64Array.from({ length: 240 }, (_, i) => Math.round(4 * Math.sin(i * i)));
    for (const kind of ['VF', 'EE'] as const)
      assert.equal(await engine.async.contactTimes(kind, points), known.contactTimes(kind, points));
    const { stats: _, ...contacts } = await engine.async.sweepFeatures('EE', points);
    assert.equal(contacts, { ...known.sweepFeatures('EE', points) });
    assert.equal(
      engine.info.notes.filter(({ code }) => /gpu/.test(code)),
      [],
    );

    for (const [run, code] of [
      [() => engine.async.boxPairs([1] as never), 'InvalidBoxes'],
      [() => engine.async.boxPairs(boxes, { method: 'best' as 'sap' }), 'Unsupported'],
      [() => engine.async.sweep(a, undefined as never), 'Unsupported'],
      [() => engine.async.sweepVertices(a, from, new Float32Array(3)), 'InvalidMesh'],
      [() => engine.async.contactTimes('vf' as 'VF', points), 'Unsupported'],
      [() => engine.async.sweepFeatures('EE', new Float64Array(5)), 'Unsupported'],
    ] as const)
      assert.is((await caughtLater(run as () => Promise<unknown>)).code, code);
  }),
);

gpuTest.slow(
  'arguments may be reused after the call, but meshes must stay unchanged until the promise resolves',
  () =>
    withAsync({ backend: 'webgpu' }, async engine => {
      const data = torus(300);
      const a = engine.createMesh(data, { deformable: true });
      const b = engine.createMesh(shapes.sphere);
      const matrix = Float64Array.from(transformB);
      const knownPair = [known.createMesh(data), known.createMesh(shapes.sphere)] as const;
      const places = [0.5, 0.7, 9];
      const pendingAnswers = places.map(x => {
        matrix[12] = x;
        return engine.async.query(a, b, { transformB: matrix });
      });
      const counts = (await Promise.all(pendingAnswers)).map(({ count }) => count);
      assert.equal(
        counts,
        places.map(
          x =>
            known.query(...knownPair, {
              transformB: Float64Array.from(transformB, (value, i) => (i === 12 ? x : value)),
            }).count,
        ),
      );
      const later = [1, 2, 3].map(() => engine.async.query(a, b, { transformB }));
      a.update(data.positions);
      for (const answer of later) assert.is((await caughtLater(() => answer)).code, 'Stale');
    }),
);

gpuTest.proof('boxes are distributed to several devices, and pairs are the same as on the CPU', async () => {
  const devices = [];
  for (let i = 0; i < 2; i++)
    devices.push(await ((await source.requestAdapter()) as unknown as GPUAdapter).requestDevice());
  await withAsync({ backend: 'webgpu', gpu: devices }, async engine => {
    assert.is(engine.info.gpu!.devices, 2);
    const boxes = boxCrowd('uniform', 900, 5);
    const found = await engine.async.boxPairs(boxes);
    assert.is(hashInOrder(found), hashInOrder(known.boxPairs(boxes).copy()));
    assert.ok((found.stats.gpu as { devices: number }).devices >= 1);
    assert.equal(await expectTruth(engine), ['gpu', 'gpu', 'gpu']);
  });
});

gpuTest.slow('modules that were left out cannot be used on a GPU either', () =>
  withAsync({ backend: 'webgpu', modules: ['gpu'] }, async engine => {
    const { query } = prepareQueries(engine);
    assert.is((await query()).stats.backend, 'gpu');
    for (const run of [
      () => engine.async.boxPairs(new Float32Array(12)),
      () => engine.async.contactTimes('VF', new Float64Array(24)),
    ]) {
      const error = await caughtLater(run);
      assert.is(error.code, 'Unsupported');
      assert.match(error.message, /needs module/);
    }
    assert.match(
      (await caughtLater(() => engine.async.selfQuery(engine.createMesh(shapes.torus)))).message,
      /needs module/,
    );
    assert.equal(
      [(await query()).stats.backend, engine.info.notes.filter(({ code }) => /gpu/.test(code))],
      ['gpu', []],
    );
  }),
);

gpuTest.slow(
  'if a device is lost while the engine waits for it, the CPU answers, a note reports the loss, and no promise stays pending',
  async () => {
    const all = await countWaits();
    assert.ok(all > 20, `${all} waits`);
    // A wait is a call of Gpu.wait, which awaits a promise of the device. The first waits occur while the GPU
    // is set up. This test tries only six waits; loss.proof.ts tries every wait.
    for (const place of [0, 1, 3, all - 9, all - 4, all - 1]) await loseAt(place);
  },
);

gpuTest.slow('a GPU that gives wrong results is detected before its first query', async () => {
  const { kernels, includes } = shaders;
  const text = includes['boxes'];
  const texts = includes as Record<string, string>;
  texts['boxes'] = text.replace(
    shortText('return all(abs(a-b)<=reach);'),
    shortText('return all(abs(a-b)<=0.25*reach);'),
  );
  assert.is.not(texts['boxes'], text);
  assert.ok(kernels['traverse']);
  try {
    await withAsync({ backend: 'webgpu' }, async engine => {
      assert.equal(await expectTruth(engine), ['wasm', 'wasm', 'wasm']);
      assert.equal(
        engine.info.notes.map(({ code }) => code).filter(code => /gpu/.test(code)),
        ['gpu-failed'],
      );
    });
  } finally {
    texts['boxes'] = text;
  }
});

test('the crossover is where the cost lines of the CPU and the GPU intersect', () => {
  assert.is(crossoverOf({ size: 100, cpu: 1, gpu: 3 }, { size: 200, cpu: 2, gpu: 3.5 }), 500);
  assert.is(crossoverOf({ size: 100, cpu: 1, gpu: 3 }, { size: 200, cpu: 2, gpu: 5 }), Infinity);
  assert.is(crossoverOf({ size: 100, cpu: 1, gpu: 0.5 }, { size: 200, cpu: 2, gpu: 0.7 }), 0);
  assert.is(crossoverOf({ size: 100, cpu: 1, gpu: 1.5 }, { size: 200, cpu: 3, gpu: 1.6 }), 127);
});

test.run();
