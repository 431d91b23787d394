// engine.async -> the same answers as the engine's own verbs, wherever they are from; a GPU that is lost, wrong or missing is told and changes nothing.

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createEngine } from '../../dist/index.js';
import { crossoverOf } from '../../dist/crossover.js';
import { shaders } from '../../dist/webgpu/shaders.js';
import { caught, caughtLater, hashInOrder } from '../support/engines.js';
import { gpuTest } from '../support/gpu.js';
import { ask, countWaits, expectTruth, far, known, loseAt, shapes, transformB, transforms, truth, withAsync } from '../support/gpuLoss.js';

test.after(() => known.dispose());

gpuTest("backend 'webgpu': every answer is the GPU's, and synchronous verbs name the others", () => withAsync({ backend: 'webgpu' }, async engine => {
  assert.is(engine.info.backend, 'webgpu');
  assert.match(engine.info.gpu!.vendor, /./);
  assert.equal(await expectTruth(engine), ['gpu', 'gpu', 'gpu']);
  const { a, b } = ask(engine);
  assert.is(await engine.async.query(a, b, { transformB, want: 'any' }), true);
  assert.is(await engine.async.query(a, b, { transformB: far, want: 'any' }), false);
  assert.equal([...await engine.async.queryMany({ a, b, transforms, want: 'any' })], [1, 0, 1]);
  assert.is(await engine.async.selfQuery(a, { want: 'any' }), false);
  for (const verb of ['query', 'queryMany', 'selfQuery'] as const) {
    const error = caught(() => (engine[verb] as (...args: unknown[]) => unknown)(a, b));
    assert.is(error.code, 'Unsupported');
    assert.match(error.fix!, `await engine.async.${verb}`);
  }
  assert.equal(engine.info.notes.filter(({ code }) => /gpu/.test(code)), []);
}));

gpuTest("backend 'auto': crossovers are measured, and what is below them is the CPU's", () => withAsync({}, async engine => {
  assert.is(engine.info.gpu, undefined);
  await engine.async.ready();
  assert.equal(engine.info.gpu!.crossovers, {});
  const { a, b, query: asked } = ask(engine), { stats } = await asked(), { query } = engine.info.gpu!.crossovers!;
  assert.ok(query! >= 0);
  assert.is(stats.backend, a.triangleCount + b.triangleCount < query! ? 'wasm' : 'gpu');
  assert.is((await expectTruth(engine)).length, 3);
  assert.is(engine.query(a, b, { transformB }).count > 0, true);
}));

test("backend 'wasm' asks no GPU", () => withAsync({ backend: 'wasm', gpu: { requestAdapter: () => { throw new Error('asked'); } } }, async engine => {
  assert.equal(await expectTruth(engine), ['wasm', 'wasm', 'wasm']);
  assert.equal(engine.info.notes.filter(({ code }) => /gpu/.test(code)), []);
}));

test('no adapter: answers are the same, a note says why; asked for alone it is an error', async () => {
  for (const gpu of [{ requestAdapter: async () => null }, { requestAdapter: async () => { throw new Error('blocked'); } }]) {
    await withAsync({ gpu }, async engine => {
      assert.equal(await expectTruth(engine), ['wasm', 'wasm', 'wasm']);
      assert.equal(engine.info.notes.map(({ code }) => code).filter(code => /gpu/.test(code)), ['no-gpu']);
      assert.is(engine.info.gpu, undefined);
    });
    const error = await caughtLater(() => createEngine({ gpu, backend: 'webgpu' }));
    assert.is(error.code, 'Unsupported');
  }
});

test('mistakes are told as the engine tells them', () => withAsync({ backend: 'wasm' }, async engine => {
  const { a, b } = ask(engine);
  for (const [run, code] of [
    [() => engine.async.query(a, b, { want: 'some' as 'any' }), 'Unsupported'],
    [() => engine.async.query(a, undefined as never), 'Unsupported'],
    [() => engine.async.query(a, b, { transformB: new Float32Array(3) }), 'InvalidTransform'],
    [() => engine.async.queryMany({}), 'Unsupported'],
    [() => engine.async.selfQuery(a, { neighbours: 'near' as 'index' }), 'Unsupported'],
  ] as const) assert.is((await caughtLater(run as () => Promise<unknown>)).code, code);
}));

gpuTest('mistakes are told so on a GPU, too, and it is asked on', () => withAsync({ backend: 'webgpu' }, async engine => {
  const { a, b } = ask(engine);
  assert.is((await caughtLater(() => engine.async.query(a, known.createMesh(shapes.sphere)))).code, 'Unsupported');
  assert.is((await caughtLater(() => engine.async.query(a, b, { transformB: new Float64Array(16).fill(NaN) }))).code, 'InvalidTransform');
  assert.equal(await expectTruth(engine), ['gpu', 'gpu', 'gpu']);
}));

gpuTest('questions that are asked at once are answered one after the other', () => withAsync({ backend: 'webgpu' }, async engine => {
  const { query, queryMany, selfQuery } = ask(engine), found = await Promise.all([query(), queryMany(), selfQuery(), query()]);
  assert.equal(found.map(hashInOrder), [truth.query, truth.queryMany, truth.selfQuery, truth.query]);
}));

gpuTest('a device that is lost at any wait: the CPU answers, a note tells it, nothing is left waiting', async () => {
  const all = await countWaits();
  assert.ok(all > 20, `${all} waits`);
  // The first ones are of the start; every place is tried by the proof.
  for (const place of [0, 1, 3, all - 9, all - 4, all - 1]) await loseAt(place);
});

gpuTest('a GPU that answers wrongly is found out before it is asked', async () => {
  const { kernels, parts } = shaders, text = parts['boxes']!;
  const texts = parts as Record<string, string>;
  texts['boxes'] = text.replace('return all(abs(a-b)<=reach);', 'return all(abs(a-b)<=0.25*reach);');
  assert.is.not(texts['boxes'], text);
  assert.ok(kernels['traverse']);
  try {
    await withAsync({ backend: 'webgpu' }, async engine => {
      assert.equal(await expectTruth(engine), ['wasm', 'wasm', 'wasm']);
      assert.equal(engine.info.notes.map(({ code }) => code).filter(code => /gpu/.test(code)), ['gpu-failed']);
    });
  } finally {
    texts['boxes'] = text;
  }
});

test('crossovers: where two lines meet', () => {
  assert.is(crossoverOf({ size: 100, cpu: 1, gpu: 3 }, { size: 200, cpu: 2, gpu: 3.5 }), 500);
  assert.is(crossoverOf({ size: 100, cpu: 1, gpu: 3 }, { size: 200, cpu: 2, gpu: 5 }), Infinity);
  assert.is(crossoverOf({ size: 100, cpu: 1, gpu: 0.5 }, { size: 200, cpu: 2, gpu: 0.7 }), 0);
  assert.is(crossoverOf({ size: 100, cpu: 1, gpu: 1.5 }, { size: 200, cpu: 3, gpu: 1.6 }), 127);
});

test.run();
