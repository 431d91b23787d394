// Tests exact sweeps of engine.async that have an onProgress callback or a signal. They run in steps, between
// which other work may run, and give the same results as the synchronous methods.

import * as assert from 'uvu/assert';
import { type Coordinates, createEngine, type Engine, type Mesh } from '../../dist/index.js';
import { box, createRandom, translation } from '../../dist/samples/index.js';
import { caughtLater } from '../support/engines.js';
import { test } from '../support/test.js';

const engine = await createEngine({ threads: 2, backend: 'wasm', warmUp: 'off' });
test.after(() => engine.dispose());

/**
 * Makes a flat grid and a motion that mirrors it in a line of its plane. In the middle of the motion, all
 * vertices lie on this line, so very many features touch at the same time.
 */
function pressed(on: Engine, cells: number): { mesh: Mesh; from: Coordinates; to: Coordinates } {
  const side = cells + 1;
  const positions = new Float32Array(3 * side * side);
  const indices: number[] = [];
  for (let i = 0; i < side * side; i++) positions.set([i % side, Math.floor(i / side), 0], 3 * i);
  for (let y = 0; y < cells; y++) {
    for (let x = 0; x < cells; x++) {
      const corner = y * side + x;
      indices.push(corner, corner + 1, corner + side, corner + 1, corner + side + 1, corner + side);
    }
  }
  const from = Float64Array.from(positions);
  const to = from.map((value, i) => (i % 3 === 1 ? -value : value));
  return { mesh: on.createMesh({ positions, indices: Uint32Array.from(indices) }), from, to };
}

const { mesh, from, to } = pressed(engine, 9);
const ALL = { want: 'all', exact: true } as const;
const bodies = [engine.createMesh(box()), engine.createMesh(box(0.5, 0.5, 0.5))] as const;
const placed = { fromB: translation([0, 0, 3]), toB: translation([0, 0, -3]) };

/** Makes an onProgress callback, and the list to which the callback adds its arguments. */
function listener(): { onProgress: (done: number) => void; progress: number[] } {
  const progress: number[] = [];
  return {
    progress,
    onProgress: done => {
      progress.push(done);
    },
  };
}

function checkReported(reported: readonly number[], atLeast = 1): void {
  assert.ok(reported.length >= atLeast && reported.at(-1) === 1, reported.join());
  assert.ok(
    reported.every((done, i) => done >= 0 && done >= (reported[i - 1] ?? 0)),
    reported.join(),
  );
}

const plain = (contacts: object): object => ({ ...contacts, stats: undefined });

test('a sweep of a deforming mesh in several steps finds the same contacts as the synchronous method', async () => {
  const truth = engine.sweepVertices(mesh, from, to, ALL);
  const { progress, onProgress } = listener();
  const found = await engine.async.sweepVertices(mesh, from, to, { ...ALL, onProgress });
  assert.ok(truth.count > 1000, `${truth.count} contacts`);
  assert.equal(plain(found), plain(truth));
  checkReported(progress, 3);
});

// Features that pass each other at a distance of 1e-9 are within the tolerance, but they are not contacts.
test('a sweep in steps finds the same contacts at the start and later for flat triangles on or beside each other', async () => {
  let starts = 0;
  let near = 0;
  for (let seed = 1; seed <= 12; seed++) {
    const random = createRandom(seed);
    const flat = (): Float64Array =>
      Float64Array.from({ length: 9 * 8 }, (_, i) =>
        i % 3 === 2 ? 0 : random.below(12) + 1e-9 * random.below(3),
      );
    const [own, start, end] = [engine.createMesh({ positions: Float32Array.from(flat()) }), flat(), flat()];
    const truth = engine.sweepVertices(own, start, end, ALL);
    const found = await engine.async.sweepVertices(own, start, end, { ...ALL, onProgress: () => {} });
    assert.equal(plain(found), plain(truth), `seed ${seed}`);
    starts += truth.kind.filter(kind => kind === 3).length;
    near += engine.sweepVertices(own, start, end, { want: 'all' }).count - truth.count;
    own.dispose();
  }
  assert.ok(starts > 20 && near > 5, `${starts} contacts at the start, ${near} only within the tolerance`);
});

