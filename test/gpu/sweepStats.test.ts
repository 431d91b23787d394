// Tests the statistics of the sweeps of engine.async: which device computed the answer, and why; and if the GPU
// filtered pairs of features, how many pairs it dropped, and how many it left to the CPU.

import * as assert from 'uvu/assert';
import { createEngine, type Engine } from '../../dist/index.js';
import { foldingCloth, sphere, torus, translation } from '../../dist/samples/index.js';
import { gpuTest } from '../support/gpu.js';
import { test } from '../support/test.js';
import { sharedGpuEngine } from './sharedGpuEngine.js';

const known = await createEngine({ threads: 1, warmUp: 'off' });
const shared = sharedGpuEngine();
test.after(async () => {
  known.dispose();
  await shared.release();
});

const ALL = { want: 'all' } as const;
const KINDS = ['VF', 'EE'] as const;
const PAIRS = 40;
/**
 * Returns pairs of features. In every second pair, the first feature (vertex or edge) is far from the second.
 */
const pointsOf = (kind: 'VF' | 'EE'): Float64Array =>
  Float64Array.from({ length: 24 * PAIRS }, (_, i) => {
    const isMoved = Math.floor(i / 24) % 2 === 1 && i % 12 < (kind === 'VF' ? 3 : 6);
    return Math.round(4 * Math.sin(i * i)) + (isMoved ? 1000 : 0);
  });
const move = { fromB: translation([3, 0.1, 0]), toB: translation([0.4, 0, 0.1]) };
const cloth = foldingCloth(200, 10);

/** Makes the meshes of the sweeps, and returns functions that call the four methods. */
function callsOf(engine: Engine) {
  const a = engine.createMesh(torus(200));
  const b = engine.createMesh(sphere(200));
  const mesh = engine.createMesh(cloth.mesh);
  const ends = [cloth.frame(8), cloth.frame(10)] as const;
  return {
    sweep: () => engine.async.sweep(a, b, { ...move, ...ALL }),
    sweepVertices: () => engine.async.sweepVertices(mesh, ...ends, ALL),
    first: () => engine.async.sweep(a, b, move),
    firstVertices: () => engine.async.sweepVertices(mesh, ...ends),
    none: () => engine.async.sweep(a, b, { fromB: move.fromB, toB: move.fromB }),
    features: (kind: 'VF' | 'EE') => engine.async.sweepFeatures(kind, pointsOf(kind)),
    times: (kind: 'VF' | 'EE') => engine.async.contactTimes(kind, pointsOf(kind)),
    truth: {
      sweep: () => engine.sweep(a, b, { ...move, ...ALL }),
      sweepVertices: () => engine.sweepVertices(mesh, ...ends, ALL),
      first: () => engine.sweep(a, b, move),
      firstVertices: () => engine.sweepVertices(mesh, ...ends),
    },
  };
}

gpuTest(
  'sweeps of features count the pairs that the GPU dropped and those that it left to the CPU',
  async () => {
    const { features, times } = callsOf(await shared.engine());
    for (const kind of KINDS) {
      const expected = known.sweepFeatures(kind, pointsOf(kind));
      const { stats, ...contacts } = await features(kind);
      assert.equal(contacts, { ...expected });
      const found = await times(kind);
      assert.equal(found, known.contactTimes(kind, pointsOf(kind)));
      for (const { backend, reason, milliseconds, gpu } of [stats, found.stats]) {
        assert.equal([backend, reason, gpu!.pairs], ['gpu', 'a GPU is available', PAIRS]);
        assert.ok(milliseconds > 0);
        assert.is(gpu!.apart + gpu!.undecided, PAIRS);
        assert.ok(gpu!.apart >= PAIRS / 2 && gpu!.undecided > 0, JSON.stringify(gpu));
      }
      // The property `stats` of the array of times is not enumerable.
      assert.equal(Object.keys(found), Object.keys(new Float64Array(PAIRS)));
    }
  },
);

gpuTest.slow(
  'sweeps of meshes count the pairs of features that the GPU dropped and those that it left to the CPU',
  async () => {
    const engine = await shared.engine();
    const { sweep, sweepVertices, first, firstVertices, none } = callsOf(engine);
    const { truth } = callsOf(known);
    for (const [call, expected] of [
      [sweep, truth.sweep()],
      [sweepVertices, truth.sweepVertices()],
    ] as const) {
      const { stats, ...contacts } = await call();
      const { stats: cpuStats, ...expectedContacts } = expected;
      assert.equal(contacts, expectedContacts);
      const { backend, reason, gpu, ...others } = stats;
      assert.equal([backend, reason], ['gpu', 'a GPU is available']);
      assert.equal(Object.keys(others), Object.keys(cpuStats));
      assert.equal([gpu!.pairs, gpu!.apart + gpu!.undecided], [cpuStats.featurePairs, cpuStats.featurePairs]);
      assert.ok(gpu!.apart > 0 && gpu!.undecided >= cpuStats.searchedPairs, JSON.stringify(gpu));
    }
    // The first contact of two meshes is found on the CPU, that of a deforming mesh with the help of the GPU.
    const { stats, ...contact } = (await first())!;
    assert.equal(contact, truth.first());
    assert.is(stats.backend, 'wasm');
    assert.match(stats.reason, 'first contact of two meshes');
    assert.is(await none(), undefined);
    const { stats: firstStats, ...firstContact } = (await firstVertices())!;
    assert.equal(firstContact, truth.firstVertices());
    assert.is(firstStats.backend, 'gpu');
    assert.ok(firstStats.milliseconds > 0 && firstStats.gpu!.pairs > 0);
  },
);

test('without a GPU, sweeps say why the CPU computed the answer', async () => {
  for (const [options, reason] of [
    [{ backend: 'wasm' }, /^backend is 'wasm'$/],
    [{ gpu: { requestAdapter: async () => null } }, /below the minimum for a GPU/],
  ] as const) {
    const engine = await createEngine({ threads: 1, warmUp: 'off', ...options });
    const { sweep, sweepVertices, first, none, features, times, truth } = callsOf(engine);
    const found = [
      await sweep(),
      await sweepVertices(),
      (await first())!,
      await features('VF'),
      await times('EE'),
    ];
    for (const { stats } of found) {
      assert.equal([stats.backend, stats.gpu], ['wasm', undefined]);
      assert.match(stats.reason, reason);
      assert.ok(stats.milliseconds > 0);
    }
    const { stats: _, ...contact } = (await first())!;
    assert.equal(contact, truth.first());
    assert.is(await none(), undefined);
    engine.dispose();
  }
});

test('sweeps in steps say that they run on the CPU', async () => {
  const progress = { onProgress: () => {} };
  const [a, b] = [known.createMesh(torus(200)), known.createMesh(sphere(200))];
  const { async } = known;
  const placed = { ...move, ...ALL, exact: true, ...progress };
  const { positions } = torus(200);
  const found = [
    await async.sweep(a, b, placed),
    await async.sweepVertices(
      a,
      positions,
      positions.map(value => -value),
      { ...ALL, exact: true, ...progress },
    ),
    await async.sweepFeatures('VF', pointsOf('VF'), { exact: true, ...progress }),
    await async.contactTimes('EE', pointsOf('EE'), progress),
  ];
  for (const { stats } of found) {
    assert.is(stats.backend, 'wasm');
    assert.match(stats.reason, /runs on the CPU, in steps$/);
    assert.ok(stats.milliseconds > 0);
  }
  assert.equal(found.at(-1), known.contactTimes('EE', pointsOf('EE')));
});

test.run();
