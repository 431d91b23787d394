// Runs engine.async queries with known results while the GPU device is lost. A wait is a call of Gpu.wait,
// which awaits a promise of the device. `loseAt` destroys the device at a chosen wait.

import * as assert from 'uvu/assert';
import { Gpu } from '../../dist/gpu/device/gpu.js';
import { createEngine, type Engine, type EngineOptions, type Scene } from '../../dist/index.js';
import { boxCrowd, rotation, sphere, torus, translation } from '../../dist/samples/index.js';
import { hashInOrder } from '../support/engines.js';
import { source } from '../support/gpu.js';
import { crowd, rowsOf } from '../support/movingCrowd.js';
import { scaledTimeout } from '../support/within.js';

export const known = await createEngine({ threads: 2 });
export const shapes = { torus: torus(300), sphere: sphere(200) },
  transformB = rotation([1, 2, 3], 0.3, [0.5, 0.1, 0]),
  far = translation([9, 0, 0]);
export const transforms = Float64Array.from([...transformB, ...far, ...transformB]);

export function prepareQueries(engine: Engine) {
  const a = engine.createMesh(shapes.torus);
  const b = engine.createMesh(shapes.sphere);
  return {
    a,
    b,
    query: () => engine.async.query(a, b, { transformB }),
    queryMany: () => engine.async.queryMany({ a, b, transforms }),
    selfQuery: () => engine.async.selfQuery(a, { neighbors: 'position' }),
  };
}

export const truth = (() => {
  const a = known.createMesh(shapes.torus);
  const b = known.createMesh(shapes.sphere);
  return {
    query: hashInOrder(known.query(a, b, { transformB }).copy()),
    queryMany: hashInOrder(known.queryMany({ a, b, transforms }).copy()),
    selfQuery: hashInOrder(known.selfQuery(a, { neighbors: 'position' }).copy()),
  };
})();

export async function withAsync(
  options: EngineOptions,
  use: (engine: Engine) => Promise<void>,
): Promise<void> {
  const engine = await createEngine({ threads: 1, gpu: source, warmUp: 'off', ...options });
  try {
    await use(engine);
  } finally {
    engine.dispose();
  }
}

export async function expectTruth(engine: Engine): Promise<('wasm' | 'gpu')[]> {
  const { query, queryMany, selfQuery } = prepareQueries(engine);
  const found = [await query(), await queryMany(), await selfQuery()] as const;
  assert.equal(found.map(hashInOrder), [truth.query, truth.queryMany, truth.selfQuery]);
  return found.map(({ stats }) => stats.backend);
}

const boxes = boxCrowd('clustered', 700, 3);
const points = Float64Array.from({ length: 240 }, (_, i) => Math.round(4 * Math.sin(i * i)));
const ends = [
  shapes.torus.positions,
  shapes.torus.positions.map((value, i) => (i % 3 === 1 ? -value : value)),
] as const;
const knownMesh = known.createMesh(shapes.torus);

/**
 * Runs queries of moving features, a deforming mesh and boxes, and checks the results. @returns the backend of
 * the query of boxes
 */
export async function expectOthers(engine: Engine): Promise<('wasm' | 'gpu')[]> {
  assert.equal(await engine.async.contactTimes('EE', points), known.contactTimes('EE', points));
  const mesh = engine.createMesh(shapes.torus);
  const { stats: _, ...contacts } = await engine.async.sweepVertices(mesh, ...ends, { want: 'all' });
  const { stats: __, ...truths } = known.sweepVertices(knownMesh, ...ends, { want: 'all' });
  assert.equal(contacts, truths);
  const found = await engine.async.boxPairs(boxes);
  assert.is(hashInOrder(found), hashInOrder(known.boxPairs(boxes).copy()));
  return [found.stats.backend];
}

/** Runs queries of moving bodies and checks the results. @returns the backends */
export async function expectMotion(engine: Engine): Promise<('wasm' | 'gpu')[]> {
  const scenes = [engine, known].map(each => {
    const { scene, all, start } = crowd(each, 2, 6);
    scene.setTransforms(all, { from: start });
    return scene;
  }) as [Scene, Scene];
  const found = await engine.async.detect(scenes[0], { continuous: true });
  const truth = scenes[1].detect({ continuous: true });
  assert.equal([...found.a, ...found.b, ...rowsOf(found)], [...truth.a, ...truth.b, ...rowsOf(truth)]);
  for (const scene of scenes) scene.dispose();
  return [found.stats.backend];
}

/** Groups of queries of all kinds, with their names. */
export const queryGroups = [
  ['placed meshes', expectTruth],
  ['boxes, moving features and meshes', expectOthers],
  ['moving bodies', expectMotion],
] as const;

/** Max time in milliseconds, on an idle machine, for pending waits to end after the function has run. */
const PATIENCE_MS = 2000;

/**
 * Runs a function and destroys the device at the wait with the number `place`. If `place` is -1, no device is
 * destroyed. @returns the number of waits
 */
async function losing(place: number, run: () => Promise<void>): Promise<number> {
  const { wait } = Gpu.prototype;
  let count = 0;
  let pending = 0;
  Gpu.prototype.wait = function <Value>(this: Gpu, promise: Promise<Value>): Promise<Value> {
    if (count++ === place) this.device.destroy();
    const waiting = wait.call(this, promise) as Promise<Value>;
    const end = (): void => {
      pending--;
    };
    pending++;
    waiting.then(end, end);
    return waiting;
  };
  try {
    await run();
    for (
      const endsAt = performance.now() + scaledTimeout(PATIENCE_MS);
      pending > 0 && performance.now() < endsAt;
    )
      await new Promise(resolve => {
        setTimeout(resolve, 10);
      });
    assert.is(pending, 0, `wait ${place}: number of waits that are still pending`);
  } finally {
    Gpu.prototype.wait = wait;
  }
  return count;
}

/** Returns the number of waits of an engine that runs the queries of `expect`. */
export const countWaits = (expect = expectTruth): Promise<number> =>
  losing(-1, () =>
    withAsync({ backend: 'webgpu' }, async engine => {
      await expect(engine);
    }),
  );

/**
 * Destroys the device at the wait with the number `place`. Checks that the CPU then computes the results,
 * that a note reports the loss, and that no wait stays pending.
 */
export async function loseAt(place: number, expect = expectTruth): Promise<void> {
  let backends: string[] = [];
  let notes: string[] = [];
  const startedAt = performance.now();
  await losing(place, () =>
    withAsync({ backend: 'webgpu' }, async engine => {
      backends = await expect(engine);
      notes = engine.info.notes.map(({ code }) => code);
      assert.is(engine.info.gpu, undefined, `wait ${place}`);
    }),
  );
  assert.is(backends.at(-1), 'wasm', `wait ${place}`);
  assert.ok(notes.includes('gpu-lost'), `wait ${place}: ${notes.join()}`);
  assert.ok(performance.now() - startedAt < scaledTimeout(30_000), `wait ${place}`);
}