test('neither calls between the steps nor changes of the passed arrays change the result', async () => {
  const truth = engine.sweepVertices(mesh, from, to, ALL);
  const own = [from.slice(), to.slice()] as const;
  const other = pressed(engine, 4);
  const found = await engine.async.sweepVertices(mesh, own[0], own[1], {
    ...ALL,
    onProgress: () => {
      own[0].fill(0);
      own[1].fill(1);
      engine.sweepVertices(other.mesh, other.from, other.to, ALL);
      engine.query(bodies[0], bodies[1]);
    },
  });
  assert.equal(plain(found), plain(truth));
});

test('a sweep of two meshes in steps finds the same contacts as the synchronous method, including kind start', async () => {
  for (const options of [placed, { fromB: translation([0.25, 0, 0]), toB: translation([3, 0, 0]) }]) {
    const { progress, onProgress } = listener();
    assert.equal(
      plain(await engine.async.sweep(...bodies, { ...ALL, ...options, onProgress })),
      plain(engine.sweep(...bodies, { ...ALL, ...options })),
    );
    checkReported(progress);
  }
});

test('a sweep in steps is rejected if a mesh changes before the sweep begins', async () => {
  const data = box();
  const soft = engine.createMesh(data, { deformable: true });
  const { onProgress } = listener();
  const pending = caughtLater(() => engine.async.sweep(soft, bodies[1], { ...placed, ...ALL, onProgress }));
  soft.update(data.positions.map(value => 2 * value));
  const error = await pending;
  assert.is(error.code, 'Stale', error.message);
  soft.dispose();
});

test('sweeps of features give the same results in several steps as in one, also for an empty list', async () => {
  const random = createRandom(7);
  const queries = Float64Array.from({ length: 24 * 3000 }, () => random.below(5));
  for (const count of [3000, 0]) {
    const some = queries.subarray(0, 24 * count);
    const { progress, onProgress } = listener();
    assert.equal(
      plain(await engine.async.sweepFeatures('VF', some, { exact: true, onProgress })),
      plain(engine.sweepFeatures('VF', some, { exact: true })),
    );
    checkReported(progress, count > 0 ? 3 : 1);
    assert.equal(
      await engine.async.contactTimes('EE', some, { onProgress }),
      engine.contactTimes('EE', some),
    );
  }
});

test('an aborted query is rejected with the reason, and the engine continues to work', async () => {
  const truth = engine.sweepVertices(mesh, from, to, ALL);
  const reason = new Error('enough');
  const requestCount: ((signal: AbortSignal, onProgress: () => void) => Promise<unknown>)[] = [
    (signal, onProgress) => engine.async.sweepVertices(mesh, from, to, { ...ALL, signal, onProgress }),
    (signal, onProgress) => engine.async.sweep(...bodies, { ...ALL, ...placed, signal, onProgress }),
    (signal, onProgress) =>
      engine.async.sweepFeatures('EE', new Float64Array(24 * 3000), { exact: true, signal, onProgress }),
    (signal, onProgress) =>
      engine.async.contactTimes('VF', new Float64Array(24 * 3000), { signal, onProgress }),
  ];
  for (const runQuery of requestCount) {
    const midway = new AbortController();
    let calls = 0;
    assert.is(
      await caughtLater(() =>
        runQuery(midway.signal, () => {
          calls++;
          midway.abort(reason);
        }),
      ),
      reason,
    );
    assert.is(calls, 1, 'no step runs after the abort');
    assert.is(await caughtLater(() => runQuery(AbortSignal.abort(reason), () => {})), reason);
  }
  assert.equal(plain(engine.sweepVertices(mesh, from, to, ALL)), plain(truth));
});

test('queries that take only one step also report progress, and can be aborted before they begin', async () => {
  const { progress, onProgress } = listener();
  assert.is(
    (await engine.async.sweep(...bodies, { ...placed, exact: true, onProgress }))!.toi,
    engine.sweep(...bodies, { ...placed, exact: true })!.toi,
  );
  assert.equal(progress, [1]);
  assert.is(
    await caughtLater(() => engine.async.sweepVertices(mesh, from, to, { signal: AbortSignal.abort('no') })),
    'no',
  );
});

test('synchronous methods refuse the options onProgress and signal', () => {
  assert.throws(
    () => engine.sweepVertices(mesh, from, to, { ...ALL, onProgress: () => {} } as typeof ALL),
    /unknown key 'onProgress'/,
  );
});

test.run();
